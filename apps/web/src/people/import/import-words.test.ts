import type { ImportLine } from '@tallyroom/contract/people/import'
import { expect, test } from 'vitest'
import { fateWords, summary } from './import-words.ts'

const line = (fate: ImportLine['fate'], more: Partial<ImportLine> = {}): ImportLine => ({
  line: 2,
  username: 'nina',
  name: 'Nina Reyes',
  officeName: 'Manila',
  email: '',
  fate,
  why: null,
  ...more,
})

test('the preview counts each fate once', () => {
  expect(summary([line('new'), line('exists'), line('faulty')], 'agent')).toBe(
    '1 agent is new. 1 exists already, and is skipped. 1 line is faulty, and is left out.',
  )
  expect(summary([line('new'), line('new')], 'office')).toBe('2 offices are new.')
  expect(summary([line('exists'), line('exists')], 'office')).toBe(
    'Nobody is new. 2 exist already, and are skipped.',
  )
})

test('a line says what becomes of it', () => {
  expect([
    fateWords(line('new')),
    fateWords(line('new', { email: 'nina@example.com' })),
    fateWords(line('exists', { why: 'exists already, in Manila' })),
    fateWords(line('faulty', { why: 'has no last name' })),
  ]).toEqual([
    'New. You hand over a link',
    'New. Invited by mail',
    'Skipped: exists already, in Manila',
    'Left out: has no last name',
  ])
})
