import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, isDay } from './new-york.ts'
import {
  boardGrouping,
  chartPresets,
  dateHints,
  daysInRange,
  endWeekHints,
  isValidRange,
  isWeeks,
  matchingHint,
  payoutBeWeekHints,
  payoutWeekHints,
  payrollHints,
  PERIOD_LENGTHS,
  periodOf,
  pickableDays,
  previousRange,
  rangeInShort,
  rangeInWords,
  startWeekHints,
  weekHints,
  weeksOf,
} from './periods.ts'

/** Whether periods, listed newest first, have neither gaps nor overlaps. */
const isUnbroken = (hints: { start: string; end: string }[]): boolean =>
  hints.every(({ start }, index) => {
    const older = hints[index + 1]
    return !older || addDays(older.end, 1) === start
  })

const anyDay = fc
  .integer({ min: Date.parse('1990-01-01'), max: Date.parse('2060-12-31') })
  .map((ms) => new Date(ms).toISOString().slice(0, 10))

describe('the period of a day', () => {
  test.each([
    ['2025-03-10', 'day', 0, '2025-03-10', '2025-03-10'],
    ['2025-03-01', 'day', 1, '2025-02-28', '2025-02-28'],
    ['2025-03-10', 'week', 0, '2025-03-10', '2025-03-16'],
    ['2025-03-16', 'week', 0, '2025-03-10', '2025-03-16'],
    ['2025-03-16', 'week', 1, '2025-03-03', '2025-03-09'],
    ['2026-01-01', 'week', 0, '2025-12-29', '2026-01-04'],
    ['2025-03-15', 'beWeek', 0, '2025-03-01', '2025-03-15'],
    ['2025-03-16', 'beWeek', 0, '2025-03-16', '2025-03-31'],
    ['2025-03-16', 'beWeek', 1, '2025-03-01', '2025-03-15'],
    ['2025-03-16', 'beWeek', 2, '2025-02-16', '2025-02-28'],
    ['2024-03-01', 'beWeek', 1, '2024-02-16', '2024-02-29'],
    ['2025-01-01', 'beWeek', 2, '2024-12-01', '2024-12-15'],
    ['2025-03-15', 'beWeek', -1, '2025-03-16', '2025-03-31'],
    ['2025-03-31', 'month', 1, '2025-02-01', '2025-02-28'],
    ['2025-01-31', 'month', 2, '2024-11-01', '2024-11-30'],
    ['2025-07-04', 'year', 0, '2025-01-01', '2025-12-31'],
    ['2025-01-01', 'year', 1, '2024-01-01', '2024-12-31'],
  ] as const)('%s, %s, %i back: %s to %s', (day, periodLength, back, start, end) => {
    expect(periodOf(day, periodLength, back)).toEqual({ start, end, periodLength })
  })

  test('contains the day and is adjacent to its neighbours', () => {
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...PERIOD_LENGTHS), (day, periodLength) => {
        const { start, end } = periodOf(day, periodLength)
        expect(start <= day && day <= end).toBe(true)
        expect(isUnbroken([-1, 0, 1, 2].map((back) => periodOf(day, periodLength, back)))).toBe(
          true,
        )
        expect(periodOf(start, periodLength, 3)).toEqual(periodOf(end, periodLength, 3))
      }),
    )
  })
})

describe('ranges', () => {
  test.each([
    ['2025-03-10', '2025-03-10', 1, '2025-03-09', '2025-03-09'],
    ['2025-03-03', '2025-03-16', 14, '2025-02-17', '2025-03-02'],
    ['2024-03-01', '2024-03-31', 31, '2024-01-30', '2024-02-29'],
  ])('%s to %s are %i days, after %s to %s', (start, end, days, previousStart, previousEnd) => {
    expect(daysInRange({ start, end })).toBe(days)
    expect(previousRange({ start, end })).toEqual({ start: previousStart, end: previousEnd })
  })

  test.each([
    ['2025-03-01', '2025-03-01', true],
    ['2025-03-01', '2025-03-02', true],
    ['2025-03-02', '2025-03-01', false],
    ['2025-02-30', '2025-03-01', false],
    ['2025-03-01', '', false],
    [undefined, '2025-03-01', false],
    ['2025-03-01', null, false],
    [null, undefined, false],
  ])('%s to %s is valid: %s', (start, end, answer) => {
    expect(isValidRange({ start, end })).toBe(answer)
  })

  test('the pickers reach from 10 years back to 10 years ahead', () => {
    expect(pickableDays('2026-11-21')).toEqual({ start: '2016-01-01', end: '2036-12-31' })
  })
})

describe('the hint lists on Wednesday, 12 March 2025', () => {
  const today = '2025-03-12'
  const lines = (hints: { label: string; start: string; end: string }[]) =>
    hints.map(({ label, start, end }) => `${label}: ${start} ${end}`)

  test('of the range pickers', () => {
    expect(lines(dateHints(today))).toEqual([
      'Today: 2025-03-12 2025-03-12',
      'Yesterday: 2025-03-11 2025-03-11',
      'This week: 2025-03-10 2025-03-16',
      'Last week: 2025-03-03 2025-03-09',
      'This month: 2025-03-01 2025-03-31',
      'Last month: 2025-02-01 2025-02-28',
      'This year: 2025-01-01 2025-12-31',
      'Last year: 2024-01-01 2024-12-31',
      '2 weeks back: 2025-02-24 2025-03-02',
      '3 weeks back: 2025-02-17 2025-02-23',
      '4 weeks back: 2025-02-10 2025-02-16',
      '5 weeks back: 2025-02-03 2025-02-09',
      '6 weeks back: 2025-01-27 2025-02-02',
      '7 weeks back: 2025-01-20 2025-01-26',
      '8 weeks back: 2025-01-13 2025-01-19',
      '9 weeks back: 2025-01-06 2025-01-12',
      '10 weeks back: 2024-12-30 2025-01-05',
      '11 weeks back: 2024-12-23 2024-12-29',
      '2 months back: 2025-01-01 2025-01-31',
      '3 months back: 2024-12-01 2024-12-31',
      '4 months back: 2024-11-01 2024-11-30',
      '5 months back: 2024-10-01 2024-10-31',
      '6 months back: 2024-09-01 2024-09-30',
      '7 months back: 2024-08-01 2024-08-31',
      '8 months back: 2024-07-01 2024-07-31',
      '9 months back: 2024-06-01 2024-06-30',
      '10 months back: 2024-05-01 2024-05-31',
      '11 months back: 2024-04-01 2024-04-30',
      '12 months back: 2024-03-01 2024-03-31',
    ])
  })

  test('of the weekly pickers', () => {
    const hints = weekHints(today)
    expect(lines(hints.slice(0, 2))).toEqual([
      'Last week: 2025-03-03 2025-03-09',
      '2 weeks back: 2025-02-24 2025-03-02',
    ])
    expect(lines(hints.slice(-1))).toEqual(['52 weeks back: 2024-03-11 2024-03-17'])
    expect(hints).toHaveLength(52)
    expect(isUnbroken(hints)).toBe(true)
  })

  test('of the weekly pickers, when the other end is chosen', () => {
    const hints = weekHints(today)
    expect(startWeekHints(hints, '2025-02-23')[0]).toMatchObject({ start: '2025-02-17' })
    expect(startWeekHints(hints, '2025-02-17')[0]).toMatchObject({ start: '2025-02-10' })
    expect(endWeekHints(hints, '2025-02-17').at(-1)).toMatchObject({ start: '2025-02-17' })
    expect(endWeekHints(hints, '2025-02-23').at(-1)).toMatchObject({ start: '2025-02-24' })
  })

  test('of the payout periods', () => {
    const weeks = payoutWeekHints(today)
    expect(lines(weeks.slice(0, 1))).toEqual(['2025-03-10 – 2025-03-16: 2025-03-10 2025-03-16'])
    expect(weeks).toHaveLength(50)
    expect(isUnbroken(weeks)).toBe(true)

    const beWeeks = payoutBeWeekHints(today)
    expect(lines(beWeeks.slice(0, 2))).toEqual([
      '2025-03-01 – 2025-03-15: 2025-03-01 2025-03-15',
      '2025-02-16 – 2025-02-28: 2025-02-16 2025-02-28',
    ])
    expect(beWeeks).toHaveLength(27)
    expect(isUnbroken(beWeeks)).toBe(true)
  })

  test('of the charts', () => {
    expect(chartPresets(today).map(({ groupBy }) => groupBy)).toEqual([
      'day',
      'day',
      'day',
      'day',
      'day',
      'month',
      'month',
    ])
    expect(lines(chartPresets(today))).toEqual([
      'Last 12 days: 2025-03-01 2025-03-12',
      'This week: 2025-03-10 2025-03-16',
      'Prev week: 2025-03-03 2025-03-09',
      'This month: 2025-03-01 2025-03-31',
      'Prev month: 2025-02-01 2025-02-28',
      'This year: 2025-01-01 2025-12-31',
      'Prev year: 2024-01-01 2024-12-31',
    ])
  })

  test('a range matches the first hint with exactly its days', () => {
    const hints = dateHints(today)
    expect(matchingHint({ start: '2025-03-03', end: '2025-03-09' }, hints)?.label).toBe('Last week')
    expect(matchingHint({ start: '2025-03-03', end: '2025-03-08' }, hints)).toBeUndefined()
    expect(matchingHint({ start: '2025-03-04', end: '2025-03-09' }, hints)).toBeUndefined()
    expect(matchingHint({ start: null, end: undefined }, hints)).toBeUndefined()
  })

  test('a board ranks agents up to seven days, offices from eight', () => {
    expect(boardGrouping({ start: '2025-03-10', end: '2025-03-16' })).toBe('agent')
    expect(boardGrouping({ start: '2025-03-10', end: '2025-03-17' })).toBe('company')
  })

  test('contain real days, on any day', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const hints = [...dateHints(day), ...weekHints(day), ...payoutBeWeekHints(day)]
        expect(hints.filter(({ start, end }) => !isDay(start) || !isDay(end))).toEqual([])
        expect(isUnbroken(payoutWeekHints(day)) && isUnbroken(payoutBeWeekHints(day))).toBe(true)
      }),
      { numRuns: 30 },
    )
  })
})

test.each([
  ['a whole week', '2026-03-02', '2026-03-08', '2026-03-02', '2026-03-08'],
  ['a Sunday', '2026-03-08', '2026-03-08', '2026-03-02', '2026-03-08'],
  ['a Monday', '2026-03-09', '2026-03-09', '2026-03-09', '2026-03-15'],
  ['Sunday and Monday', '2026-03-08', '2026-03-09', '2026-03-02', '2026-03-15'],
  ['a turn of the year', '2025-12-31', '2026-01-01', '2025-12-29', '2026-01-04'],
])('%s extends to whole weeks', (_, start, end, first, last) => {
  expect(weeksOf({ start, end })).toEqual({ start: first, end: last })
  expect(isWeeks({ start, end })).toBe(start === first && end === last)
})

test.each([
  ['2026-11-01', '2026-11-15', '1–15 Nov 2026'],
  ['2026-10-28', '2026-11-03', '28 Oct – 3 Nov 2026'],
  ['2025-12-29', '2026-01-04', '29 Dec 2025 – 4 Jan 2026'],
  ['2026-11-09', '2026-11-09', '9 Nov 2026'],
])('%s to %s in words: %s', (start, end, words) => {
  expect(rangeInWords({ start, end })).toBe(words)
})

test('a short range has the year only when it is not today’s', () => {
  const range = { start: '2026-11-01', end: '2026-11-15' }
  expect(rangeInShort(range, '2026-12-31')).toBe('1–15 Nov')
  expect(rangeInShort(range, '2027-01-01')).toBe('1–15 Nov 2026')
})

test('payroll lists the last half-month by its name', () => {
  expect(
    payrollHints('2026-11-22')
      .slice(0, 3)
      .map(({ label, start }) => [label, start]),
  ).toEqual([
    ['16–30 Nov 2026 (current half-month)', '2026-11-16'],
    ['1–15 Nov 2026 (last half-month)', '2026-11-01'],
    ['16–31 Oct 2026', '2026-10-16'],
  ])
})
