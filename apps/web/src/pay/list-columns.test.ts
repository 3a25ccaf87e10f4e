import type { BalanceItem } from '@tallyroom/contract/pay/balances/balances'
import type { PreviewedStatement } from '@tallyroom/contract/pay/closing/periods'
import type { ProfitRow } from '@tallyroom/contract/pay/bookings/profit'
import type { StatementItem } from '@tallyroom/contract/pay/statements/statements'
import { expect, test } from 'vitest'
import { csvColumnsOf, type ListColumn } from '../ui/list/columns.ts'
import { textOf } from '../ui/text/text-of.tsx'
import { balancesColumns, balanceTotals } from './balances/balances-columns.tsx'
import { byChange, previewColumns, previewSums } from './closing/preview-columns.tsx'
import { profitColumns, profitTotal } from './bookings/profit-columns.tsx'
import { statementColumns, statementTotals } from './statements/statement-columns.tsx'

const manila = { kind: 'office' as const, id: 2, name: 'Manila' }
const maria = { kind: 'agent' as const, id: 7, name: 'maria' }

const item = (own: Partial<BalanceItem> = {}): BalanceItem => ({
  payee: manila,
  currency: 'PHP',
  balance: 900_00,
  running: 0,
  left: 900_00,
  minimum: 500_00,
  ownMinimum: false,
  hold: null,
  paidFrom: null,
  later: [],
  state: 'payable',
  ...own,
})

const hold = {
  reason: 'Chargebacks',
  setBy: 'ann',
  told: 'Call us.',
  setAt: '2026-11-21T03:00:00.000Z',
}

test.each<[string, Partial<BalanceItem>, string[]]>([
  ['payable', {}, ['Manila', 'To be paid', '₱500.00', '–', '₱900.00']],
  [
    'held',
    { state: 'held', hold, running: 1 },
    ['Manila', 'On hold | Chargebacks', '₱500.00', '₱0.01', '₱900.00'],
  ],
  [
    'a new account',
    { state: 'account-new', paidFrom: '2026-12-01' },
    ['Manila', 'New account | from 1 Dec', '₱500.00', '–', '₱900.00'],
  ],
  [
    'an account to confirm says no day',
    { state: 'account-waits', paidFrom: '2026-12-01' },
    ['Manila', 'New account to confirm', '₱500.00', '–', '₱900.00'],
  ],
  [
    'negative dollars, with a minimum of its own',
    { state: 'negative', currency: 'USD', balance: -1, minimum: 0, ownMinimum: true },
    ['Manila', 'Negative', '$0.00 | own', '–', '-$0.01'],
  ],
])('a row of the balances: %s', (_, own, texts) => {
  expect(balancesColumns.map(({ cell }) => textOf(cell(item(own), 0)))).toEqual(texts)
})

test('balances are summed by currency, negative ones too', () => {
  const items = [
    item({ running: 100_00 }),
    item({ balance: -900_01, running: 1 }),
    item({ currency: 'USD', balance: 12_50 }),
  ]
  expect(balanceTotals(items)).toEqual([
    { id: 'PHP', label: 'Total', cells: { balance: '-₱0.01', running: '₱100.01' } },
    { id: 'USD', label: 'Total in dollars', cells: { balance: '$12.50', running: '$0.00' } },
  ])
  expect(balanceTotals(items.slice(2)).map(({ id }) => id)).toEqual(['USD'])
  expect(balanceTotals([])).toEqual([])
})

const statement = (own: Partial<StatementItem> = {}): StatementItem => ({
  id: 5,
  number: '2026-11-A-0001',
  period: { name: '2026-11-A', start: '2026-11-01', end: '2026-11-15' },
  payee: manila,
  currency: 'PHP',
  amount: 900_00,
  withheld: 0,
  carried: -1,
  due: 899_99,
  state: 'due',
  paidOn: null,
  step: null,
  paidInPart: false,
  payment: null,
  carriedInto: null,
  paidFrom: null,
  closedAt: '2026-11-17T03:00:00.000Z',
  ...own,
})

const NUMBER = '2026-11-A-00011–15 Nov 2026' // set apart by the style sheet
const CLOSED = '2026-11-16'

test.each<[string, Partial<StatementItem>, boolean, string[]]>([
  ['due', {}, false, ['Manila', '₱900.00', '-₱0.01', '₱899.99', 'To be paid', CLOSED]],
  [
    'paid in dollars',
    { currency: 'USD', state: 'paid', paidOn: '2026-11-19' },
    false,
    ['Manila', '$900.00', '-$0.01', '$899.99', 'Paid on 19 Nov', CLOSED],
  ],
  [
    'carried',
    { amount: 0, carried: 0, due: 0, state: 'carried', carriedInto: '2026-11-B' },
    false,
    ['Manila', '₱0.00', '₱0.00', '₱0.00', 'Carried into 2026-11-B', CLOSED],
  ],
  // An agent reads their part of an office's statement, whose balance is not theirs.
  [
    'an agent’s part',
    {},
    true,
    ['Manila', '₱900.00', '–', '–', 'Your office is to be paid', CLOSED],
  ],
  [
    'an agent’s own',
    { payee: maria, state: 'held' },
    true,
    ['maria', '₱900.00', '-₱0.01', '₱899.99', 'On hold', CLOSED],
  ],
])('a row of the statements: %s', (_, own, isAgent, texts) => {
  const shown = statementColumns({ isAgent, isOwn: true, isTaxed: false }).map(({ cell }) =>
    textOf(cell(statement(own), 0)),
  )
  expect(shown).toEqual([NUMBER, ...texts])
})

test.each([
  [0, 0, ['Total ₱0.00']],
  [1, 0, ['Total ₱0.01']],
  [-1, 5, ['Total -₱0.01', 'Total in dollars $0.05']],
  [0, 5, ['Total in dollars $0.05']],
])('statements of %d centavos and %d cents are summed: %j', (centavos, cents, texts) => {
  const totals = statementTotals({ centavos, cents, withheld: null })
  expect(totals.map(({ label, cells }) => `${label} ${cells.amount}`)).toEqual(texts)
})

test.each([
  [90_00, '₱90.00', '90.00'],
  [-1, '-₱0.01', '-0.01'],
  [0, '–', '0.00'],
])('a list with tax shows the %i that a statement withheld', (withheld, text, value) => {
  const column = statementColumns({ isAgent: false, isOwn: false, isTaxed: true }).find(
    ({ id }) => id === 'withheld',
  )
  const row = statement({ withheld })
  expect(column && textOf(column.cell(row, 0))).toBe(text)
  expect(column && exported([column], row)).toEqual({ 'Tax withheld': { number: value } })
})

test('tax is summed in each currency, also in one whose sums are 0', () => {
  const withheld = { centavos: 90_00, cents: 1 }
  expect(statementTotals({ centavos: 900_00, cents: 0, withheld })).toMatchObject([
    { label: 'Total', cells: { amount: '₱900.00', withheld: '₱90.00' } },
    { label: 'Total in dollars', cells: { amount: '$0.00', withheld: '$0.01' } },
  ])
})

const previewed = (own: Partial<PreviewedStatement> = {}): PreviewedStatement => ({
  payee: manila,
  currency: 'PHP',
  amount: 900_00,
  carried: 0,
  due: 900_00,
  before: 1_000_00,
  change: -100_00,
  held: false,
  carriedOn: false,
  ...own,
})

test('the preview lists what changed most first, up or down', () => {
  const rows = [previewed({ change: 1 }), previewed({ change: -3 }), previewed({ change: 2 })]
  expect(byChange(rows).map(({ change }) => change)).toEqual([-3, 2, 1])
})

test.each<[Partial<PreviewedStatement>, string[]]>([
  [{}, ['Manila', '₱1,000.00', '₱900.00', '-₱100.00', '₱0.00', '₱900.00']],
  [
    { currency: 'USD', before: 0, change: 900_00, carried: -1, due: 899_99, held: true },
    ['Manila | On hold', '$0.00', '$900.00', '+$900.00', '-$0.01', '$899.99'],
  ],
  [
    { carried: -901_00, due: -1_00, carriedOn: true },
    ['Manila', '₱1,000.00', '₱900.00', '-₱100.00', '-₱901.00', 'carried on -₱1.00'],
  ],
  [
    { amount: 0, due: 0, change: -1_000_00, carriedOn: true },
    ['Manila', '₱1,000.00', '₱0.00', '-₱1,000.00', '₱0.00', '₱0.00'],
  ],
])('a row of the preview %j', (own, texts) => {
  const row = previewed(own)
  const shown = (isFirst: boolean) =>
    previewColumns('2026-11-A', isFirst, [row]).map(({ cell }) => textOf(cell(row)))
  expect(shown(false)).toEqual(texts)
  // The first period has none to compare with.
  expect(shown(true)).toEqual([texts[0], texts[2], texts[4], texts[5]])
})

test('where tax or advances come off, they have a column, and each row adds up', () => {
  const rows = [previewed({ carried: 100_00, due: 850_00 }), previewed()]
  const columns = previewColumns('2026-11-A', true, rows)
  expect(columns.map(({ header }) => header)).toEqual([
    'Payee',
    'This period',
    'Tax and advances',
    'Balance before',
    'To pay',
  ])
  expect(rows.map((row) => columns.map(({ cell }) => textOf(cell(row))))).toEqual([
    ['Manila', '₱900.00', '-₱150.00', '₱100.00', '₱850.00'],
    ['Manila', '₱900.00', '₱0.00', '₱0.00', '₱900.00'],
  ])
  expect(previewSums(rows, [])[0]?.cells['Tax and advances']).toBe('-₱150.00')
})

test('the preview is summed by currency; whom the run leaves out, and what is carried on, is not paid now', () => {
  const statements = [
    previewed(),
    previewed({ amount: 1, before: 0, change: 1, carried: -5, due: -4, carriedOn: true }),
    previewed({ amount: 20, before: 0, change: 20, due: 20, carriedOn: true }),
    previewed({ payee: maria, amount: 250_00, due: 250_00 }),
    previewed({ currency: 'USD', amount: 12_50, before: 0, change: 12_50, due: 12_50 }),
  ]
  const sums = previewSums(statements, [
    { ...maria, currency: 'PHP' },
    // In the other currency she has nothing.
    { ...maria, currency: 'USD' },
  ])
  expect(
    sums.map(({ label, cells }) => [label, ...Object.values(cells).map((cell) => textOf(cell))]),
  ).toEqual([
    [
      '4 statements',
      '₱1,150.21',
      '₱2,000.00',
      '-₱199.79',
      '₱0.00',
      '-₱0.05',
      '₱900.00 | can be paid now; ₱250.00 of one payee waits | carried on ₱0.16',
    ],
    ['1 statement', '$12.50', '$0.00', '+$12.50', '$0.00', '$0.00', '$12.50'],
  ])
})

const profit = (own: Partial<ProfitRow> = {}): ProfitRow => ({
  key: '2026-11-A',
  name: '2026-11-A',
  events: 1_200,
  earningCents: 500_00,
  ratesCentavos: 10_000_00,
  tiersCentavos: 1_650_00,
  adjustmentsCentavos: -1,
  payoutCentavos: 11_649_99,
  payoutCents: 200_00,
  marginCents: 300_00,
  exchangeRate: { pesosE4: 582_500, source: 'BSP', setBy: 'ann' },
  ...own,
})

test.each<[string, Partial<ProfitRow>, string[]]>([
  [
    'a period',
    {},
    [
      '2026-11-A',
      '1,200',
      '₱10,000.00',
      '₱1,650.00',
      '-₱0.01',
      '₱11,649.99',
      '₱58.25 for $1 | BSP, by ann',
      '$200.00',
      '$500.00',
      '$300.00',
    ],
  ],
  [
    'no rate',
    { payoutCents: null, marginCents: null, exchangeRate: null },
    [
      '2026-11-A',
      '1,200',
      '₱10,000.00',
      '₱1,650.00',
      '-₱0.01',
      '₱11,649.99',
      '–',
      'no rate',
      '$500.00',
      'no rate',
    ],
  ],
  [
    'a loss of a cent, at a rate that nobody of now has entered',
    { marginCents: -1, exchangeRate: { pesosE4: 582_500, source: 'BSP', setBy: null } },
    [
      '2026-11-A',
      '1,200',
      '₱10,000.00',
      '₱1,650.00',
      '-₱0.01',
      '₱11,649.99',
      '₱58.25 for $1 | BSP',
      '$200.00',
      '$500.00',
      '-$0.01',
    ],
  ],
])('a row of profit: %s', (_, own, texts) => {
  expect(profitColumns('period').map(({ cell }) => textOf(cell(profit(own), 0)))).toEqual(texts)
})

test('all profit together has dollars only if each period has a rate', () => {
  const loss = profit({ events: 1, earningCents: 0, payoutCents: 400_00, marginCents: -400_00 })
  const amounts = {
    events: '1,201',
    rates: '₱20,000.00',
    tiers: '₱3,300.00',
    adjustments: '-₱0.02',
    payout: '₱23,299.98',
    earning: '$500.00',
  }
  expect(profitTotal([profit(), loss]).cells).toEqual({
    ...amounts,
    payoutCents: '$600.00',
    margin: '-$100.00',
  })
  expect(profitTotal([profit(), { ...loss, payoutCents: null, marginCents: null }]).cells).toEqual({
    ...amounts,
    payoutCents: 'no rate',
    margin: 'no rate',
  })
})

/** What an export writes: heading and value. */
const exported = <Row>(columns: readonly ListColumn<Row>[], row: Row) =>
  Object.fromEntries(csvColumnsOf(columns).map(({ header, value }) => [header, value(row)]))

test('the CSV of statements has numbers, with their currency beside them', () => {
  expect(
    exported(
      statementColumns({ isAgent: false, isOwn: false, isTaxed: false }),
      statement({ currency: 'USD' }),
    ),
  ).toEqual({
    Statement: '2026-11-A-0001',
    Period: '2026-11-A',
    Payee: 'Manila',
    Currency: 'USD',
    Sum: { number: '900.00' },
    'Balance before': { number: '-0.01' },
    'Balance when closed': { number: '899.99' },
    State: 'To be paid',
    'Closed (New York)': '2026-11-16 22:00:00 EST',
  })
})

test('the CSV of an agent has no balance of their office', () => {
  expect(
    exported(statementColumns({ isAgent: true, isOwn: true, isTaxed: true }), statement()),
  ).toMatchObject({
    Sum: { number: '900.00' },
    'Tax withheld': null,
    'Balance before': null,
    'Balance when closed': null,
  })
})

test('the CSV of balances says why one is held', () => {
  expect(exported(balancesColumns, item({ state: 'held', hold, running: 1 }))).toEqual({
    Payee: 'Manila',
    Currency: 'PHP',
    State: 'On hold',
    'Reason of the hold': 'Chargebacks',
    'Paid from': null,
    'Paid later': '',
    Minimum: { number: '500.00' },
    'In a payment run': { number: '0.01' },
    Balance: { number: '900.00' },
  })
})
