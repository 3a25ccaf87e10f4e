import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { booksEndpoints } from '@tallyroom/contract/pay/books/books'
import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import type { StatementContent } from '@tallyroom/contract/pay/statements/statement'
import { statementSums } from '@tallyroom/contract/pay/statements/statement-sections'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { taxDetailsEndpoints } from '@tallyroom/contract/pay/acts/tax-details'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { buildAccountInForce, buildPerson } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { sealWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'
import { booksRoutes } from '../books/books.routes.ts'
import { payProposalsRoutes } from './pay-proposals.routes.ts'
import { verifyPay } from '../verify/verify-pay.ts'
import { exportPeriod } from '../closing/export-period.ts'
import { estimatesFor, findOwnPay } from '../balances/own-pay.ts'
import { payRoutes } from '../pay.routes.ts'
import { findUnpaid } from '../balances/unpaid.ts'
import { inTransaction } from '../../db/transaction.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([
  ...payRoutes(services),
  ...payProposalsRoutes(services),
  ...booksRoutes(services),
  ...paymentRunsRoutes(services),
])

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let bob: Viewer
let manila = 0

const build = async (settings: Partial<Parameters<typeof buildPayWorld>[1]> = {}) => {
  await emptyTables(connection, [...PAY_TABLES, 'options'])
  await db
    .insertInto('options')
    .values({ name: 'payout_visible', value: '1', changed_at: new Date(0) })
    .execute()
  world = await buildPayWorld(services, { avp: 'information', ...settings })
  manila = world.offices.manila
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
  await sealWorld(db)
}

beforeEach(() => build())

let sales = 0
/** ₱300.00 each. */
async function sell(day: string, count = 1): Promise<void> {
  for (let left = count; left > 0; left--)
    await world.sell(`s${++sales}`, 'maria', day, { plain: true })
}
const enterDetails = (own: object = {}) =>
  call(ann, taxDetailsEndpoints.saveTaxDetails, {
    body: {
      kind: 'office',
      id: manila,
      fromDay: '2026-02-01',
      registeredName: 'Manila Leads Inc.',
      country: 'PH',
      taxNumber: '123-456-789-000',
      address: 'Makati',
      ...own,
    },
  })
const propose = (own: object = {}) =>
  call(ann, taxDetailsEndpoints.proposeTaxRate, {
    body: {
      kind: 'office',
      id: manila,
      fromDay: '2026-02-01',
      rateBp: 1000,
      code: 'WI515',
      reason: 'BIR',
      ...own,
    },
  })
const approve = (id: number) =>
  call(bob, payProposalsEndpoints.approvePayProposal, { params: { id } })
const setRate = async (own: object = {}) => {
  const { status, body } = await propose(own)
  expect([status, body.message]).toEqual([200, undefined])
  expect((await approve(body.proposalId)).status).toBe(200)
}
/** 10 % from the first day on. */
const withhold = async (own: object = {}) => {
  expect((await enterDetails()).status).toBe(200)
  await setRate(own)
}
const adjust = async (amount: number, currency = 'PHP') =>
  expect(
    (
      await call(ann, balancesEndpoints.createAdjustment, {
        body: { kind: 'office', id: manila, currency, amount, reason: `${amount}` },
      })
    ).body.proposalId,
  ).toBeNull()
const contentOf = async (number: string, who = bob): Promise<StatementContent> => {
  const { items } = (await call(who, statementsEndpoints.statements)).body
  const { id, due, withheld } = items.find((one: { number: string }) => one.number === number)
  const { content } = (await call(who, statementsEndpoints.statement, { params: { id } })).body
  expect(due).toBe(content.due)
  expect(withheld).toBe(content.tax?.withheld ?? 0)
  return content
}
const linesOf = (content: StatementContent) =>
  statementSums(content).map(({ label, amount }) => `${label}: ${amount}`)
const entries = async () =>
  (
    await call(bob, balancesEndpoints.balance, { params: { kind: 'office', id: manila } })
  ).body.entries.map((one: { kind: string; amount: number; balance: number }) => [
    one.kind,
    one.amount,
    one.balance,
  ])
const findings = async () => (await verifyPay(db)).findings

test('tax is withheld from what a statement says was earned; sum, journal, export and year stay apart from it', async () => {
  await withhold()
  await sell('2026-02-03', 2)
  await adjust(100_00)
  await world.close('2026-02-A', '2026-02-16')
  const content = await contentOf('2026-02-A-0001')
  expect(content.tax).toEqual({
    detailsId: expect.any(Number),
    code: 'WI515',
    rateBp: 1000,
    quarter: '2026-Q1',
    base: 700_00,
    before: 0,
    withheld: 70_00,
  })
  expect(linesOf(content)).toEqual([
    'Sum of 2026-02-A: 70000',
    'Tax withheld 10 % of ₱700.00 (WI515): -7000',
    'Balance before: 0',
    'To pay: 63000',
  ])
  expect(await entries()).toEqual([
    ['tax', -70_00, 630_00],
    ['statement', 700_00, 700_00],
  ])
  const { body } = await call(bob, booksEndpoints.journal, { query: { month: '2026-02' } })
  expect(
    body.lines.map((one: { account: string; debit: number; credit: number; text: string }) => [
      one.account,
      one.debit,
      one.credit,
      one.text,
    ]),
  ).toEqual([
    ['commissions', 700_00, 0, 'Statement 2026-02-A-0001'],
    ['payable', 0, 700_00, 'Statement 2026-02-A-0001'],
    ['payable', 70_00, 0, 'Tax withheld by statement 2026-02-A-0001'],
    ['withheld', 0, 70_00, 'Tax withheld by statement 2026-02-A-0001'],
  ])
  const year = await call(bob, booksEndpoints.payeeYears, {
    query: { start: '2026-01-01', end: '2026-12-31' },
  })
  expect(year.body).toMatchObject([{ earned: 700_00, tax: 70_00, paid: 0, carried: 630_00 }])
  expect((await exportPeriod(db, '2026-02-A')).filter(({ entry }) => entry === 'tax')).toEqual([
    {
      entry: 'tax',
      statement: '2026-02-A-0001',
      payee_kind: 'office',
      payee_id: manila,
      payee: 'Manila',
      day: '2026-02-15',
      currency: 'PHP',
      amount: -70_00,
      text: '10 %, WI515, 2026-Q1',
    },
  ])
  expect(
    (await exportPeriod(db, '2026-02-A')).filter(({ entry }) => entry === 'total'),
  ).toMatchObject([{ amount: 700_00 }])
  expect(await findings()).toEqual([])
})

test('what is carried in and what is late: only the latter is taxed', async () => {
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  await enterDetails({ fromDay: '2026-02-16' })
  await setRate({ fromDay: '2026-02-16' })
  await sell('2026-02-17')
  // A sale of the closed period.
  await sell('2026-02-04')
  await world.close('2026-02-B', '2026-03-01')
  const content = await contentOf('2026-02-B-0001')
  expect(content).toMatchObject({ carried: 300_00, amount: 600_00, due: 840_00 })
  expect(content.tax).toMatchObject({ base: 600_00, withheld: 60_00 })
  expect((await contentOf('2026-02-A-0001')).tax).toBeUndefined()
  expect(await findings()).toEqual([])
})

test('of a negative sum, at most what the quarter withheld before is given back', async () => {
  await withhold()
  await sell('2026-02-03', 2)
  await world.close('2026-02-A', '2026-02-16')
  await adjust(-200_00)
  await world.close('2026-02-B', '2026-03-01')
  expect(linesOf(await contentOf('2026-02-B-0001'))).toEqual([
    'Sum of 2026-02-B: -20000',
    'Tax given back 10 % of -₱200.00 (WI515): 2000',
    'Balance before: 54000',
    'To pay: 36000',
  ])
  await adjust(-1_000_00)
  await world.close('2026-03-A', '2026-03-16')
  const content = await contentOf('2026-03-A-0001')
  // 10 % of ₱1,000.00 would be ₱100.00; ₱60.00 − ₱20.00 are left.
  expect(content.tax).toMatchObject({ base: -1_000_00, before: 40_00, withheld: -40_00 })
  expect(linesOf(content)).toContain(
    'Tax given back 10 % of -₱1,000.00 (WI515, only ₱40.00 was withheld in 2026-Q1): 4000',
  )
  // Nothing is left of the quarter, and what is earned afterwards is taxed as ever.
  await adjust(-10_00)
  await world.close('2026-03-B', '2026-04-01')
  expect((await contentOf('2026-03-B-0001')).tax).toMatchObject({ before: 0, withheld: 0 })
  expect(await findings()).toEqual([])
})

test('a new quarter gives back nothing that an earlier one withheld', async () => {
  await withhold()
  await sell('2026-02-03', 2)
  for (const [name, day] of [
    ['2026-02-A', '2026-02-16'],
    ['2026-02-B', '2026-03-01'],
    ['2026-03-A', '2026-03-16'],
    ['2026-03-B', '2026-04-01'],
  ] as const)
    await world.close(name, day)
  await adjust(-200_00)
  await world.close('2026-04-A', '2026-04-16')
  expect((await contentOf('2026-04-A-0001')).tax).toMatchObject({
    quarter: '2026-Q2',
    before: 0,
    withheld: 0,
  })
  expect(await findings()).toEqual([])
})

test('of a week in two quarters, its last day says which; a negative one gives back nothing of the old quarter', async () => {
  await build({ periodLength: 'week', firstDay: '2026-03-23' })
  await enterDetails({ fromDay: '2026-03-23' })
  await setRate({ fromDay: '2026-03-23' })
  await sell('2026-03-24', 2)
  await world.close('2026-W13', '2026-03-30')
  await sell('2026-03-31')
  await world.close('2026-W14', '2026-04-06')
  expect((await contentOf('2026-W13-0001')).tax).toMatchObject({ quarter: '2026-Q1', before: 0 })
  expect((await contentOf('2026-W14-0001')).tax).toMatchObject({
    quarter: '2026-Q2',
    before: 0,
    withheld: 30_00,
  })
  await adjust(-900_00)
  await world.close('2026-W15', '2026-04-13')
  expect((await contentOf('2026-W15-0001')).tax).toMatchObject({ before: 30_00, withheld: -30_00 })
  expect(await findings()).toEqual([])
})

test('a rate that changes within a period: the one of its last day taxes all of it', async () => {
  await withhold()
  await setRate({ fromDay: '2026-02-15', rateBp: 500, code: 'WI516' })
  await setRate({ fromDay: '2026-02-16', rateBp: 1250 })
  await sell('2026-02-03', 2)
  await world.close('2026-02-A', '2026-02-16')
  await sell('2026-02-17')
  await world.close('2026-02-B', '2026-03-01')
  expect((await contentOf('2026-02-A-0001')).tax).toMatchObject({ rateBp: 500, withheld: 30_00 })
  expect((await contentOf('2026-02-B-0001')).tax).toMatchObject({
    rateBp: 1250,
    before: 30_00,
    withheld: 37_50,
  })
  expect(await findings()).toEqual([])
})

test('a corrected rate of the same day counts, and one of 0 ends withholding', async () => {
  await withhold()
  await setRate({ rateBp: 500 })
  await setRate({ fromDay: '2026-02-16', rateBp: 0, code: null })
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  await adjust(-100_00)
  await world.close('2026-02-B', '2026-03-01')
  expect((await contentOf('2026-02-A-0001')).tax).toMatchObject({ withheld: 15_00 })
  expect((await contentOf('2026-02-B-0001')).tax).toBeUndefined()
  expect(await findings()).toEqual([])
})

test('an instalment of an advance takes no more than what is left after tax', async () => {
  await withhold()
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  const { body } = await call(ann, balancesEndpoints.payOutside, {
    body: {
      kind: 'office',
      id: manila,
      currency: 'PHP',
      amount: 1_270_00,
      way: 'cash',
      paidOn: '2026-02-16',
      voucher: '118',
      reason: 'School fees',
      instalments: 1,
    },
  })
  expect((await approve(body.proposalId)).status).toBe(200)
  await sell('2026-02-17', 2)
  await world.close('2026-02-B', '2026-03-01')
  const content = await contentOf('2026-02-B-0001')
  expect(content).toMatchObject({
    amount: 600_00,
    due: 0,
    advances: [{ amount: 540_00, owed: 460_00 }],
  })
  expect(await entries()).toMatchObject([
    ['tax', -60_00, 0],
    ['instalment', -540_00, 60_00],
    ['statement', 600_00, 600_00],
    ['outside', -1_270_00, 0],
    ['advance', 1_000_00, 1_270_00],
    ['tax', -30_00, 270_00],
    ['statement', 300_00, 300_00],
  ])
  expect(await findings()).toEqual([])
})

test('a payee in dollars is taxed in dollars, apart from what was withheld in pesos', async () => {
  await withhold()
  await sell('2026-02-03', 2)
  await world.close('2026-02-A', '2026-02-16')
  await world.payIn('USD', manila)
  await call(ann, payEndpoints.savePayExchangeRate, {
    params: { name: '2026-02-B' },
    body: { pesosE4: 571_234, source: 'BSP' },
  })
  await sell('2026-02-17', 2)
  await world.close('2026-02-B', '2026-03-01')
  // ₱600.00 ÷ 57.1234 = $10.50; 10 % of it is $1.05.
  expect(await contentOf('2026-02-B-0001')).toMatchObject({
    currency: 'USD',
    amount: 10_50,
    tax: { base: 10_50, before: 0, withheld: 1_05 },
    due: 9_45,
  })
  const listed = async (query: Record<string, string>) =>
    (await call(bob, statementsEndpoints.statements, { query })).body
  expect(await listed({})).toMatchObject({
    items: [{ withheld: 1_05 }, { withheld: 60_00 }],
    centavos: 600_00,
    cents: 10_50,
    withheld: { centavos: 60_00, cents: 1_05 },
  })
  expect(await listed({ period: '2026-02-B' })).toMatchObject({
    withheld: { centavos: 0, cents: 1_05 },
  })
})

test('the preview, Home and the estimate of a payee say what is left after tax', async () => {
  await withhold()
  services.clock.set('2026-02-20T15:00:00Z')
  await sell('2026-02-03', 2)
  await sell('2026-02-17')
  const { body } = await call(bob, payEndpoints.payPreview, { params: { name: '2026-02-A' } })
  expect(body).toMatchObject([{ amount: 600_00, due: 540_00 }])
  const scope = { sees: 'office', officeId: manila } as never
  const own = await findOwnPay(db, { scope, today: '2026-02-20', now: services.clock.now() })
  expect(own?.next).toMatchObject({ step: 'earning', amount: 540_00, withheld: 60_00 })
  const office = viewer({ role: 'company', officeId: manila, agentId: undefined })
  // Of the period after the open one: what that would leave is carried.
  const [estimate] = await estimatesFor(services, office, '2026-02-B')
  expect(estimate?.content).toMatchObject({
    carried: 540_00,
    amount: 300_00,
    tax: { before: 60_00, withheld: 30_00 },
    due: 810_00,
  })
})

test('an agent of an office that is paid sees no tax, and a deleted agent loses what is left after it', async () => {
  await build({ payees: 'agents' })
  const { maria } = world.agents
  await enterDetails({ kind: 'agent', id: maria })
  await setRate({ kind: 'agent', id: maria })
  await sell('2026-02-03')
  const unpaid = await unpaidOf(maria)
  expect(unpaid).toMatchObject([{ kind: 'agent', id: maria, amount: 270_00 }])
  await world.close('2026-02-A', '2026-02-16')
  const after = await unpaidOf(maria)
  expect(after).toMatchObject([{ kind: 'agent', id: maria, amount: 270_00 }])

  await build()
  await withhold()
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  const agent = viewer({ role: 'agent', officeId: manila, agentId: world.agents.maria })
  const content = await contentOf('2026-02-A-0001', agent)
  expect(content).toMatchObject({ amount: 300_00, due: 300_00 })
  expect(content).not.toHaveProperty('tax')
  const { body } = await call(agent, statementsEndpoints.statements)
  expect(body).toMatchObject({ items: [{ withheld: 0 }], centavos: 300_00, withheld: null })
})

const unpaidOf = (agentId: number) => inTransaction(db, (tx) => findUnpaid(tx, agentId))

test('what a deleted agent loses is less what closing would withhold of their office’s whole sum', async () => {
  await withhold()
  const { maria } = world.agents
  await sell('2026-02-03')
  expect(await unpaidOf(maria)).toMatchObject([{ kind: 'office', id: manila, amount: 270_00 }])
  // −₱100.00 with the sale, −₱400.00 without: neither is taxed, and nothing can be given back.
  await adjust(-400_00)
  expect(await unpaidOf(maria)).toMatchObject([{ kind: 'office', id: manila, amount: 300_00 }])
  // The next period would earn ₱600.00, of the same quarter: its tax is the same with the sale and without.
  await sell('2026-02-17', 2)
  expect(await unpaidOf(maria)).toMatchObject([
    { kind: 'office', id: manila, amount: 300_00 + 540_00 },
  ])
  services.clock.set('2026-02-20T15:00:00Z')
  expect(
    (await call(bob, payEndpoints.payPreview, { params: { name: '2026-02-A' } })).body,
  ).toMatchObject([{ amount: -100_00, due: -100_00 }])
})

test('of a negative sum, a deleted agent is given back what their quarter withheld, and no more', async () => {
  await build({ payees: 'agents' })
  const { maria } = world.agents
  await enterDetails({ kind: 'agent', id: maria })
  await setRate({ kind: 'agent', id: maria })
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  await call(ann, balancesEndpoints.createAdjustment, {
    body: { kind: 'agent', id: maria, currency: 'PHP', amount: -1_000_00, reason: 'Chargebacks' },
  })
  // ₱270.00 are owed, and of −₱1,000.00 only ₱30.00 are given back.
  expect(await unpaidOf(maria)).toMatchObject([{ amount: -970_00 }, { amount: 270_00 }])
})

test('a rate acts once a second person has approved it, unless its day is closed by then', async () => {
  await enterDetails()
  const first = (await propose()).body.proposalId
  const { proposalId } = (await propose({ fromDay: '2026-02-16', rateBp: 500 })).body
  expect((await approve(first)).status).toBe(200)
  // It did not follow that one.
  expect((await approve(proposalId)).body.message).toMatch(
    /Another rate of this payee was approved/,
  )
  const second = (await propose({ rateBp: 500 })).body.proposalId
  const { body: checks } = await call(bob, payEndpoints.payChecks, {
    params: { name: '2026-02-A' },
  })
  expect(checks.waiting).toMatchObject([{ kind: 'tax rate', rateBp: 500, by: 'ann' }])
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  expect((await contentOf('2026-02-A-0001')).tax).toMatchObject({ rateBp: 1000 })
  expect((await approve(second)).body.message).toMatch(/^The days before 2026-02-16 are closed/)
  const { body } = await call(bob, taxDetailsEndpoints.taxDetails, {
    params: { kind: 'office', id: String(manila) },
  })
  expect(body.rates).toMatchObject([
    { fromDay: '2026-02-01', rateBp: 1000, code: 'WI515', setBy: 'ann', approvedBy: 'bob' },
  ])
  expect(body.waitingRates).toMatchObject([{ rateBp: 500 }, { rateBp: 500 }])
})

test('a payee reads the rate, and neither who entered it nor what waits', async () => {
  await withhold()
  const office = viewer({ role: 'company', officeId: manila, agentId: undefined })
  const { body } = await call(office, taxDetailsEndpoints.taxDetails, {
    params: { kind: 'office', id: String(manila) },
  })
  expect(body.rates).toEqual([
    {
      id: expect.any(Number),
      fromDay: '2026-02-01',
      rateBp: 1000,
      code: 'WI515',
      setAt: expect.any(String),
    },
  ])
  expect(body).not.toHaveProperty('waitingRates')
})

test.each<[string, object, RegExp]>([
  ['of 50.01 %', { rateBp: 5001 }, /from 0 to 50/],
  ['of a half hundredth', { rateBp: 0.5 }, /from 0 to 50/],
  ['without a code', { code: null }, /Enter the code/],
  ['of nothing with a code', { rateBp: 0 }, /only for a rate above 0/],
  ['with a code that no tax office has', { code: 'wi 515' }, /capital letters/],
  ['of nothing, where nothing was', { rateBp: 0, code: null }, /the rate already/],
  ['from a closed day on', { fromDay: '2026-01-31' }, /2026-02-01 or later/],
  ['from more than a year on', { fromDay: '2028-01-01' }, /within a year/],
  ['before tax details are in force', { fromDay: '2026-02-04' }, /tax details are in force/],
])('refused: a rate %s', async (_, own, told) => {
  await enterDetails({ fromDay: '2026-02-05' })
  const answer = await propose({ fromDay: '2026-02-05', ...own })
  expect(answer.status).toBe(422)
  expect(JSON.stringify(answer.body)).toMatch(told)
})

test.each([
  [`update balance_entries set amount = amount + 1 where kind = 'tax'`, /withheld another tax/],
  [`delete from balance_entries where kind = 'tax'`, /withheld another tax/],
  [`update balance_entries set made_by = made_by + 1 where kind = 'tax'`, /tax entry \d+ differs/],
  [`update pay_proposals set tax_bp = 500 where kind = 'tax rate'`, /differs from what was booked/],
  [
    `update pay_proposals set tax_code = 'X1' where kind = 'tax rate'`,
    /differs from what was booked/,
  ],
  [`update pay_proposals set from_day = '2026-02-16' where kind = 'tax rate'`, /differs from what/],
  [
    `update pay_proposals set replaces = 1 where kind = 'tax rate'`,
    /does not follow the last rate/,
  ],
  [`update payee_tax_details set from_day = '2026-02-16'`, /differs from what was booked/],
])('the owner’s %s is named', async (change, finding) => {
  await withhold()
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  expect(await findings()).toEqual([])
  await execute(connection, change)
  expect((await findings()).join('\n')).toMatch(finding)
})

test('a statement with another number is named alone: what it withheld counts for the next of its quarter', async () => {
  await withhold()
  await sell('2026-02-03', 2)
  await world.close('2026-02-A', '2026-02-16')
  await adjust(-200_00)
  await world.close('2026-02-B', '2026-03-01')
  await execute(
    connection,
    `update statements set document_serial = 9 where number = '2026-02-A-0001'`,
  )
  const named = (await findings()).filter((finding) => finding.startsWith('Statement 2026'))
  expect(named).toEqual([
    'Statement 2026-02-A-0001 has another document number than its payee’s next.',
  ])
})

test('a run pays what is left after tax, and its approver reads of a new rate', async () => {
  await withhold()
  await buildAccountInForce(db, manila)
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
  const { id } = (
    await call(ann, paymentRunsEndpoints.preparePaymentRun, {
      body: { period: null, currency: 'PHP', templateId: 1 },
    })
  ).body
  const { body } = await call(bob, paymentRunsEndpoints.paymentRun, { params: { id } })
  expect(body.lines).toMatchObject([{ amount: 270_00 }])
  const { news } = body.toApprove
  expect(news.filter(({ kind }: { kind: string }) => kind === 'tax rate')).toMatchObject([
    {
      title: 'Withholding tax from 2026-02-01: 10 % (WI515)',
      text: expect.stringMatching(/^Entered by ann, approved by bob on .*: BIR$/),
    },
  ])
})
