import { statementSections } from '@tallyroom/contract/pay/statements/statement-sections'
import type {
  RateLine,
  StatementContent,
  TierLine,
} from '@tallyroom/contract/pay/statements/statement'
import { createElement } from 'react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetSession, openSession } from '../../lib/session.ts'
import { textOf } from '../../ui/text/text-of.tsx'
import { PaidByTier, StatementSections } from './StatementSections.tsx'

beforeAll(() =>
  openSession({
    token: 'x',
    me: {
      accountId: 1,
      username: 'maria',
      role: 'agent',
      companyId: 2,
      officeName: 'Manila',
      agentId: 7,
      permissions: [],
      signedInBy: null,
      mustChangePassword: false,
      mustAddFactor: false,
      isDemo: false,
      factors: [],
      contact: null,
    },
  }),
)
afterAll(forgetSession)

const who = { agentId: 7, agentName: 'maria', officeId: 2, officeName: 'Manila' }

const line = (own: Partial<RateLine> = {}): RateLine => ({
  ...who,
  siteId: 3,
  siteName: 'Lantern Live',
  typeId: 4,
  typeName: 'Gold',
  rateCentavos: 450_00,
  rateSource: 'type',
  tierWeek: null,
  settledOutside: false,
  fraud: false,
  sales: 2,
  bonuses: 0,
  reversals: 1,
  centavos: 450_00,
  ...own,
})

const tier: TierLine = {
  ...who,
  week: '2026-11-02',
  sales: 1_200,
  paidSales: 1_200,
  tier: 3,
  rateCentavos: 1,
  rateCents: 0,
  before: null,
  centavos: 12_00,
  cents: 0,
  currency: 'PHP',
}

const content = (own: Partial<StatementContent>): StatementContent => ({
  format: 1,
  number: '2026-11-A-0001',
  period: {
    name: '2026-11-A',
    start: '2026-11-01',
    end: '2026-11-15',
    payees: 'offices',
    avp: 'instead',
  },
  zone: 'America/New_York',
  payee: { kind: 'office', id: 2, name: 'Manila' },
  currency: 'PHP',
  closedBy: 'ann',
  closedAt: '2026-11-16T15:00:00.000Z',
  lines: [],
  fraud: [],
  late: [],
  tiers: [],
  adjustments: [],
  conversion: null,
  amount: 0,
  carried: 0,
  due: 0,
  minimum: 0,
  ...own,
})

const shown = (own: Partial<StatementContent>, isPreview = false) => {
  const whole = content(own)
  const props = { sections: statementSections(whole), period: whole.period, isPreview }
  return [StatementSections, PaidByTier]
    .map((part) => textOf(createElement(part, props)))
    .filter(Boolean)
    .join(' | after the sums: ')
}

/** What was read of rows, whose empty cells leave no trace. */
const HEAD = 'AgentForRateSalesBonusesReversalsSum'
const HEAD_BY_TIER = 'AgentForSalesBonusesReversalsSum'

test.each<[string, Partial<StatementContent>, string]>([
  ['nothing', {}, 'Nothing was earned in this period.'],
  [
    'sales, with zeros left out',
    { lines: [line(), line({ typeName: 'Silver', rateCentavos: 0, reversals: 0, centavos: 0 })] },
    `Sales and bonuses | ${HEAD} | maria | Lantern Live · Gold | ₱450.00 | 2 | 1 | ₱450.00 | maria | Lantern Live · Silver | ₱0.00 | 2 | ₱0.00 | Sum | ₱450.00`,
  ],
  [
    'an own rate, and a reversal alone',
    { lines: [line({ rateSource: 'office', sales: 0, reversals: 1, centavos: -450_00 })] },
    `Sales and bonuses | ${HEAD} | maria | Lantern Live · Gold | The office’s own rate | ₱450.00 | 1 | -₱450.00 | Sum | -₱450.00`,
  ],
  [
    'the days of approve-sale sites, beside the sales of others',
    {
      lines: [
        line({ reversals: 0 }),
        line({
          siteId: 4,
          siteName: 'Moonroom',
          useApproveSale: true,
          sales: 5,
          bonuses: 3,
          reversals: 0,
        }),
      ],
    },
    `Sales and bonuses | AgentForRateSalesBonusesDay#1Day#2ReversalsSum | maria | Lantern Live · Gold | ₱450.00 | 2 | ₱450.00 | maria | Moonroom · Gold | ₱450.00 | 5 | 3 | ₱450.00 | Sum | ₱900.00`,
  ],
  [
    'the days of approve-sale sites alone',
    { lines: [line({ useApproveSale: true, reversals: 0 })] },
    `Sales and bonuses | AgentForRateDay#1Day#2ReversalsSum | maria | Lantern Live · Gold | ₱450.00 | 2 | ₱450.00 | Sum | ₱450.00`,
  ],
  [
    'a week’s tier',
    { tiers: [tier] },
    'AVP | The number of an agent’s AVP sales in a week decides the rate of all of them. A week is paid whole, with the period in which it ends. | AgentForRateSalesSum | maria | Week of 2026-11-02: 1,200 sales, tier 3 | ₱0.01 | 1,200 | ₱12.00 | Sum | ₱12.00',
  ],
  [
    'sales that a tier pays are folded, and are no sum',
    { lines: [line({ tierWeek: '2026-11-09', reversals: 0, centavos: 0 })] },
    `Sales and bonuses | 2 sales are paid by tier, without a change to what their week pays | after the sums: Sales that are paid by tierSales and bonuses | ${HEAD_BY_TIER} | maria | Lantern Live · Gold | Paid by tier, week of 2026-11-09 | 2 | ₱0.00`,
  ],
  [
    'sales that a tier pays, beside others',
    {
      lines: [line({ reversals: 0 }), line({ tierWeek: '2026-11-09', reversals: 0, centavos: 0 })],
    },
    `Sales and bonuses | ${HEAD} | maria | Lantern Live · Gold | ₱450.00 | 2 | ₱450.00 | Sum | ₱450.00 | 2 more sales are paid by tier, without a change to what their week pays | after the sums: Sales that are paid by tierSales and bonuses | ${HEAD_BY_TIER} | maria | Lantern Live · Gold | Paid by tier, week of 2026-11-09 | 2 | ₱0.00`,
  ],
  [
    'adjustments in two currencies',
    {
      adjustments: [
        {
          id: 1,
          currency: 'PHP',
          amount: -1,
          reason: 'Camera',
          by: 'ann',
          at: '2026-11-16T03:00:00.000Z',
        },
        {
          id: 2,
          currency: 'USD',
          amount: 12_50,
          reason: 'Bonus',
          by: '',
          at: '2026-11-16T15:00:00.000Z',
        },
      ],
    },
    'Adjustments | ReasonSum | Camera | By ann on 2026-11-15 | -₱0.01 | Bonus | On 2026-11-16 | $12.50 | Sum | -₱0.01 | Sum | $12.50',
  ],
])('a statement shows: %s', (_, own, text) => {
  expect(shown(own)).toBe(text)
  // The preview of the same lines reads the same.
  expect(shown(own, true)).toBe(text)
})
