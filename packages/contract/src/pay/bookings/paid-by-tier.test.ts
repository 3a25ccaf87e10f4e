import { expect, test } from 'vitest'
import { paidByTierText } from './paid-by-tier.ts'
import type { CountName, StatementRow, StatementSection } from '../statements/statement-sections.ts'

type Counts = Partial<Record<CountName | 'differences' | 'parts', number>>

const row = (counts: Counts, tierWeek: string | null = '2026-11-02'): StatementRow => ({
  key: '',
  agent: null,
  office: null,
  what: '',
  note: '',
  rate: 0,
  sales: 0,
  bonuses: 0,
  dayOne: null,
  dayTwo: null,
  reversals: 0,
  differences: 0,
  parts: 0,
  currency: 'PHP',
  amount: 0,
  of: { kind: 'rate', line: lineOf(tierWeek) },
  ...counts,
})

const lineOf = (tierWeek: string | null) => ({
  agentId: 1,
  agentName: 'maria',
  officeId: 1,
  officeName: 'Manila',
  siteId: 1,
  siteName: 'Alpha',
  typeId: 1,
  typeName: 'Free',
  rateCentavos: 0,
  rateSource: 'type' as const,
  tierWeek,
  settledOutside: false,
  fraud: false,
  sales: 0,
  bonuses: 0,
  reversals: 0,
  centavos: 0,
})

const section = (rows: StatementRow[], key = 'lines'): StatementSection => ({
  key,
  title: '',
  about: '',
  rows,
  sums: [],
})

/** What tiers pay for these weeks. */
const weeks = (...mondays: string[]): StatementSection =>
  section(
    mondays.map((week) => ({
      ...row({ sales: 1 }),
      of: {
        kind: 'tier',
        line: {
          agentId: 1,
          agentName: 'maria',
          officeId: 1,
          officeName: 'Manila',
          week,
          sales: 1,
          paidSales: 1,
          tier: 1,
          rateCentavos: 1,
          rateCents: 1,
          before: null,
          centavos: 1,
          cents: 1,
          currency: 'PHP',
        },
      },
    })),
    'tiers',
  )
const all = [weeks('2026-11-02', '2026-11-09', '2026-11-16')]

const byRate = row({ sales: 3 }, null)

test.each<[string, Counts[], string]>([
  ['sales', [{ sales: 12 }, { sales: 36 }], '48 more sales are paid by tier, in the weeks below'],
  ['one sale', [{ sales: 1 }], '1 more sale is paid by tier, in the weeks below'],
  [
    'sales and as many reversals',
    [{ sales: 1 }, { reversals: 1 }],
    '1 more sale and 1 reversal are paid by tier, in the weeks below',
  ],
  ['a reversal alone', [{ reversals: 1 }], '1 more reversal is paid by tier, in the weeks below'],
  [
    'differences alone',
    [{ differences: 2 }],
    '2 more differences from backdated rates are paid by tier, in the weeks below',
  ],
  [
    'approvals of an approve-sale site',
    [{ dayOne: 2 }, { dayTwo: 1 }],
    '2 more Day#1 Approvals and 1 Day#2 Sale are paid by tier, in the weeks below',
  ],
  [
    'all of them',
    [{ sales: 1_000, reversals: 2, differences: 1 }],
    '1,000 more sales, 2 reversals and 1 difference from backdated rates are paid by tier, in the weeks below',
  ],
])('what tiers pay is counted by kind, without zeros: %s', (_, counts, text) => {
  const rows = [byRate, ...counts.map((one) => row(one))]
  expect(paidByTierText(section(rows), all, '2026-12-31')).toBe(text)
})

test('where tiers pay all of a section, nothing else is listed', () => {
  expect(paidByTierText(section([row({ sales: 2 })]), all, '2026-12-31')).toBe(
    '2 sales are paid by tier, in the weeks below',
  )
  expect(paidByTierText(section([byRate]), all, '2026-12-31')).toBeUndefined()
})

test('sales of a week that ends after the period are on the next statement', () => {
  const rows = [
    byRate,
    row({ sales: 54 }, '2026-11-09'),
    row({ sales: 10, reversals: 1 }, '2026-11-16'),
  ]
  expect(paidByTierText(section(rows), all, '2026-11-15')).toBe(
    '64 more sales and 1 reversal are paid by tier: 54 sales in the weeks below, 10 sales and 1 reversal on the next statement, because their week ends on 2026-11-22',
  )
  expect(paidByTierText(section(rows.slice(2)), all, '2026-11-15')).toBe(
    '10 sales and 1 reversal are paid by tier, on the next statement, because their week ends on 2026-11-22',
  )
  expect(paidByTierText(section(rows), all, '2026-11-22')).toBe(
    '64 more sales and 1 reversal are paid by tier, in the weeks below',
  )
})

test('sales and reversals that cancel each other out have no week below', () => {
  const undone = [row({ sales: 1, reversals: 1 }, '2026-11-09')]
  expect(paidByTierText(section(undone), [weeks('2026-11-02')], '2026-11-15')).toBe(
    '1 sale and 1 reversal are paid by tier, without a change to what their week pays',
  )
  expect(
    paidByTierText(section([row({ sales: 3 }), ...undone]), [weeks('2026-11-02')], '2026-11-15'),
  ).toBe(
    '4 sales and 1 reversal are paid by tier: 3 sales in the weeks below, 1 sale and 1 reversal without a change to what their week pays',
  )
})
