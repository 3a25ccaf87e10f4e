import type { AvpSchedule } from '@tallyroom/contract/catalogue/avp-schedules'
import { expect, test } from 'vitest'
import { comingWeeks, effectText, firstFree } from './schedule-weeks.ts'

const from = (validFrom: string): AvpSchedule => ({
  validFrom,
  validTo: null,
  state: 'future',
  tiers: [],
  version: 1,
})

test('a schedule is in force until the day before the next one', () => {
  const others = [from('2026-12-14'), from('2026-12-07'), from('2026-11-02')]
  expect(effectText('2026-11-23', others)).toContain('to Sunday, 2026-12-06,')
  expect(effectText('2026-12-21', others)).toContain('until further notice')
})

test('first weeks are offered from the earliest Monday on', () => {
  expect(comingWeeks('2026-11-23').slice(0, 2)).toMatchObject([
    { label: 'From 2026-11-23', end: '2026-11-29' },
    { label: 'From 2026-11-30', end: '2026-12-06' },
  ])
})

test('a new schedule is preset to the first week in which no other begins', () => {
  expect(firstFree('2026-11-23', [])).toBe('2026-11-23')
  expect(firstFree('2026-11-23', [from('2026-11-23'), from('2026-11-30')])).toBe('2026-12-07')
})
