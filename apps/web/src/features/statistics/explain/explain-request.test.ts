import { expect, test } from 'vitest'
import { payrollAvpReport, payrollReport } from '../stats-search.ts'
import { explainRequestOf } from './explain-request.ts'

const criteria = { groupBy: 'agent' as const, siteId: 3, start: '2026-11-16', end: '2026-11-22' }
const amount = { column: 'payout', row: { agentId: 40 } }

test('an amount is asked for by its report, criteria and row, whatever the view is', () => {
  expect(explainRequestOf({ report: payrollReport, criteria, amount, page: 2 })).toEqual({
    report: 'payroll',
    criteria: { siteId: 3, start: '2026-11-16', end: '2026-11-22' },
    row: { agentId: 40 },
    column: 'payout',
    page: 2,
    pageSize: 25,
  })
})

test('a tier that was chosen is part of what is asked', () => {
  const asked = { report: payrollAvpReport, criteria: { ...criteria, avp: 2 }, page: 1 }
  const payoutPhp = { column: 'payoutPhp', row: {} }
  expect(explainRequestOf({ ...asked, amount: payoutPhp })?.criteria).toMatchObject({ avp: 2 })
})

test('a column that the report does not have is not asked for', () => {
  for (const column of ['payoutPhp', 'raws', '0_payout'])
    expect(
      explainRequestOf({ report: payrollReport, criteria, amount: { column, row: {} }, page: 1 }),
    ).toBeUndefined()
})
