import { expect, test } from 'vitest'
import { questionOf } from './other-rates.ts'
import type { WhatIfSearch } from './what-if-search.ts'

const days = { start: '2026-11-01', end: '2026-11-15' }
const tiersNow = [
  { from: 0, to: 9 },
  { from: 10, to: 1000 },
]
const ask = (search: WhatIfSearch, range = days, tiers = tiersNow) =>
  questionOf(search, range, tiers)

test('the URL asks for other rates of link types, and of tiers in their order', () => {
  expect(ask({ rates: '3:450:70.5,5::100', tiers: '120,165', companyIds: [4] })).toEqual({
    ...days,
    groupBy: 'company',
    companyIds: [4],
    rates: [
      { typeId: 3, payout: 450, bonusPayout: 70.5 },
      { typeId: 5, bonusPayout: 100 },
    ],
    replaceOwn: true,
    tiers: [
      { from: 0, to: 9, payoutPhp: 120 },
      { from: 10, to: 1000, payoutPhp: 165 },
    ],
  })
})

test('offices keep their own rates, and rows are agents, if the URL says so', () => {
  expect(ask({ rates: '3:450:', replaceOwn: false, groupBy: 'agent' })).toEqual({
    ...days,
    groupBy: 'agent',
    rates: [{ typeId: 3, payout: 450 }],
    replaceOwn: false,
  })
})

test('before the first schedule, tiers of the URL are not asked for', () => {
  expect(ask({ tiers: '120,165' }, days, [])).toBeUndefined()
})

test.each([
  ['no other rate', {}, days],
  ['a rate that is no amount', { rates: '3:4.5.0:' }, days],
  ['a tier that is no amount', { tiers: '120,x' }, days],
  [
    'more rates than fit',
    { rates: Array.from({ length: 51 }, (_, id) => `${id + 1}:1:`).join() },
    days,
  ],
  ['days that end before they start', { rates: '3:450:' }, { start: days.end, end: days.start }],
])('nothing is asked for %s', (_, search, range) => {
  expect(ask(search, range)).toBeUndefined()
})
