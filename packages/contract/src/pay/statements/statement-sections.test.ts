import { expect, test } from 'vitest'
import type { RateLine, StatementContent, TierLine } from './statement.ts'
import {
  carriedText,
  moneyText,
  rateText,
  statementSections,
  statementSums,
} from './statement-sections.ts'

const line = (own: Partial<RateLine> = {}): RateLine => ({
  agentId: 7,
  agentName: 'maria',
  officeId: 2,
  officeName: 'Manila',
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
  reversals: 0,
  centavos: 900_00,
  ...own,
})

const tier = (own: Partial<TierLine> = {}): TierLine => ({
  agentId: 7,
  agentName: 'maria',
  officeId: 2,
  officeName: 'Manila',
  week: '2026-11-02',
  sales: 17,
  paidSales: 17,
  tier: 3,
  rateCentavos: 120_00,
  rateCents: 2_00,
  before: null,
  centavos: 2_040_00,
  cents: 34_00,
  currency: 'PHP',
  ...own,
})

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

test.each<[number, 'PHP' | 'USD', string]>([
  [0, 'PHP', '₱0.00'],
  [-0, 'USD', '$0.00'],
  [1, 'PHP', '₱0.01'],
  [-1, 'PHP', '-₱0.01'],
  [-12_50, 'USD', '-$12.50'],
  [1_148_00, 'PHP', '₱1,148.00'],
  [1_000_000_05, 'USD', '$1,000,000.05'],
  // The largest amount: no digit is lost.
  [999_999_999_999_999, 'PHP', '₱9,999,999,999,999.99'],
  [-999_999_999_999_999, 'PHP', '-₱9,999,999,999,999.99'],
])('%d minor units of %s read %s', (amount, currency, text) => {
  expect(moneyText(amount, currency)).toBe(text)
})

test.each([
  [582_500, '₱58.25 for $1'],
  [582_503, '₱58.2503 for $1'],
  [10_000, '₱1.00 for $1'],
  [10_000_000, '₱1,000.00 for $1'],
])('an exchange rate of %d reads %s', (pesosE4, text) => {
  expect(rateText(pesosE4)).toBe(text)
})

/** A section as it is read: its heading, lines as `agent: what (note) × sales at rate = amount`, and sums. */
const read = (own: Partial<StatementContent>) =>
  statementSections(content(own)).map(({ title, rows, sums }) => [
    title,
    ...rows.map(
      ({ agent, what, note, rate, sales, currency, amount }) =>
        `${agent?.name ?? '–'}: ${what} (${note}) × ${sales ?? '–'} at ${rate === null ? '–' : moneyText(rate, currency)} = ${moneyText(amount, currency)}`,
    ),
    ...sums.map(({ currency, amount }) => moneyText(amount, currency)),
  ])

test('a statement without lines has no sections', () => {
  expect(read({})).toEqual([])
})

test.each<[string, Partial<RateLine>, string]>([
  ['sales at the type’s rate', {}, '() × 2 at ₱450.00 = ₱900.00'],
  [
    'the office’s own rate',
    { rateSource: 'office' },
    '(The office’s own rate) × 2 at ₱450.00 = ₱900.00',
  ],
  ['a rate of zero', { rateCentavos: 0, centavos: 0 }, '() × 2 at ₱0.00 = ₱0.00'],
  [
    'a reversal alone',
    { sales: 0, reversals: 1, centavos: -450_00 },
    '() × 0 at ₱450.00 = -₱450.00',
  ],
  [
    'what a tier pays instead',
    { tierWeek: '2026-11-02', rateSource: 'office', centavos: 0 },
    '(Paid by tier, week of 2026-11-02) × 2 at – = ₱0.00',
  ],
  [
    'differences from backdated rates',
    { sales: 0, differences: 1_200, rateCentavos: 1, centavos: 12_00 },
    '(Differences from backdated rates: 1,200) × 0 at ₱0.01 = ₱12.00',
  ],
  [
    'a refunded part of a sale',
    { sales: 0, parts: 1, rateCentavos: -112_50, centavos: -112_50 },
    '(Refunded parts of sales: 1) × 0 at -₱112.50 = -₱112.50',
  ],
  [
    'a sale from before pay',
    { sales: 0, reversals: 1, settledOutside: true, centavos: -450_00 },
    '(The sale was paid before pay was switched on) × 0 at ₱450.00 = -₱450.00',
  ],
])('a line says why it is paid in this way: %s', (_, own, text) => {
  expect(read({ lines: [line(own)] })[0]?.[1]).toBe(`maria: Lantern Live · Gold ${text}`)
})

test('events that a tier pays are one line for each week, whatever their rates', () => {
  const byTier = { tierWeek: '2026-11-02', centavos: 0 }
  const lines = [
    line(byTier),
    line({ ...byTier, rateCentavos: 592_50, rateSource: 'office', sales: 1, reversals: 1 }),
    line({ ...byTier, tierWeek: '2026-11-09' }),
    line({ ...byTier, sales: 0, differences: 2 }),
    line({ ...byTier, sales: 0, differences: 1, rateCentavos: 1 }),
  ]
  const [section] = statementSections(content({ lines }))
  expect(section?.rows).toMatchObject([
    { note: 'Paid by tier, week of 2026-11-02', rate: null, sales: 3, reversals: 1, amount: 0 },
    { note: 'Paid by tier, week of 2026-11-09', rate: null, sales: 2, amount: 0 },
    { rate: null, sales: 0, differences: 3, amount: 0 },
  ])
  expect(new Set(section?.rows.map(({ key }) => key)).size).toBe(3)
})

test('a line of an approve-sale site counts the same events under the names of their days', () => {
  const counts = { sales: 3, bonuses: 2, reversals: 1 }
  const rows = statementSections(
    content({ lines: [line(counts), line({ ...counts, typeId: 5, useApproveSale: true })] }),
  )[0]?.rows
  expect(rows).toMatchObject([
    { ...counts, dayOne: null, dayTwo: null },
    { sales: null, bonuses: null, dayOne: 3, dayTwo: 2, reversals: 1 },
  ])
})

const backdated = (reason: string | null, differences: number, start: string, end = start) => ({
  reason,
  differences,
  start,
  end,
})

test.each<[string, RateLine['backdatings'], string]>([
  [
    'of one sale',
    [backdated('Agreed', 1, '2026-10-05')],
    'Differences from backdated rates: 1 · sale of 5 Oct 2026: “Agreed”',
  ],
  [
    'of several days',
    [backdated('Agreed', 3, '2026-10-05', '2026-10-09')],
    'Differences from backdated rates: 3 · sales of 5–9 Oct 2026: “Agreed”',
  ],
  [
    'for several reasons, of which one is not told',
    [backdated('Agreed', 1, '2026-10-05'), backdated(null, 2, '2026-10-05', '2026-10-06')],
    'Differences from backdated rates: 3 · 1 sale of 5 Oct 2026: “Agreed” · 2 sales of 5–6 Oct 2026',
  ],
])('a difference names its reason and the day of its sale: %s', (_, backdatings = [], note) => {
  const differences = backdatings.reduce((sum, one) => sum + one.differences, 0)
  const lines = [line({ sales: 0, differences, backdatings, rateCentavos: 1, centavos: 1 })]
  expect(statementSections(content({ lines }))[0]?.rows).toMatchObject([{ note }])
})

test('differences that tiers pay are one line, with each reason once and over all of its days', () => {
  const byTier = { tierWeek: '2026-11-02', centavos: 0, sales: 0, differences: 1 }
  const lines = [
    line({ ...byTier, backdatings: [backdated('Agreed', 1, '2026-11-03')] }),
    line({ ...byTier, rateCentavos: 1, backdatings: [backdated('Agreed', 1, '2026-11-02')] }),
  ]
  expect(statementSections(content({ lines }))[0]?.rows).toMatchObject([
    {
      note: 'Differences from backdated rates: 2 · sales of 2–3 Nov 2026: “Agreed” · Paid by tier, week of 2026-11-02',
    },
  ])
})

test('an agent’s lines for one thing, but for two offices, name the office; others do not', () => {
  const cebu = { officeId: 3, officeName: 'Cebu' }
  const sections = statementSections(
    content({
      lines: [
        line(),
        line({ ...cebu, rateSource: 'office' }),
        line({ ...cebu, typeId: 5, typeName: 'Silver' }),
        line({ ...cebu, agentId: 8, agentName: 'jun' }),
      ],
      tiers: [
        tier({ paidSales: 12 }),
        tier({ ...cebu, paidSales: 5 }),
        tier({ ...cebu, week: '2026-11-09' }),
      ],
    }),
  )
  const information = '$34.00, for information'
  expect(sections.map(({ rows }) => rows.map(({ note }) => note))).toEqual([
    ['Office Manila', 'Office Cebu · The office’s own rate', '', ''],
    [
      `Office Manila · 12 of them are paid here · ${information}`,
      `Office Cebu · 5 of them are paid here · ${information}`,
      information,
    ],
  ])
})

test('differences and parts that change only earnings are no lines, but sales without pay are', () => {
  const [differences, parts] = [{ differences: 3 }, { parts: 1 }]
  const nothing = { sales: 0, rateCentavos: 0, centavos: 0 }
  expect(
    read({ lines: [line({ ...nothing, ...differences }), line({ ...nothing, ...parts })] }),
  ).toEqual([])
})

test('sales marked for fraud have a section of their own, and are marked where they arrive late', () => {
  const fraud = line({ fraud: true })
  const late = [
    { name: '2026-10-B', start: '2026-10-16', end: '2026-10-31', lines: [fraud, line()] },
  ]
  expect(read({ lines: [line({ sales: 1, centavos: 450_00 })], fraud: [fraud], late })).toEqual([
    ['Sales and bonuses', 'maria: Lantern Live · Gold () × 1 at ₱450.00 = ₱450.00', '₱450.00'],
    ['Marked for fraud', 'maria: Lantern Live · Gold () × 2 at ₱450.00 = ₱900.00', '₱900.00'],
    [
      'Late for 2026-10-B',
      'maria: Lantern Live · Gold (Marked for fraud) × 2 at ₱450.00 = ₱900.00',
      'maria: Lantern Live · Gold () × 2 at ₱450.00 = ₱900.00',
      '₱1,800.00',
    ],
  ])
})

test.each([
  ['2026-10-16', '2026-10-31', '16–31 Oct 2026'],
  ['2026-09-28', '2026-10-04', '28 Sep – 4 Oct 2026'],
  ['2025-12-29', '2026-01-04', '29 Dec 2025 – 4 Jan 2026'],
])('late lines say of which days they are: %s to %s', (start, end, days) => {
  const [late] = statementSections(content({ late: [{ name: 'X', start, end, lines: [line()] }] }))
  expect(late?.about).toBe(
    `These events happened on ${days} and arrived after that period was closed.`,
  )
  expect(late?.days).toEqual({ start, end })
})

test.each<[string, Partial<TierLine>, string]>([
  [
    'in pesos',
    {},
    'Week of 2026-11-02: 17 sales, tier 3 ($34.00, for information) × 17 at ₱120.00 = ₱2,040.00',
  ],
  [
    'in dollars',
    { currency: 'USD' },
    'Week of 2026-11-02: 17 sales, tier 3 (₱2,040.00, for information) × 17 at $2.00 = $34.00',
  ],
  [
    'the lowest tier pays nothing',
    { tier: 0, sales: 1, paidSales: 1, rateCentavos: 0, rateCents: 0, centavos: 0, cents: 0 },
    'Week of 2026-11-02: 1 sale, tier 0 () × 1 at ₱0.00 = ₱0.00',
  ],
  [
    'without a schedule',
    { tier: -1, rateCentavos: 0, rateCents: 0, centavos: 0, cents: 0 },
    'Week of 2026-11-02: 17 sales, no tier () × 17 at ₱0.00 = ₱0.00',
  ],
  [
    'the agent moved before the last sale',
    { sales: 1_204, paidSales: 1, centavos: 120_00, cents: 0 },
    'Week of 2026-11-02: 1,204 sales, tier 3 (1 of them is paid here) × 1 at ₱120.00 = ₱120.00',
  ],
  [
    'the agent moved: another office is paid for the rest',
    { paidSales: 5, centavos: 600_00, cents: 0 },
    'Week of 2026-11-02: 17 sales, tier 3 (5 of them are paid here) × 5 at ₱120.00 = ₱600.00',
  ],
  [
    'a late reversal takes the tier, and what it paid',
    {
      sales: 9,
      paidSales: 9,
      tier: 2,
      before: { sales: 10, paidSales: 10, tier: 3 },
      centavos: -300_01,
      cents: -5_00,
    },
    'Week of 2026-11-02: 10 sales, tier 3 → 9 sales, tier 2 (₱1,080.00, less ₱1,380.01 paid before · -$5.00, for information) × 9 at ₱120.00 = -₱300.01',
  ],
])('a week’s tier: %s', (_, own, text) => {
  expect(read({ tiers: [tier(own)] })[0]?.[1]).toBe(`maria: ${text}`)
})

test('lines in both currencies have two sums', () => {
  const adjustment = { reason: 'Camera', by: '', at: '2026-11-16T03:00:00.000Z' } // still the 15th in New York
  expect(
    read({
      tiers: [tier(), tier({ agentId: 8, agentName: 'jun', currency: 'USD', centavos: 0 })],
      adjustments: [
        { ...adjustment, id: 1, currency: 'USD', amount: -1 },
        { ...adjustment, id: 2, currency: 'PHP', amount: 500_00, by: 'ann' },
        { ...adjustment, id: 3, currency: 'PHP', amount: -500_00 },
      ],
    }),
  ).toEqual([
    [
      'AVP',
      'maria: Week of 2026-11-02: 17 sales, tier 3 ($34.00, for information) × 17 at ₱120.00 = ₱2,040.00',
      'jun: Week of 2026-11-02: 17 sales, tier 3 () × 17 at $2.00 = $34.00',
      '₱2,040.00',
      '$34.00',
    ],
    [
      'Adjustments',
      '–: Camera (On 2026-11-15) × – at – = -$0.01',
      '–: Camera (By ann on 2026-11-15) × – at – = ₱500.00',
      '–: Camera (On 2026-11-15) × – at – = -₱500.00',
      '-$0.01',
      '₱0.00',
    ],
  ])
})

/** `label: amount`, and the sentence under the amount. */
const closing = (own: Partial<StatementContent>) => [
  ...statementSums(content(own)).map(
    ({ label, amount, currency }) => `${label}: ${moneyText(amount, currency)}`,
  ),
  carriedText(content(own)) ?? 'is not carried',
]

test.each<[string, Partial<StatementContent>, string[]]>([
  [
    'paid later',
    { amount: 900_00, carried: 0, due: 900_00, paidFrom: '2026-11-30' },
    [
      'Sum of 2026-11-A: ₱900.00',
      'Balance before: ₱0.00',
      'To pay from 30 Nov 2026: ₱900.00',
      'What 2026-11-A adds is held for 15 days after its end, because sales can still be taken back.',
    ],
  ],
  [
    'paid later in part',
    { amount: 900_00, carried: 100_00, due: 1_000_00, paidFrom: '2026-11-30' },
    [
      'Sum of 2026-11-A: ₱900.00',
      'Balance before: ₱100.00',
      'To pay, ₱900.00 of it from 30 Nov 2026: ₱1,000.00',
      'What 2026-11-A adds is held for 15 days after its end, because sales can still be taken back.',
    ],
  ],
  [
    'paid',
    { amount: 900_00, carried: 0, due: 900_00, minimum: 500_00 },
    ['Sum of 2026-11-A: ₱900.00', 'Balance before: ₱0.00', 'To pay: ₱900.00', 'is not carried'],
  ],
  [
    'exactly the minimum',
    { amount: 500_00, due: 500_00, minimum: 500_00 },
    ['Sum of 2026-11-A: ₱500.00', 'Balance before: ₱0.00', 'To pay: ₱500.00', 'is not carried'],
  ],
  [
    'a centavo below the minimum',
    { amount: 499_99, due: 499_99, minimum: 500_00 },
    [
      'Sum of 2026-11-A: ₱499.99',
      'Balance before: ₱0.00',
      'Carried to the next period: ₱499.99',
      'This is below the minimum of ₱500.00. It is carried to the next period.',
    ],
  ],
  [
    'without a minimum, a centavo',
    { amount: 1, due: 1 },
    ['Sum of 2026-11-A: ₱0.01', 'Balance before: ₱0.00', 'To pay: ₱0.01', 'is not carried'],
  ],
  [
    'nothing',
    { amount: 450_00, carried: -450_00, due: 0, minimum: 500_00 },
    [
      'Sum of 2026-11-A: ₱450.00',
      'Balance before: -₱450.00',
      'Nothing to pay: ₱0.00',
      'is not carried',
    ],
  ],
  [
    'negative',
    { amount: -450_01, carried: 450_00, due: -1, minimum: 500_00 },
    [
      'Sum of 2026-11-A: -₱450.01',
      'Balance before: ₱450.00',
      'Owed by you: -₱0.01',
      'The balance is negative. It is carried to the next period.',
    ],
  ],
  [
    'pesos to a payee in dollars',
    {
      currency: 'USD',
      conversion: {
        from: 'PHP',
        amount: 5_825_00,
        pesosE4: 582_500,
        source: 'BSP',
        converted: 100_00,
      },
      amount: 134_00,
      carried: -4_00,
      due: 130_00,
      minimum: 200_00,
    },
    [
      'Sum in pesos: ₱5,825.00',
      'Converted at ₱58.25 for $1: $100.00',
      'Sum of 2026-11-A: $134.00',
      'Balance before: -$4.00',
      'Carried to the next period: $130.00',
      'This is below the minimum of $200.00. It is carried to the next period.',
    ],
  ],
  [
    'dollars to a payee in pesos',
    {
      conversion: { from: 'USD', amount: -1, pesosE4: 582_500, source: 'BSP', converted: -58 },
      amount: 99_42,
      due: 99_42,
    },
    [
      'Sum in dollars: -$0.01',
      'Converted at ₱58.25 for $1: -₱0.58',
      'Sum of 2026-11-A: ₱99.42',
      'Balance before: ₱0.00',
      'To pay: ₱99.42',
      'is not carried',
    ],
  ],
])('from the sum of the lines to what is paid: %s', (_, own, text) => {
  expect(closing(own)).toEqual(text)
})

test.each([
  ['due', null, 'To pay'],
  ['running', null, 'To pay'],
  ['paid', null, 'To pay'],
  ['held', null, 'Held'],
  ['carried', '2026-11-B', 'Carried into 2026-11-B'],
  ['carried', null, 'Carried to the next period'],
  ['converted', null, 'Converted'],
  ['written-off', null, 'Written off'],
] as const)(
  'the head of a statement that is %s (into %s) says: %s',
  (state, carriedInto, label) => {
    const owed = content({ amount: 900_00, due: 900_00 })
    expect(statementSums(owed, { state, carriedInto }).at(-1)?.label).toBe(label)
    // What is owed by the payee, or nothing, is never paid.
    const became = { state, carriedInto }
    expect(statementSums(content({ due: -1 }), became).at(-1)?.label).toBe('Owed by you')
  },
)

test('a statement below zero that was paid back is carried nowhere', () => {
  const became = { state: 'paid-back', carriedInto: null } as const
  const below = content({ due: -1 })
  expect(statementSums(below, became).at(-1)?.label).toBe('Paid back')
  expect(carriedText(below, became)).toBeUndefined()
  expect(carriedText(below)).toBe('The balance is negative. It is carried to the next period.')
  // What stood beside the debt is settled by it.
  expect(statementSums(content({ due: 900_00 }), became).at(-1)?.label).toBe('Settled')
})
