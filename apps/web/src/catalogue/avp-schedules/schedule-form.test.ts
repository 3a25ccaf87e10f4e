import { expect, test } from 'vitest'
import {
  addTier,
  changeTier,
  removeTier,
  scheduleOf,
  scheduleProblems,
  scheduleValues,
} from './schedule-form.ts'

const saved = [
  { index: 0, from: 0, to: 2, payoutPhp: 0, payoutDollars: 0 },
  { index: 1, from: 3, to: 9, payoutPhp: 25, payoutDollars: 0.45 },
  { index: 2, from: 10, to: 1000, payoutPhp: 85.5, payoutDollars: 1.5 },
]
const values = scheduleValues('2026-11-23', saved)

const bounds = (tiers: readonly { from: string; to: string }[]) =>
  tiers.map(({ from, to }) => `${from}-${to}`)

test('an unchanged schedule is sent as it was received', () => {
  expect(scheduleProblems(values)).toEqual([])
  expect(scheduleOf(values)).toEqual({
    validFrom: '2026-11-23',
    tiers: saved.map(({ from, to, payoutPhp, payoutDollars }) => ({
      from,
      to,
      payoutPhp,
      payoutDollars,
    })),
  })
})

test('a tier start follows the end of the previous tier while the two are adjacent', () => {
  const moved = changeTier(values.tiers, 0, { to: '4' })
  expect(bounds(moved)).toEqual(['0-4', '5-9', '10-'])
  const apart = changeTier(moved, 1, { from: '7' })
  expect(bounds(changeTier(apart, 0, { to: '3' }))).toEqual(['0-3', '7-9', '10-'])
})

test('the next tier does not move while the end before it is not a number', () => {
  expect(bounds(changeTier(values.tiers, 0, { to: '' }))).toEqual(['0-', '3-9', '10-'])
})

test('adding or removing a tier leaves neither gap nor overlap', () => {
  const more = addTier(values.tiers)
  expect(bounds(more)).toEqual(['0-2', '3-9', '10-10', '11-'])
  expect(scheduleProblems({ ...values, tiers: more })).toEqual([])
  for (const index of [0, 1, 2]) {
    const fewer = removeTier(values.tiers, index)
    expect(fewer).toHaveLength(2)
    expect(scheduleProblems({ ...values, tiers: fewer })).toEqual([])
  }
})

test.each([
  ['a gap', 1, { from: '5' }, 'Tier 1 leaves a gap: it must start at 3'],
  ['an overlap', 1, { from: '1' }, 'Tier 1 overlaps: it must start at 3'],
  ['a fraction', 1, { from: '3.5' }, 'Tier 1 has a bound that is not a whole number'],
  ['a negative bound', 0, { to: '-1' }, 'Tier 0 has a bound that is not a whole number'],
  ['no pay', 2, { payoutPhp: '' }, 'Tier 2 needs pay'],
  ['three decimals', 2, { payoutDollars: '1.505' }, 'Tier 2 needs pay'],
  ['a negative rate', 2, { payoutDollars: '-1' }, 'Tier 2 needs pay'],
  ['a rate above the limit', 2, { payoutPhp: '1000000.01' }, 'Tier 2 needs pay'],
])('%s is reported', (_, index, part, problem) => {
  const tiers = values.tiers.map((tier, place) => (place === index ? { ...tier, ...part } : tier))
  expect(scheduleProblems({ ...values, tiers }).join('; ')).toContain(problem)
})

test('the very first schedule starts with a single tier that pays nothing', () => {
  const first = scheduleValues('2026-11-23')
  expect(scheduleProblems(first)).toEqual([])
  expect(scheduleOf(first).tiers).toEqual([{ from: 0, to: 1000, payoutPhp: 0, payoutDollars: 0 }])
})
