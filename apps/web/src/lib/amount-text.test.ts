import { type AmountQuestion, explainRequestSchema } from '@tallyroom/contract/figures/explain'
import { expect, test } from 'vitest'
import { amountText, readAmountText } from './amount-text.ts'

const days = { start: '2026-11-16', end: '2026-11-22' }
const paging = { page: 1, pageSize: 50 }

test.each<[AmountQuestion, string]>([
  [{ report: 'payroll', column: 'payout', ...days }, 'payroll.payout.2026-11-16.2026-11-22'],
  [{ report: 'sites', column: '12', ...days, siteId: 7 }, 'sites.12.2026-11-16.2026-11-22.s7'],
  [
    {
      report: 'payroll',
      column: '12_payout',
      ...days,
      companyId: 1,
      agentId: 3,
      siteId: 7,
      typeId: 12,
    },
    'payroll.12_payout.2026-11-16.2026-11-22.c1.a3.s7.t12',
  ],
  [
    { report: 'payrollAvp', column: 'payoutPhp', ...days, avp: 0 },
    'payrollAvp.payoutPhp.2026-11-16.2026-11-22.v0',
  ],
  [
    { report: 'sites', column: 'sales', ...days, agentId: 3, sub: 'sub2', subId: 'a.b=c sub1=' },
    'sites.sales.2026-11-16.2026-11-22.a3.sub2=a.b=c sub1=',
  ],
  [
    { report: 'sites', column: 'sales', ...days, sub: 'sub1' },
    'sites.sales.2026-11-16.2026-11-22.sub1=',
  ],
])('an amount survives the URL: %o', (question, text) => {
  expect(amountText(question)).toBe(text)
  expect(explainRequestSchema.parse(readAmountText(text))).toMatchObject({ ...question, ...paging })
})

test.each([
  '',
  'payout',
  'payroll.payout.2026-11-16',
  'payroll.payout.2026-02-30.2026-03-01',
  'payroll.payout.2026-11-22.2026-11-16',
  'payroll.raws.2026-11-16.2026-11-22',
  'sites.payoutPhp.2026-11-16.2026-11-22',
  'sites.12_payout.2026-11-16.2026-11-22',
  'payroll.0_payout.2026-11-16.2026-11-22',
  'payroll.12_payout.2026-11-16.2026-11-22.s7.t13',
  'payroll.payout.2026-11-16.2026-11-22.v1',
  'payroll.payout.2026-11-16.2026-11-22.a0',
  'payroll.payout.2026-11-16.2026-11-22.ax',
  'payroll.payout.2026-11-16.2026-11-22.x3',
  'payroll.payout.2026-11-16.2026-11-22.',
  'reports.payout.2026-11-16.2026-11-22',
])('text that does not identify an amount is refused: %s', (text) => {
  expect(explainRequestSchema.safeParse(readAmountText(text)).success).toBe(false)
})
