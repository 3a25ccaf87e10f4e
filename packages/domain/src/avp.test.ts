import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  avpProblems,
  avpScheduleLabel,
  avpSelectLabel,
  standingOf,
  tierOf,
  tierPay,
  type AvpTier,
} from './avp.ts'

const tiers: AvpTier[] = [
  { index: 0, from: 0, to: 0 },
  { index: 1, from: 1, to: 4 },
  { index: 2, from: 5, to: 9 },
  { index: 3, from: 10, to: 1000 },
]

test.each([
  [-3, 0],
  [0, 0],
  [1, 1],
  [4, 1],
  [5, 2],
  [9, 2],
  [10, 3],
  [1000, 3],
  [1001, 3],
])('%i sales are in tier %i', (sales, index) => {
  expect(tierOf(sales, tiers)?.index).toBe(index)
})

test('a number of sales without a matching tier has none', () => {
  expect(tierOf(5, [])).toBeUndefined()
  expect(tierOf(5, tiers.slice(0, 2))).toBeUndefined()
})

test.each([
  [{ index: 0, from: 0, to: 0 }, '0 sales', 'NO'],
  [{ index: 1, from: 1, to: 4 }, '1-4 sales', 'NO'],
  [{ index: 2, from: 5, to: 9 }, '5-9 sales', '5 - 9'],
  [{ index: 3, from: 10, to: 999 }, '10-999 sales', '10 - 999'],
  [{ index: 3, from: 10, to: 1000 }, '10+', '10+'],
  [{ index: 3, from: 10, to: 99999 }, '10+', '10+'],
])('%o reads "%s" in selects and "%s" in the pay schedule', (tier, select, schedule) => {
  expect(avpSelectLabel(tier)).toBe(select)
  expect(avpScheduleLabel(tier)).toBe(schedule)
})

describe('a set of tiers', () => {
  const LAST = 'The last tier must end at 1000 or more'

  test.each<[string, [number, number][], string[]]>([
    [
      'that covers all is right',
      [
        [0, 0],
        [1, 4],
        [5, 1000],
      ],
      [],
    ],
    ['of one is right', [[0, 1000]], []],
    ['must not be empty', [], [LAST]],
    ['must start at 0', [[1, 1000]], ['Tier 0 leaves a gap: it must start at 0']],
    [
      'must have no gap',
      [
        [0, 0],
        [2, 1000],
      ],
      ['Tier 1 leaves a gap: it must start at 1'],
    ],
    [
      'must have no overlap',
      [
        [0, 4],
        [4, 1000],
      ],
      ['Tier 1 overlaps: it must start at 5'],
    ],
    ['must be open at the end', [[0, 999]], [LAST]],
    [
      'must have nothing after the open end',
      [
        [0, 1000],
        [1001, 2000],
      ],
      ['Tier 1 follows a tier that has no upper limit'],
    ],
    [
      'must not go backwards',
      [
        [0, 4],
        [5, 3],
        [4, 1000],
      ],
      ['Tier 1 ends before it starts'],
    ],
    [
      'must have whole bounds',
      [
        [0, 1.5],
        [2.5, 1000],
      ],
      [
        'Tier 0 has a bound that is not a whole number',
        'Tier 1 has a bound that is not a whole number',
      ],
    ],
  ])('%s', (_, bounds, problems) => {
    expect(avpProblems(bounds.map(([from, to], index) => ({ index, from, to })))).toEqual(problems)
  })

  test('must be numbered in order', () => {
    expect(avpProblems([{ index: 1, from: 0, to: 1000 }])).toEqual(['Tier 0 is numbered 1'])
  })

  test('without problems has exactly one tier for each number of sales', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 12 })
    fc.assert(
      fc.property(sizes, fc.nat(1500), (steps, sales) => {
        let from = 0
        const set = [...steps, 2000].map((size, index) => {
          const tier = { index, from, to: from + size - 1 }
          from += size
          return tier
        })
        expect(avpProblems(set)).toEqual([])
        expect(set.filter((tier) => tierOf(sales, [tier]))).toHaveLength(1)
      }),
    )
  })
})

describe('where a week stands', () => {
  const priced = tiers.map((tier, index) => ({
    ...tier,
    payoutCentavos: index * 50_00,
    payoutCents: index * 90,
  }))
  const stands = (weekSales: number, paidSales = weekSales) => {
    const { tier, pay, next } = standingOf({ weekSales, paidSales }, priced)
    return [tier?.index, pay.centavos, next?.tier.index, next?.missing, next?.adds.centavos]
  }

  test.each([
    ['nothing sold', [0], [0, 0, 1, 1, 50_00]],
    ['two missing: 10 × ₱150 for 8 × ₱100', [8], [2, 800_00, 3, 2, 700_00]],
    ['one missing', [9], [2, 900_00, 3, 1, 600_00]],
    ['just reached', [10], [3, 1500_00, undefined, undefined, undefined]],
    ['more reversed than sold: these are missing too', [-2], [0, 0, 1, 3, 50_00]],
    ['3 of 8 sold for this office', [8, 3], [2, 300_00, 3, 2, 450_00]],
  ] as const)('%s', (_, [week, paid], expected) => {
    expect(stands(week, paid)).toEqual(expected)
  })

  test('before the first schedule, there is no tier, no pay and nothing to reach', () => {
    expect(standingOf({ weekSales: 5, paidSales: 5 }, [])).toEqual({
      tier: undefined,
      pay: { centavos: 0, cents: 0 },
      next: undefined,
    })
  })

  test('an agent who makes the missing sales gets exactly what was announced', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 30 }), fc.integer({ min: -5, max: 30 }), (a, b) => {
        const [weekSales, paidSales] = [a, Math.min(a, b)]
        const { pay, next } = standingOf({ weekSales, paidSales }, priced)
        if (!next) return
        const then = tierOf(weekSales + next.missing, priced)
        expect(then).toBe(next.tier)
        expect(tierOf(weekSales + next.missing - 1, priced)).not.toBe(next.tier)
        const paid = tierPay(paidSales + next.missing, then)
        expect(paid.centavos - pay.centavos).toBe(next.adds.centavos)
        expect(paid.cents - pay.cents).toBe(next.adds.cents)
      }),
    )
  })
})
