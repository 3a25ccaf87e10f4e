import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { avpProblems, avpScheduleLabel, avpSelectLabel, tierOf, type AvpTier } from './avp.ts'

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

test('without a tier for it, a number of sales has none', () => {
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
