import { expect, test } from 'vitest'
import { daysOfBar } from './overview-figures.ts'

const range = { start: '2026-02-10', end: '2026-04-05' }

test.each([
  ['a day is itself', '2026-02-28', 'day', { start: '2026-02-28', end: '2026-02-28' }],
  [
    'a week is its seven days, also over a month’s end',
    '2026-02-23',
    'week',
    { start: '2026-02-23', end: '2026-03-01' },
  ],
  [
    'the first month begins where the range does',
    '2026-02-01',
    'month',
    { start: '2026-02-10', end: '2026-02-28' },
  ],
  ['a month between is whole', '2026-03-01', 'month', { start: '2026-03-01', end: '2026-03-31' }],
  [
    'the last month ends where the range does',
    '2026-04-01',
    'month',
    { start: '2026-04-01', end: '2026-04-05' },
  ],
] as const)('of a bar, %s', (_, first, unit, days) => {
  expect(daysOfBar(first, unit, range)).toEqual(days)
})

test('a month that holds the whole range is no more than the range', () => {
  const within = { start: '2028-02-03', end: '2028-02-20' }
  expect(daysOfBar('2028-02-01', 'month', within)).toEqual(within)
})
