import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { comparedRange, equalDays } from './compared-range.ts'
import { addDays } from './new-york.ts'
import { COMPARISONS, daysInRange, isValidRange, isWeeks, weeksOf } from './periods.ts'

const anyDay = fc
  .integer({ min: Date.parse('1990-01-01'), max: Date.parse('2060-12-31') })
  .map((ms) => new Date(ms).toISOString().slice(0, 10))

test.each([
  ['under way', '2026-11-21', '2026-11-06'],
  ['on its last day', '2026-11-30', '2026-11-15'],
  ['over', '2026-12-01', '2026-11-15'],
  ['yet to begin', '2026-11-15', '2026-11-15'],
])('beside a half-month that is %s, as many days count', (_, today, end) => {
  const first = { start: '2026-11-01', end: '2026-11-15' }
  const second = { start: '2026-11-16', end: '2026-11-30' }
  expect(equalDays(first, second, today)).toEqual({ start: '2026-11-01', end })
})

describe('what a range is compared with', () => {
  test.each([
    // Finished: compared with the whole previous period, however long.
    [
      'half-month',
      '2026-11-01',
      '2026-11-15',
      '2026-11-22',
      'previous',
      '2026-10-16',
      '2026-10-31',
    ],
    ['month', '2026-10-01', '2026-10-31', '2026-11-22', 'previous', '2026-09-01', '2026-09-30'],
    ['week', '2026-11-09', '2026-11-15', '2026-11-22', 'previous', '2026-11-02', '2026-11-08'],
    ['day', '2026-11-01', '2026-11-01', '2026-11-22', 'previous', '2026-10-31', '2026-10-31'],
    ['year', '2025-01-01', '2025-12-31', '2026-11-22', 'previous', '2024-01-01', '2024-12-31'],
    ['days', '2026-11-03', '2026-11-12', '2026-11-22', 'previous', '2026-10-24', '2026-11-02'],
    // Unfinished: compared with as many days as have begun.
    [
      'half-month',
      '2026-11-16',
      '2026-11-30',
      '2026-11-21',
      'previous',
      '2026-11-01',
      '2026-11-06',
    ],
    ['month', '2026-11-01', '2026-11-30', '2026-11-21', 'previous', '2026-10-01', '2026-10-21'],
    ['week', '2026-11-16', '2026-11-22', '2026-11-18', 'previous', '2026-11-09', '2026-11-11'],
    ['days', '2026-11-10', '2026-11-29', '2026-11-21', 'previous', '2026-10-29', '2026-11-09'],
    [
      'month, its last day',
      '2026-02-01',
      '2026-02-28',
      '2026-02-28',
      'previous',
      '2026-01-01',
      '2026-01-28',
    ],
    [
      'month, longer than the one before',
      '2026-03-01',
      '2026-03-31',
      '2026-03-30',
      'previous',
      '2026-02-01',
      '2026-02-28',
    ],
    ['today', '2026-11-21', '2026-11-21', '2026-11-21', 'previous', '2026-11-20', '2026-11-20'],
    // Whole periods.
    [
      'month',
      '2026-11-01',
      '2026-11-30',
      '2026-11-21',
      'previous-whole',
      '2026-10-01',
      '2026-10-31',
    ],
    [
      'days',
      '2026-11-10',
      '2026-11-29',
      '2026-11-21',
      'previous-whole',
      '2026-10-21',
      '2026-11-09',
    ],
    // A year ago.
    [
      'half-month',
      '2026-11-16',
      '2026-11-30',
      '2026-11-21',
      'last-year',
      '2025-11-16',
      '2025-11-21',
    ],
    [
      'leap February',
      '2028-02-01',
      '2028-02-29',
      '2028-11-21',
      'last-year',
      '2027-02-01',
      '2027-02-28',
    ],
    [
      'February after a leap year',
      '2029-02-01',
      '2029-02-28',
      '2029-11-21',
      'last-year',
      '2028-02-01',
      '2028-02-29',
    ],
    ['leap day', '2028-02-29', '2028-02-29', '2028-11-21', 'last-year', '2027-02-28', '2027-02-28'],
    [
      'week, weekday by weekday',
      '2026-11-16',
      '2026-11-22',
      '2026-11-18',
      'last-year',
      '2025-11-17',
      '2025-11-19',
    ],
    ['year', '2026-01-01', '2026-12-31', '2026-03-01', 'last-year', '2025-01-01', '2025-03-01'],
    [
      'days over New Year',
      '2026-12-30',
      '2027-01-02',
      '2027-11-21',
      'last-year',
      '2025-12-30',
      '2026-01-02',
    ],
  ] as const)('%s %s – %s on %s, %s: %s – %s', (_, start, end, today, compare, from, to) => {
    expect(comparedRange({ start, end }, today, compare)).toEqual({ start: from, end: to })
  })

  test('nothing, if nothing is requested or the range has not begun', () => {
    const range = { start: '2026-12-01', end: '2026-12-31' }
    expect(comparedRange(range, '2026-11-21', 'none')).toBeUndefined()
    expect(comparedRange(range, '2026-11-21', 'previous')).toBeUndefined()
    expect(comparedRange(range, '2026-11-21', 'last-year')).toBeUndefined()
    expect(comparedRange(range, '2026-11-21', 'previous-whole')).toEqual({
      start: '2026-11-01',
      end: '2026-11-30',
    })
  })

  test('where only whole weeks count, weeks, even if four of them are a month', () => {
    const month = { start: '2027-02-01', end: '2027-02-28' }
    const weeks = { wholeWeeks: true }
    expect(comparedRange(month, '2027-02-10', 'previous', weeks)).toEqual({
      start: '2027-01-04',
      end: '2027-01-31',
    })
    fc.assert(
      fc.property(anyDay, anyDay, fc.constantFrom(...COMPARISONS), (day, today, compare) => {
        const compared = comparedRange(
          weeksOf({ start: day, end: addDays(day, 9) }),
          today,
          compare,
          weeks,
        )
        if (compare !== 'none') expect(compared && isWeeks(compared)).toBe(true)
      }),
    )
  })

  test('lies before the range and has at most as many days as have begun, if it is unfinished', () => {
    fc.assert(
      fc.property(
        anyDay,
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: -30, max: 430 }),
        fc.constantFrom(...COMPARISONS),
        (start, days, since, compare) => {
          const range = { start, end: addDays(start, days) }
          const compared = comparedRange(range, addDays(start, since), compare)
          if (!compared) return
          expect(isValidRange(compared)).toBe(true)
          if (days < 360) expect(compared.end < range.start).toBe(true)
          if (since <= days && compare !== 'previous-whole')
            expect(daysInRange(compared)).toBeLessThanOrEqual(since + 1)
        },
      ),
    )
  })
})
