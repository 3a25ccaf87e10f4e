import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { taxDetailsEndpoints } from '@tallyroom/contract/pay/acts/tax-details'
import { statementSums } from '@tallyroom/contract/pay/statements/statement-sections'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { buildPerson } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { payAgents, sealWorld, verifyWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { saveTaxDetails } from '../acts/tax-details.ts'
import { payProposalsRoutes } from '../acts/pay-proposals.routes.ts'
import { getJournal } from '../books/journal.ts'
import { listPayeeYears } from '../books/payee-year.ts'
import { getTaxQuarter } from '../books/withholding.ts'
import { exportPeriod } from '../closing/export-period.ts'
import { payRoutes } from '../pay.routes.ts'
import { verifyPay } from '../verify/verify-pay.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([...payRoutes(services), ...payProposalsRoutes(services)])

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let bob: Viewer

/** Manila is owed ₱300.00 for February’s first half. */
beforeEach(async () => {
  await emptyTables(connection, [...PAY_TABLES, 'options'])
  world = await buildPayWorld(services, { avp: 'instead' })
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
  await db
    .insertInto('options')
    .values({ name: 'payout_visible', value: '1', changed_at: new Date(0) })
    .execute()
  await sealWorld(db)
  await sell('2026-02-03')
  await world.close('2026-02-A', '2026-02-16')
})

let sales = 0
/** ₱300.00 each. */
const sell = (day: string, count = 1) =>
  Promise.all(
    Array.from({ length: count }, () => world.sell(`s${++sales}`, 'maria', day, { plain: true })),
  )
const usual = (voucher: string, amount: number) => ({
  kind: 'office',
  id: world.offices.manila,
  currency: 'PHP',
  amount,
  way: 'cash',
  paidOn: '2026-02-16',
  voucher,
  reason: 'School fees',
})
const receive = (amount: number, own: object = {}, who = ann) =>
  call(who, balancesEndpoints.receiveMoney, {
    body: { ...usual('R-1', amount), reason: 'She leaves', ...own },
  })
const approve = (id: number, who = bob) =>
  call(who, payProposalsEndpoints.approvePayProposal, { params: { id } })
const received = async (amount: number, own: object = {}) => {
  const { body } = await receive(amount, own)
  expect(await approve(body.proposalId)).toMatchObject({ status: 200 })
}
/** What is paid above the balance is an advance. */
const advance = async (voucher: string, amount: number, instalments: number, own: object = {}) => {
  const { body } = await call(ann, balancesEndpoints.payOutside, {
    body: { ...usual(voucher, amount), instalments, ...own },
  })
  expect(await approve(body.proposalId)).toMatchObject({ status: 200 })
}
/** The second half of February earns this less than nothing: the balance is −₱500.00 after it. */
const fallBelow = async () => {
  await call(ann, balancesEndpoints.createAdjustment, {
    body: {
      kind: 'office',
      id: world.offices.manila,
      currency: 'PHP',
      amount: -800_00,
      reason: 'Fraud',
    },
  })
  await world.close('2026-02-B', '2026-03-01')
}
const balance = async (who: Viewer = bob, payee: object = {}) =>
  (
    await call(who, balancesEndpoints.balance, {
      params: { kind: 'office', id: world.offices.manila, ...payee },
    })
  ).body
const statement = async (number: string) => {
  const { items } = (await call(bob, statementsEndpoints.statements)).body
  const { id, due } = items.find((one: { number: string }) => one.number === number)
  const { content } = (await call(bob, statementsEndpoints.statement, { params: { id } })).body
  return { due, amount: content.amount, lines: statementSums(content).map(({ label }) => label) }
}
const booked = async (month: string) => {
  const { lines } = await getJournal(services, month)
  return lines
    .filter(({ text }) => text.includes('She leaves'))
    .map(({ day, account, debit, credit }) => [day, account, debit - credit])
}
const findings = async () => (await verifyPay(db)).findings

test('an advance given back in part stays in its instalments, of which the last ones end', async () => {
  await advance('118', 1_300_00, 4)
  const { status, body } = await receive(400_00)
  expect(status).toBe(200)
  expect((await balance()).waiting).toMatchObject([
    { id: body.proposalId, kind: 'money received', amount: 400_00, madeBy: 'ann' },
  ])
  expect((await balance()).advances).toMatchObject([{ taken: 0, givenBack: 0 }])
  expect(await approve(body.proposalId, ann)).toMatchObject({
    status: 403,
    body: { message: 'You entered it. Somebody else must approve it.' },
  })
  const [waiting] = (await call(bob, payProposalsEndpoints.payProposals)).body
  expect(waiting).toMatchObject({
    does: { kind: 'money received', amount: 400_00, way: 'cash', voucher: 'R-1' },
    outdated: null,
  })
  expect((await approve(body.proposalId)).status).toBe(200)

  const office = viewer({ role: 'company', officeId: world.offices.manila, agentId: undefined })
  for (const who of [bob, office]) {
    const { balances, entries, advances } = await balance(who)
    expect(balances).toMatchObject([{ balance: 0 }])
    expect(entries.slice(0, 2)).toMatchObject([
      { kind: 'given back', amount: -400_00, balance: 0, outside: { voucher: '118' } },
      {
        kind: 'received',
        amount: 400_00,
        balance: 400_00,
        reason: 'She leaves',
        outside: { way: 'cash', paidOn: '2026-02-16', voucher: 'R-1' },
      },
    ])
    expect(advances).toMatchObject([{ amount: 1_000_00, taken: 0, givenBack: 400_00 }])
  }
  expect(await booked('2026-02')).toEqual([
    ['2026-02-16', 'outside', 400_00],
    ['2026-02-16', 'payable', -400_00],
    ['2026-02-16', 'payable', 400_00],
    ['2026-02-16', 'advances', -400_00],
  ])
  expect((await verifyWorld(db)).findings).toEqual([])

  // ₱250.00 each, as agreed, and ₱100.00 in place of the third. There is no fourth.
  for (const [period, day, close, line] of [
    [
      '2026-02-B',
      '2026-02-17',
      '2026-03-01',
      '1 of 4 of the advance of 16 Feb, voucher 118 (₱350.00',
    ],
    [
      '2026-03-A',
      '2026-03-03',
      '2026-03-16',
      '2 of 4 of the advance of 16 Feb, voucher 118 (₱100.00',
    ],
    [
      '2026-03-B',
      '2026-03-17',
      '2026-04-01',
      '3 of 4 of the advance of 16 Feb, voucher 118 (paid back',
    ],
  ] as const) {
    await sell(day, 2)
    await world.close(period, close)
    const { amount, lines } = await statement(`${period}-0001`)
    expect(amount).toBe(600_00)
    expect(lines.some((one) => one.includes(line))).toBe(true)
  }
  await sell('2026-04-03')
  await world.close('2026-04-A', '2026-04-16')
  expect((await statement('2026-04-A-0001')).lines).toHaveLength(3)
  expect((await balance()).balances).toMatchObject([{ balance: 3 * 600_00 + 300_00 - 600_00 }])
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('given back whole, it is taken back by no statement; a bank transfer is booked to the bank', async () => {
  await advance('118', 1_300_00, 2)
  await received(1_000_00, { way: 'transfer' })
  expect((await balance()).advances).toMatchObject([{ givenBack: 1_000_00 }])
  expect(await booked('2026-02')).toContainEqual(['2026-02-16', 'bank', 1_000_00])
  await sell('2026-02-17')
  await world.close('2026-02-B', '2026-03-01')
  const { lines, due } = await statement('2026-02-B-0001')
  expect([lines.length, due]).toEqual([3, 300_00])
  expect(await receive(1, { voucher: 'R-2' })).toMatchObject({ status: 422 })
  expect(await findings()).toEqual([])
})

test('it ends the oldest advances first and raises a negative balance by the rest, is no income, and the next statement carries it', async () => {
  await saveTaxDetails(
    services,
    ann,
    { kind: 'office', id: world.offices.manila },
    {
      fromDay: '2026-02-16',
      registeredName: 'Manila Leads Inc.',
      country: 'PH',
      taxNumber: '123-456-789-000',
      address: 'Makati',
    },
  )
  const { body: rate } = await call(ann, taxDetailsEndpoints.proposeTaxRate, {
    body: {
      kind: 'office',
      id: world.offices.manila,
      fromDay: '2026-02-16',
      rateBp: 1000,
      code: 'WI515',
      reason: 'The law',
    },
  })
  await approve(rate.proposalId)
  await advance('118', 500_00, 4)
  await advance('119', 300_00, 1)
  await fallBelow()
  // 300.00 were paid, so what the clawback took is owed: 800.00, beside 200.00 and 300.00.
  expect((await balance()).balances).toMatchObject([{ balance: -800_00 }])
  const taxes = await getTaxQuarter(services, '2026-Q1')
  await received(600_00, { paidOn: '2026-03-01' })
  expect(await balance()).toMatchObject({
    balances: [{ balance: -700_00, state: 'negative' }],
    advances: [
      { amount: 300_00, givenBack: 300_00 },
      { amount: 200_00, givenBack: 200_00 },
    ],
  })
  expect(await findings()).toEqual([])
  await received(700_00, { voucher: 'R-2', paidOn: '2026-03-01' })
  expect((await balance()).balances).toMatchObject([{ balance: 0, state: 'nothing' }])
  expect(await getTaxQuarter(services, '2026-Q1')).toEqual(taxes)
  expect(await booked('2026-03')).toEqual([
    ['2026-03-01', 'outside', 600_00],
    ['2026-03-01', 'payable', -600_00],
    ['2026-03-01', 'payable', 200_00],
    ['2026-03-01', 'advances', -200_00],
    ['2026-03-01', 'payable', 300_00],
    ['2026-03-01', 'advances', -300_00],
    ['2026-03-01', 'outside', 700_00],
    ['2026-03-01', 'payable', -700_00],
  ])
  const march = { start: '2026-03-01', end: '2026-03-31' }
  expect(await listPayeeYears(services, march)).toMatchObject([
    { before: -800_00, earned: 0, tax: 0, paid: 500_00, received: 1_300_00, carried: 0 },
  ])

  await sell('2026-03-03')
  await world.close('2026-03-A', '2026-03-16')
  expect(await statement('2026-03-A-0001')).toMatchObject({ amount: 300_00, due: 270_00 })
  const rows = await exportPeriod(db, '2026-03-A')
  expect(
    rows
      .filter(({ entry }) => entry === 'received' || entry === 'given back')
      .map(({ entry, amount, reference, money_day }) => [entry, amount, reference, money_day]),
  ).toEqual([
    ['received', 600_00, 'R-1', '2026-03-01'],
    ['given back', -200_00, 'R-1', '2026-03-01'],
    ['given back', -300_00, 'R-1', '2026-03-01'],
    ['received', 700_00, 'R-2', '2026-03-01'],
  ])
  expect((await verifyWorld(db)).findings).toEqual([])
})

const states = async () =>
  Object.fromEntries(
    (await call(bob, statementsEndpoints.statements)).body.items.map(
      ({ number, state, carriedInto }: { number: string; state: string; carriedInto: string }) => [
        number,
        carriedInto ?? state,
      ],
    ),
  )

test('what is paid back to the last centavo settles the statement below zero, and no later one carries it', async () => {
  await fallBelow()
  // ₱300.00 of the first statement are in the second, which is owed.
  expect((await balance()).balances).toMatchObject([{ balance: -500_00 }])
  expect(await states()).toEqual({ '2026-02-A-0001': '2026-02-B', '2026-02-B-0001': 'carried' })
  await received(200_00, { paidOn: '2026-03-01' })
  expect(await states()).toMatchObject({ '2026-02-B-0001': 'carried' })
  await received(300_00, { voucher: 'R-2', paidOn: '2026-03-01' })
  const settled = { '2026-02-A-0001': '2026-02-B', '2026-02-B-0001': 'paid-back' }
  expect(await states()).toEqual(settled)
  expect((await verifyWorld(db)).findings).toEqual([])

  await sell('2026-03-03')
  await world.close('2026-03-A', '2026-03-16')
  expect(await states()).toEqual({ ...settled, '2026-03-A-0001': 'due' })
  expect(await statement('2026-03-A-0001')).toMatchObject({ amount: 300_00, due: 300_00 })
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('with an advance beside it, what is left after the advance settles the statement', async () => {
  await advance('118', 500_00, 4)
  await fallBelow()
  // ₱300.00 were paid, so that ₱800.00 are owed, beside ₱200.00 of the advance.
  await received(900_00, { paidOn: '2026-03-01' })
  expect(await states()).toMatchObject({ '2026-02-B-0001': 'carried' })
  await received(100_00, { voucher: 'R-2', paidOn: '2026-03-01' })
  expect((await balance()).balances).toMatchObject([{ balance: 0 }])
  expect(await states()).toMatchObject({
    '2026-02-A-0001': 'paid',
    '2026-02-B-0001': 'paid-back',
  })
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('what a later statement has carried as owed, before it was a settlement, stays so', async () => {
  await fallBelow()
  await received(500_00, { paidOn: '2026-03-01' })
  const [entry] = await db
    .selectFrom('balance_entries')
    .select('id')
    .where('kind', '=', 'received')
    .execute()
  const [second] = await db
    .selectFrom('statements')
    .select('id')
    .where('number', '=', '2026-02-B-0001')
    .execute()
  await sell('2026-03-03')
  const of = `payee_kind, payee_id, currency`
  // As the closing of an earlier version carried both.
  await world.close('2026-03-A', '2026-03-16')
  await execute(connection, `delete from settlements where kind = 'received'`)
  await execute(
    connection,
    `insert into settlements (${of}, statement_id, entry_id, kind, into_statement_id, amount, closes, made_at)
     select ${of}, one.statement_id, one.entry_id, 'carried', id, one.amount, true, timestamptz '2026-03-16 15:00Z'
     from statements
     cross join (values (${second!.id}::bigint, null::bigint, -50000), (null, ${entry!.id}, 50000)) as one (statement_id, entry_id, amount)
     where number = '2026-03-A-0001'`,
  )
  expect(await states()).toMatchObject({ '2026-02-B-0001': '2026-03-A', '2026-03-A-0001': 'due' })
})

test.each<[string, number, object, number, RegExp]>([
  ['a centavo more than is owed', 1_000_01, {}, 422, /is more than the ₱1,000.00 that they owe/],
  ['nothing', 0, {}, 422, /must be more than zero/],
  [
    'in another currency than they owe',
    1,
    { currency: 'USD' },
    422,
    /"currency":\["is not the one in which they owe: that is ₱1,000.00"\]/,
  ],
  ['on a day that has not begun', 1, { paidOn: '2026-02-17' }, 422, /must not be after 2026-02-16/],
  ['more than a year ago', 1, { paidOn: '2025-02-14' }, 422, /must be within the last year/],
  [
    'before the advance was paid',
    1,
    { paidOn: '2026-02-14' },
    422,
    /must not be before 15 Feb, when the advance that it ends was paid/,
  ],
  ['without a voucher', 1, { voucher: ' ' }, 422, /voucher/],
  ['by cheque', 1, { way: 'cheque' }, 422, /way/],
  ['from nobody', 1, { id: 9_999_998 }, 404, /office/i],
])('refused: money %s', async (_, amount, own, status, told) => {
  await advance('118', 1_300_00, 4, { paidOn: '2026-02-15' })
  const answer = await receive(amount, own)
  expect(answer.status).toBe(status)
  expect(JSON.stringify(answer.body)).toMatch(told)
  expect((await call(bob, payProposalsEndpoints.payProposals)).body).toEqual([])
})

test('who owes nothing pays nothing back, and nobody enters it who signed in as another person', async () => {
  expect(JSON.stringify((await receive(1)).body)).toContain('is not owed: they owe nothing')
  expect((await receive(1, {}, { ...ann, signedInBy: 1 })).status).toBe(403)
})

test('a voucher is entered once, and what is owed meanwhile decides', async () => {
  await advance('118', 1_300_00, 2)
  const { proposalId } = (await receive(600_00)).body
  expect(await receive(1, {}, bob)).toMatchObject({
    status: 409,
    body: { message: 'ann has already entered money from them with the voucher R-1.' },
  })
  await sell('2026-02-17', 2)
  await world.close('2026-02-B', '2026-03-01')
  const why =
    '₱600.00 is more than the ₱500.00 that they owe now. Enter what they owe, and what is above it as an adjustment that is not income.'
  expect((await call(bob, payProposalsEndpoints.payProposals)).body).toMatchObject([
    { outdated: why },
  ])
  expect(await approve(proposalId)).toMatchObject({
    status: 409,
    body: { message: `${why} It can’t be approved any more.` },
  })
})

test('the payee is told once a second person has approved it', async () => {
  await advance('118', 1_300_00, 2)
  await received(100_00)
  const facts = await db
    .selectFrom('facts')
    .select('subject')
    .where('kind', '=', 'money.received')
    .where('office_id', '=', world.offices.manila)
    .execute()
  expect(facts).toEqual([
    {
      subject: {
        payee: { kind: 'office', id: world.offices.manila, name: 'Manila' },
        amount: 100_00,
        currency: 'PHP',
        way: 'cash',
        paidOn: '2026-02-16',
        voucher: 'R-1',
      },
    },
  ])
})

test('an agent who was deleted can still pay back', async () => {
  await payAgents(db, connection)
  const agent = { kind: 'agent', id: world.agents.maria }
  await advance('118', 1_000_00, 4, agent)
  await execute(connection, `delete from sale_events where agent_id = ${agent.id}`)
  await execute(connection, `delete from accounts where agent_id = ${agent.id}`)
  await execute(connection, `delete from agents where id = ${agent.id}`)
  await received(400_00, agent)
  await received(600_00, { ...agent, voucher: 'R-2' })
  expect(await balance(bob, agent)).toMatchObject({
    balances: [{ balance: 0 }],
    advances: [{ givenBack: 1_000_00, ended: 'deleted' }],
  })
})

test.each([
  ["update balance_entries set amount = amount + 1 where kind = 'received'", /more than was owed/],
  ["update balance_entries set amount = amount + 1 where kind = 'given back'", /differs from it/],
  [`delete from balance_entries where kind = 'received'`, /lacks its entry/],
  [`delete from balance_entries where kind = 'given back'`, /lacks its entry/],
  ['update balance_entries set advance_id = 1000000 where advance_id is not null', /lacks its/],
  ["update pay_proposals set amount = amount + 1 where kind = 'money received'", /differs from it/],
])('the owner’s %s is named', async (change, finding) => {
  await advance('118', 1_300_00, 2)
  await received(400_00)
  expect(await findings()).toEqual([])
  await execute(connection, change)
  expect((await findings()).join('\n')).toMatch(finding)
})
