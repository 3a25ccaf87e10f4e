import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { buildAccountInForce, buildPerson } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { payAgents, sealWorld, verifyWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { inTransaction } from '../../db/transaction.ts'
import { deleteAgentRows } from '../../desk/erase/delete-agent.queries.ts'
import { eraseRoutes } from '../../desk/erase/erase.routes.ts'
import { payProposalsRoutes } from '../acts/pay-proposals.routes.ts'
import { getJournal } from '../books/journal.ts'
import { listPayeeYears } from '../books/payee-year.ts'
import { exportPeriod } from '../closing/export-period.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'
import { beginSeals } from '../../seals/index.ts'
import { payRoutes } from '../pay.routes.ts'
import { verifyPay } from '../verify/verify-pay.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([
  ...payRoutes(services),
  ...payProposalsRoutes(services),
  ...paymentRunsRoutes(services),
  ...eraseRoutes(services),
])

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let bob: Viewer
let deleter: Viewer
let maria: { kind: 'agent'; id: number }

/** Maria is owed ₱300.00 for February’s first half. */
beforeEach(async () => {
  await emptyTables(connection, PAY_TABLES)
  world = await buildPayWorld(services, { avp: 'instead' })
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
  deleter = { ...viewer(undefined, ['DELETE_AGENTS']), accountId: bob.accountId, username: 'bob' }
  maria = { kind: 'agent', id: world.agents.maria }
  await payAgents(db, connection)
  await world.sell('a', 'maria', '2026-02-03', { plain: true })
  await world.close('2026-02-A', '2026-02-16')
  await giveUpFromNow()
  await sealWorld(db)
})

/** Deletions give up since the seals of that began. */
async function giveUpFromNow() {
  await emptyTables(connection, ['pay_seals'])
  await beginSeals(services)
}

const remove = (query: Record<string, string> = {}) =>
  call(deleter, agentsEndpoints.deleteAgent, { params: { id: maria.id }, query })
const approve = async ({ body }: { body: { proposalId: number } }) =>
  expect(
    await call(bob, payProposalsEndpoints.approvePayProposal, { params: { id: body.proposalId } }),
  ).toMatchObject({ status: 200 })
const voucher = (amount: number, own: object) => ({
  body: {
    ...maria,
    currency: 'PHP',
    amount,
    way: 'cash',
    paidOn: '2026-02-16',
    voucher: '118',
    reason: 'School fees',
    ...own,
  },
})
/** What is paid above the balance is an advance. */
const pay = async (amount: number, own: object = {}) =>
  approve(await call(ann, balancesEndpoints.payOutside, voucher(amount, own)))
const receive = (amount: number, own: object = {}) =>
  call(ann, balancesEndpoints.receiveMoney, voucher(amount, { voucher: 'R-1', ...own }))
const adjust = (amount: number, more: object = {}) =>
  call(ann, balancesEndpoints.createAdjustment, {
    body: { ...maria, currency: 'PHP', amount, reason: 'Fraud', ...more },
  })
const balance = async () => (await call(bob, balancesEndpoints.balance, { params: maria })).body
const states = async () =>
  (await call(bob, statementsEndpoints.statements)).body.items.map(
    ({ number, state }: { number: string; state: string }) => `${number} ${state}`,
  )
const booked = async (month: string) =>
  (await getJournal(services, month)).lines
    .filter(({ text }) => /deleted payee|given up/.test(text))
    .map(({ day, account, debit, credit }) => [day, account, debit - credit])
const findings = async () => (await verifyPay(db)).findings

/** An advance of ₱500.00 and a debt of ₱200.00 become losses, in this order. */
const LOST = [
  ['2026-03-01', 'givenUp', 500_00],
  ['2026-03-01', 'payable', -500_00],
  ['2026-03-01', 'payable', 500_00],
  ['2026-03-01', 'advances', -500_00],
  ['2026-03-01', 'givenUp', 200_00],
  ['2026-03-01', 'payable', -200_00],
]

test('deleting an agent ends what is owed to them: in the balance, the journal, the year and the export', async () => {
  expect(await remove()).toMatchObject({
    body: { data: { unpaidCentavos: ['This agent has ₱300.00 of unpaid money.'] } },
  })
  expect(await remove({ unpaidCentavos: '30000' })).toMatchObject({ status: 200 })
  expect(await balance()).toMatchObject({
    balances: [{ balance: 0, state: 'nothing' }],
    givenUp: [],
    entries: [
      { kind: 'given up', amount: -300_00, balance: 0 },
      { kind: 'statement', amount: 300_00 },
    ],
  })
  expect(await states()).toEqual(['2026-02-A-0001 given-up'])
  expect(await booked('2026-02')).toEqual([
    ['2026-02-16', 'payable', 300_00],
    ['2026-02-16', 'givenUp', -300_00],
  ])
  const year = { start: '2026-01-01', end: '2026-12-31' }
  expect(await listPayeeYears(services, year)).toMatchObject([
    { earned: 300_00, paid: 0, givenUp: -300_00, carried: 0 },
  ])
  await world.sell('b', 'noel', '2026-02-17', { plain: true })
  await world.close('2026-02-B', '2026-03-01')
  const rows = await exportPeriod(db, '2026-02-B')
  expect(rows.filter(({ entry }) => entry === 'given up')).toMatchObject([
    { payee_id: maria.id, amount: -300_00, day: '2026-02-16' },
  ])
  // Nothing of it is paid any more, by nobody.
  expect(await call(ann, balancesEndpoints.payOutside, voucher(1, {}))).toMatchObject({
    status: 422,
  })
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('what they owe is given up as a loss, and what is received of it later takes that back', async () => {
  await pay(800_00, { instalments: 2 }) // ₱500.00 of it is an advance
  await adjust(-200_00)
  await world.close('2026-02-B', '2026-03-01')
  expect((await balance()).balances).toMatchObject([{ balance: -200_00 }])
  expect(await remove({ unpaidCentavos: '-20000', owedCentavos: '50000' })).toMatchObject({
    status: 200,
  })
  expect(await balance()).toMatchObject({
    balances: [{ balance: 0 }],
    advances: [{ amount: 500_00, taken: 0, givenBack: 0, givenUp: 500_00, ended: 'deleted' }],
    givenUp: [{ currency: 'PHP', amount: 700_00 }],
    entries: [
      { kind: 'given up', amount: 200_00, balance: 0 },
      { kind: 'advance given up', amount: -500_00, outside: { voucher: '118' } },
      { kind: 'given up', amount: 500_00, outside: { voucher: '118' } },
      { kind: 'statement', amount: -200_00 },
      {},
      {},
      {},
    ],
  })
  expect(await booked('2026-03')).toEqual(LOST)
  expect(await findings()).toEqual([])

  expect((await receive(700_01)).body.data.amount).toEqual([
    'is more than the ₱700.00 that they owe',
  ])
  await approve(await receive(300_00))
  await approve(await receive(400_00, { voucher: 'R-2' }))
  expect(await balance()).toMatchObject({ balances: [{ balance: 0 }], givenUp: [] })
  const year = { start: '2026-01-01', end: '2026-12-31' }
  expect(await listPayeeYears(services, year)).toMatchObject([
    { earned: 100_00, paid: 800_00, received: 700_00, givenUp: 0, carried: 0 },
  ])
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('a debt from after the deletion is paid back before what was given up', async () => {
  expect(await remove({ unpaidCentavos: '30000' })).toMatchObject({ status: 200 })
  await adjust(-100_00)
  await world.close('2026-02-B', '2026-03-01')
  expect(await balance()).toMatchObject({ balances: [{ balance: -100_00 }], givenUp: [] })
  expect((await receive(100_01)).status).toBe(422)
  await approve(await receive(100_00))
  expect((await balance()).balances).toMatchObject([{ balance: 0 }])
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('nobody is deleted while a run, or an adjustment, would change the balance later', async () => {
  await adjust(50_00)
  expect(await remove({ unpaidCentavos: '35000' })).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^₱50.00 of adjustments of this agent is on no/) },
  })
  await world.close('2026-02-B', '2026-03-01')
  await buildAccountInForce(db, maria.id, { kind: 'agent' })
  await sealWorld(db)
  const prepared = await call(ann, paymentRunsEndpoints.preparePaymentRun, {
    body: { period: null, currency: 'PHP', templateId: 1 },
  })
  expect(prepared).toMatchObject({ status: 200 })
  expect(await remove({ unpaidCentavos: '35000' })).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^₱350.00 of this agent is in a payment run/) },
  })
  const { id } = prepared.body
  await call(ann, paymentRunsEndpoints.cancelPaymentRun, {
    params: { id },
    body: { reason: 'She leaves' },
  })
  expect(await remove({ unpaidCentavos: '35000' })).toMatchObject({ status: 200 })
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('adjustments that add up to nothing are open, unless one takes the other back', async () => {
  await adjust(100_00)
  await adjust(-100_00, { countsAs: 'not income' })
  expect(await remove({ unpaidCentavos: '30000' })).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^₱0.00 of adjustments of this agent is on no/) },
  })
  const { adjustments } = await balance()
  for (const { id } of adjustments)
    await call(ann, balancesEndpoints.takeBackAdjustment, {
      params: { id },
      body: { reason: 'She leaves' },
    })
  expect(await remove({ unpaidCentavos: '30000' })).toMatchObject({ status: 200 })
})

/** As versions did that gave nothing up. */
const removeAsBefore = () =>
  inTransaction(db, async (tx) => {
    const { id } = await tx
      .selectFrom('accounts')
      .select('id')
      .where('agent_id', '=', maria.id)
      .executeTakeFirstOrThrow()
    await deleteAgentRows(tx, { agentId: maria.id, accountId: id })
  })
const giveUp = (body: object, who = deleter, params: object = maria) =>
  call(who, balancesEndpoints.giveUpBalance, { params: { ...maria, ...params }, body })
const left = async () =>
  (await call(deleter, balancesEndpoints.balance, { params: maria })).body.toGiveUp

test('what is left of an agent who was deleted before deletions gave it up is given up later, once', async () => {
  await pay(800_00, { instalments: 2 })
  await adjust(-200_00)
  await world.close('2026-02-B', '2026-03-01')
  expect(await left()).toEqual([])
  expect((await giveUp({ unpaidCentavos: -200_00, owedCentavos: 500_00 })).status).toBe(409)
  await giveUpFromNow()
  await removeAsBefore()
  expect(await left()).toEqual([{ currency: 'PHP', balance: -200_00, owed: 500_00 }])
  expect((await balance()).toGiveUp).toBeUndefined()

  expect((await giveUp({}, bob)).status).toBe(403)
  expect((await giveUp({}, deleter, { id: 999_999 })).status).toBe(404)
  expect(await giveUp({ unpaidCentavos: -200_00, owedCents: 1 })).toMatchObject({
    status: 422,
    body: {
      data: {
        owedCentavos: ['is not the amount: it is ₱500.00'],
        owedCents: ['is not the amount: it is $0.00'],
      },
    },
  })
  expect(await giveUp({ unpaidCentavos: -200_00, owedCentavos: 500_00 })).toMatchObject({
    status: 200,
  })
  expect(await balance()).toMatchObject({
    balances: [{ balance: 0 }],
    advances: [{ givenUp: 500_00, ended: 'deleted' }],
    givenUp: [{ currency: 'PHP', amount: 700_00 }],
  })
  expect(await booked('2026-03')).toEqual(LOST)
  expect(await left()).toEqual([])
  expect((await giveUp({})).status).toBe(409)

  // What is owed after it is paid back, and not given up a second time.
  await adjust(-100_00)
  await world.close('2026-03-A', '2026-03-16')
  expect(await left()).toEqual([])
  expect((await giveUp({ unpaidCentavos: -100_00 })).status).toBe(409)
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('what comes back of somebody who was deleted with nothing left is not given up by one person alone', async () => {
  await pay(300_00)
  expect(await remove()).toMatchObject({ status: 200 })
  expect((await balance()).entries).toHaveLength(2)
  await adjust(100_00)
  await world.close('2026-02-B', '2026-03-01')
  expect((await balance()).balances).toMatchObject([{ balance: 100_00 }])
  expect(await left()).toEqual([])
  expect((await giveUp({ unpaidCentavos: 100_00 })).status).toBe(409)
  expect((await verifyWorld(db)).findings).toEqual([])
})

test.each([
  ['that was paid by then', () => pay(300_00)],
  [
    'of which an advance was given back by then',
    async () => {
      await pay(800_00, { instalments: 2 })
      await approve(await receive(500_00))
    },
  ],
])(
  'what comes to somebody deleted with nothing, before that was written down, %s',
  async (_, end) => {
    await end()
    await removeAsBefore()
    expect(await left()).toEqual([])
    await adjust(100_00)
    await world.close('2026-02-B', '2026-03-01')
    expect((await balance()).balances).toMatchObject([{ balance: 100_00 }])
    expect(await left()).toEqual([])
    expect((await giveUp({ unpaidCentavos: 100_00 })).status).toBe(409)
    // Two people pay it, as what comes after a deletion of today.
    await pay(100_00, { voucher: '119' })
    expect((await verifyWorld(db)).findings).toEqual([])
  },
)

test('what an older deletion left can’t be given up with what came since', async () => {
  await pay(300_00)
  await adjust(50_00)
  await world.close('2026-02-B', '2026-03-01')
  await giveUpFromNow()
  await removeAsBefore()
  expect(await left()).toEqual([{ currency: 'PHP', balance: 50_00, owed: 0 }])
  await adjust(1_000_00)
  await world.close('2026-03-A', '2026-03-16')
  expect(await left()).toEqual([])
  expect((await giveUp({ unpaidCentavos: 1_050_00 })).status).toBe(409)
})

test('a deletion writes down what it gave up in each currency, also where it was nothing', async () => {
  expect(await remove({ unpaidCentavos: '30000' })).toMatchObject({ status: 200 })
  const rows = await db
    .selectFrom('given_up')
    .select(['currency', 'balance', 'advances'])
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { currency: 'PHP', balance: 300_00, advances: 0 },
    { currency: 'USD', balance: 0, advances: 0 },
  ])
})

test('what would come into the balance later keeps it from being given up', async () => {
  await adjust(50_00)
  await removeAsBefore()
  expect(await giveUp({ unpaidCentavos: 300_00 })).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^₱50.00 of adjustments of this agent is on no/) },
  })
})

const DIFFERS = /What was given up of \w+ \d+ in PHP differs|is of somebody|received more|lacks its/
test.each([
  ["update balance_entries set amount = amount + 1 where kind = 'given up'", DIFFERS],
  ["update balance_entries set amount = amount - 1 where kind = 'advance given up'", DIFFERS],
  ["delete from balance_entries where kind = 'advance given up'", DIFFERS],
  ["delete from balance_entries where kind = 'given up' and proposal_id is null", DIFFERS],
  ["delete from balance_entries where kind = 'given up' and proposal_id is not null", DIFFERS],
  ['update given_up set advances = advances + 1', /differs from its seal/],
  ['delete from given_up', /is sealed but missing/],
  [
    `insert into balance_entries (payee_kind, payee_id, currency, amount, kind, made_at, made_by)
     select 'office', 1, 'PHP', 1, 'given up', now(), 1`,
    DIFFERS,
  ],
])('the owner’s %s is named', async (change, finding) => {
  await pay(800_00, { instalments: 2 })
  await adjust(-200_00)
  await world.close('2026-02-B', '2026-03-01')
  await remove({ unpaidCentavos: '-20000', owedCentavos: '50000' })
  await approve(await receive(300_00))
  expect(await findings()).toEqual([])
  await execute(connection, change)
  expect((await findings()).join('\n')).toMatch(finding)
})
