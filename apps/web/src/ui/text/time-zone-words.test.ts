import { afterEach, expect, test } from 'vitest'
import { behindInWords } from './time-zone-words.ts'

const own = process.env['TZ']
afterEach(() => {
  if (own === undefined) delete process.env['TZ']
  else process.env['TZ'] = own
})

test.each([
  ['Asia/Manila', '2026-11-28T16:00:00Z', '13 hours behind you', '13:00'],
  ['Asia/Manila', '2026-07-01T16:00:00Z', '12 hours behind you', '12:00'],
  ['Asia/Kolkata', '2026-11-28T16:00:00Z', '10.5 hours behind you', '10:30'],
  ['America/Chicago', '2026-11-28T16:00:00Z', '1 hour ahead of you', '23:00'],
  ['America/Los_Angeles', '2026-11-28T16:00:00Z', '3 hours ahead of you', '21:00'],
])('in %s at %s', (zone, now, apart, began) => {
  process.env['TZ'] = zone
  expect(behindInWords(new Date(now))).toBe(
    `New York is ${apart}. Today began at ${began} your time.`,
  )
})

test('in New York', () => {
  process.env['TZ'] = 'America/New_York'
  expect(behindInWords(new Date('2026-11-28T16:00:00Z'))).toBe(
    'America/New_York, as your clock has it.',
  )
})
