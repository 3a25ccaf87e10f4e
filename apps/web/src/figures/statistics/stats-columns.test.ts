import { expect, test } from 'vitest'
import type { ColumnFlags } from '@tallyroom/contract/figures/stats-figures'
import { payrollAvpReport, payrollReport, sitesAvpReport, sitesReport } from './stats-search.ts'
import { figureColumns, tierColumns } from './stats-columns.tsx'

const everything: ColumnFlags = {
  earningVisible: true,
  payoutVisible: true,
  lppVisible: true,
  useApproveSale: false,
  hasBonus: true,
  types: [{ id: 12, typeId: 12, typename: 'Gold', bonus: true }],
}

const nothing: ColumnFlags = {
  earningVisible: false,
  payoutVisible: false,
  lppVisible: false,
  useApproveSale: false,
  hasBonus: false,
  types: [],
}

const headers = (...asked: Parameters<typeof figureColumns>) =>
  figureColumns(...asked).map(({ header }) => header)

const clicks = ['Raws', 'Uniques']
const bonuses = ['Bonus Sales', 'Bonus Ratio']
const earnings = ['Earn', 'Bonus Earn']
const payouts = ['Payout', 'Bonus Payout']
const points = ['Lpp', 'Lpp prev']

test.each([
  [sitesReport, [...clicks, 'Gold', 'Sales', ...bonuses, ...earnings, ...payouts, ...points]],
  [
    sitesAvpReport,
    [...clicks, 'Gold', 'Sales', 'AVP Sales', ...bonuses, ...earnings, ...payouts, ...points],
  ],
  [
    payrollReport,
    [...clicks, 'Sales', ...bonuses, ...payouts, 'Gold', 'Gold ₱', ...earnings, ...points],
  ],
  [
    payrollAvpReport,
    [
      ...clicks,
      'Sales',
      'AVP Sales',
      'Payout ₱',
      'Payout $',
      ...bonuses,
      'Gold',
      'Gold ₱',
      ...earnings,
      ...points,
    ],
  ],
])('$title has its columns, in their order', (report, expected) => {
  expect(headers(report, 'agent', everything)).toEqual(expected)
})

test('what the answer omits has no column', () => {
  expect(headers(sitesReport, 'agent', nothing)).toEqual([...clicks, 'Sales'])
  expect(headers(payrollReport, 'agent', nothing)).toEqual([...clicks, 'Sales'])
})

test('by date there are no points', () => {
  expect(headers(sitesReport, 'date', everything)).not.toContain('Lpp')
})

test('on a site with approve-sale, bonuses are those of Day#2', () => {
  const columns = headers(payrollReport, 'agent', { ...everything, useApproveSale: true })
  expect(columns).toEqual(expect.arrayContaining(['Day#1 Approval', 'Day#2 Sale', 'Day#2 Payout']))
  expect(columns).not.toContain('Bonus Sales')
})

test('every column in the bonus colour, and no other, is about bonuses', () => {
  const columns = figureColumns(payrollReport, 'agent', everything)
  expect(columns.filter(({ bonus }) => bonus)).toEqual(
    columns.filter(({ header }) => header.startsWith('Bonus')),
  )
})

test('an agent’s tier is shown in rows about an agent, in the AVP reports', () => {
  const has = (...asked: Parameters<typeof tierColumns>) => tierColumns(...asked).length > 0
  expect(has(sitesAvpReport, 'agent')).toBe(true)
  expect(has(payrollAvpReport, 'detail')).toBe(true)
  expect(has(payrollAvpReport, 'company')).toBe(false)
  expect(has(payrollReport, 'agent')).toBe(false)
})
