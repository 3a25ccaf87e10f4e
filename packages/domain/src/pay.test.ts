import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from './new-york.ts'
import {
  freeOf,
  paidFromOf,
  avpRulesIn,
  isPaidOut,
  isPayPeriodName,
  PAY_LENGTHS,
  payPeriodFrom,
  payPeriodOf,
  payPeriodsBetween,
  settingsOn,
} from './pay.ts'
import { toCentavos, toCents } from './conversion.ts'

describe('pay periods', () => {
  test.each([
    ['2026-11-15', 'beWeek', '2026-11-A', '2026-11-01', '2026-11-15'],
    ['2026-11-16', 'beWeek', '2026-11-B', '2026-11-16', '2026-11-30'],
    ['2028-02-29', 'beWeek', '2028-02-B', '2028-02-16', '2028-02-29'],
    ['2026-11-25', 'week', '2026-W48', '2026-11-23', '2026-11-29'],
    // The year of a week is that of its Thursday.
    ['2027-01-02', 'week', '2026-W53', '2026-12-28', '2027-01-03'],
    ['2025-12-30', 'week', '2026-W01', '2025-12-29', '2026-01-04'],
    ['2026-11-25', 'month', '2026-11', '2026-11-01', '2026-11-30'],
  ] as const)('%s lies in the %s %s', (day, length, name, start, end) => {
    expect(payPeriodOf(day, length)).toEqual({ name, start, end, length })
  })

  test('what AVP pays changes on the first Monday of new settings, for whole weeks', () => {
    const settings = [
      { fromDay: '2026-10-01', avp: 'instead' },
      { fromDay: '2026-11-01', avp: 'on-top' },
    ] as const
    const instead = { monday: '2026-10-26', avp: 'instead' }
    const onTop = { monday: '2026-11-02', avp: 'on-top' }
    expect(avpRulesIn(settings, { start: '2026-11-01', end: '2026-11-01' })).toEqual([instead])
    expect(avpRulesIn(settings, { start: '2026-10-28', end: '2026-11-15' })).toEqual([
      instead,
      onTop,
    ])
    expect(avpRulesIn(settings, { start: '2026-11-04', end: '2026-11-15' })).toEqual([onTop])
  })

  test('a changed length begins with a stub up to its next boundary', () => {
    const settings = [
      { fromDay: '2026-10-16', length: 'beWeek' },
      { fromDay: '2026-11-16', length: 'month' },
      { fromDay: '2027-01-01', length: 'week' },
    ] as const
    const periods = payPeriodsBetween(
      [settings[0], ...settings.slice(1)],
      '2026-10-16',
      '2027-01-04',
    )
    expect(periods.map(({ name, start, end }) => [name, start, end])).toEqual([
      ['2026-10-B', '2026-10-16', '2026-10-31'],
      ['2026-11-A', '2026-11-01', '2026-11-15'],
      ['2026-11', '2026-11-16', '2026-11-30'],
      ['2026-12', '2026-12-01', '2026-12-31'],
      ['2026-W53', '2027-01-01', '2027-01-03'],
      ['2027-W01', '2027-01-04', '2027-01-10'],
    ])
  })

  test('whatever the changes, periods follow each other without gaps, and no two share a name', () => {
    const change = fc.record({
      after: fc.integer({ min: 0, max: 12 }),
      length: fc.constantFrom(...PAY_LENGTHS),
    })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
        let start = '2026-01-01'
        const periods = changes.flatMap(({ after, length }) =>
          Array.from({ length: after + 1 }, () => {
            const period = payPeriodFrom(start, length)
            start = addDays(period.end, 1)
            return period
          }),
        )
        expect(new Set(periods.map(({ name }) => name)).size).toBe(periods.length)
        for (const [index, { name, start: first, end }] of periods.entries()) {
          expect(isPayPeriodName(name)).toBe(true)
          expect(first <= end).toBe(true)
          expect(periods[index + 1]?.start ?? start).toBe(addDays(end, 1))
        }
      }),
    )
  })

  test('the last settings of a day count, and before any apply, the first', () => {
    const settings = [
      { fromDay: '2026-11-01', is: 'first' },
      { fromDay: '2026-12-01', is: 'replaced' },
      { fromDay: '2026-12-01', is: 'second' },
    ] as const
    const on = (day: string) => settingsOn([settings[0], ...settings.slice(1)], day).is
    expect([on('2026-10-01'), on('2026-11-30'), on('2026-12-01')]).toEqual([
      'first',
      'first',
      'second',
    ])
  })
})

describe('conversion', () => {
  test('rounds half away from zero, once', () => {
    // At ₱58.00 per dollar, ₱0.29 is half a cent.
    expect([29, -29, 28, -28].map((centavos) => toCents(centavos, 580_000))).toEqual([1, -1, 0, 0])
    expect([1, -1].map((cents) => toCentavos(cents, 585_000))).toEqual([59, -59])
    expect(toCents(5_800_000, 580_000)).toBe(100_000)
  })

  test('is exact for the largest amounts', () => {
    expect(toCents(999_999_999_999_999, 10_000)).toBe(999_999_999_999_999)
  })
})

test.each([
  [-1, 0, false],
  [0, 0, false],
  [1, 0, true],
  [499_99, 500_00, false],
  [500_00, 500_00, true],
])('a balance of %i with a minimum of %i is paid: %s', (due, minimum, isPaid) => {
  expect(isPaidOut(due, minimum)).toBe(isPaid)
})

test.each([
  ['2026-11-15', 15, 1, '2026-11-30'],
  ['2026-11-15', 90, 1, '2027-02-13'],
  ['2026-11-15', 0, 1, null],
  ['2026-11-15', 15, 0, null],
  ['2026-11-15', 15, -1, null],
])('a period that ends on %s and is held for %i days pays %i from %s', (end, days, added, from) => {
  expect(paidFromOf({ end }, days, added)).toBe(from)
})

const soon = '2026-11-30'
const later = '2026-12-15'

test.each([
  ['nothing is held', 500, [], 500, []],
  ['all is held', 500, [[500, soon]], 0, [[500, soon]]],
  ['more than is owed is held', 300, [[500, soon]], 0, [[300, soon]]],
  ['something is older', 700, [[500, soon]], 200, [[500, soon]]],
  [
    'two periods are held',
    1_200,
    [
      [500, soon],
      [600, later],
    ],
    100,
    [
      [500, soon],
      [600, later],
    ],
  ],
  [
    'a later statement took some',
    900,
    [
      [500, soon],
      [600, later],
    ],
    0,
    [
      [300, soon],
      [600, later],
    ],
  ],
  [
    'a later statement took more',
    400,
    [
      [500, soon],
      [600, later],
    ],
    0,
    [[400, later]],
  ],
  ['the payee owes', -200, [[500, soon]], -200, []],
  ['nothing is owed', 0, [[500, soon]], 0, []],
] as const)('of a balance of which %s, the rest is free', (_, balance, held, free, rest) => {
  const parts = (all: readonly (readonly [number, string])[]) =>
    all.map(([amount, from]) => ({ amount, from }))
  expect(freeOf(balance, parts(held))).toEqual({ free, later: parts(rest) })
})
