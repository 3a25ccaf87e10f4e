import { expect, test } from 'vitest'
import { daysOfQuarter, isQuarter, monthsOfQuarter, placeInQuarter } from './quarters.ts'

test('a quarter has the days of its three months', () => {
  expect(daysOfQuarter('2026-Q4')).toEqual({ start: '2026-10-01', end: '2026-12-31' })
  expect(monthsOfQuarter('2028-Q1')).toEqual([
    { start: '2028-01-01', end: '2028-01-31' },
    { start: '2028-02-01', end: '2028-02-29' },
    { start: '2028-03-01', end: '2028-03-31' },
  ])
})

test.each([
  ['2026-10-01', 0],
  ['2026-05-31', 1],
  ['2026-12-31', 2],
])('%s is in the month %i of its quarter', (day, place) => expect(placeInQuarter(day)).toBe(place))

test.each(['2026-Q0', '2026-Q5', '26-Q1', '2026-Q1x', '2026Q1'])('%s is no quarter', (text) =>
  expect(isQuarter(text)).toBe(false),
)
