import { overallTotals } from '@tallyroom/contract/figures/stats-figures'
import type { SiteStats, StatsRow } from '@tallyroom/contract/figures/statistics'
import { expect, test } from 'vitest'
import { figureColumns } from './stats-columns.tsx'
import { sitesReport } from './stats-search.ts'
import { pageTotals, totalsRows } from './totals-rows.tsx'

const types = [{ id: 12, typeId: 12, typename: 'Gold', bonus: true }]

const row = (part: Partial<StatsRow>): StatsRow => ({
  raws: 0,
  uniques: 0,
  sales: 0,
  bonusSales: 0,
  bonusRatio: 0,
  ...part,
})

test('the page total is the sum of the rows, to the cent, reversals included', () => {
  const rows = [
    row({ raws: 10, uniques: 7, sales: 3, bonusSales: 1, earn: 1.1, payout: 1850.25, '12': 2 }),
    row({ raws: 5, uniques: 5, sales: 2, bonusSales: 1, earn: 2.2, payout: 0.5, '12': 2 }),
    row({ sales: -1, earn: -0.05, payout: -1850.25, '12': -1 }),
  ]
  expect(pageTotals(rows, types)).toMatchObject({
    raws: 15,
    uniques: 12,
    sales: 4,
    bonusSales: 2,
    bonusRatio: 50,
    earn: 3.25,
    payout: 0.5,
    '12': 3,
  })
})

test('the overall total has the names of the rows’ fields', () => {
  const overall = { ...row({}), earning: 1.5, bonusEarning: 0.25, lpp: 9, lpp_prev: 8, '12': 4 }
  expect(overallTotals(overall)).toMatchObject({
    earn: 1.5,
    bonusEarn: 0.25,
    lpp: 9,
    lppPrev: 8,
    '12': 4,
  })
})

test.each([
  [1, ['Total']],
  [2, ['Page total', 'Overall total']],
])('of %i rows one is on the page: %j', (total, labels) => {
  const shown = row({ raws: 3, uniques: 2, sales: 1 })
  const stats: SiteStats = {
    page: { items: [shown], total },
    overall: { ...shown },
    earningVisible: false,
    payoutVisible: false,
    lppVisible: false,
    useApproveSale: false,
    hasBonus: false,
    types: [],
  }
  const rows = totalsRows('date', stats, [], () => ({ amount: undefined, clicks: undefined }))
  expect(rows.map(({ label }) => label)).toEqual(labels)
  for (const { note } of rows) expect(note).toBe('Unique to Sale Ratio 1:2.00')
})

test.each([
  ['by their day', 'date', [{ start: '2026-03-01', end: '2026-03-03' }, undefined]],
  ['by a figure', 'sales', [undefined]],
])('in rows of days sorted %s, the page total opens the sum of these days', (_, sort, opened) => {
  const items = ['2026-03-03', '2026-03-02', '2026-03-01'].map((date) => row({ date, sales: 1 }))
  const stats: SiteStats = {
    page: { items, total: 9 },
    overall: row({ sales: 9 }),
    earningVisible: false,
    payoutVisible: false,
    lppVisible: false,
    useApproveSale: false,
    hasBonus: false,
    types: [],
  }
  const figures = figureColumns(sitesReport, 'date', stats).filter(({ id }) => id === 'sales')
  const asked: unknown[] = []
  totalsRows(
    'date',
    stats,
    figures,
    (_column, _row, days) => {
      asked.push(days)
      return { amount: undefined, clicks: undefined }
    },
    sort,
  )
  expect(asked.toSorted((a, b) => Number(a === undefined) - Number(b === undefined))).toEqual(
    opened,
  )
})
