import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { buildAccountInForce, buildPerson, seenOf } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { payAgents, sealWorld, verifyWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { payProposalsRoutes } from '../acts/pay-proposals.routes.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'
import { verifyPay } from '../verify/verify-pay.ts'
import { payRoutes } from '../pay.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([
  ...payRoutes(services),
  ...paymentRunsRoutes(services),
  ...payProposalsRoutes(services),
])

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let bob: Viewer

/** Manila is owed ₱300.00 for February’s first half, and has no account. */
beforeEach(async () => {
  await emptyTables(connection, [...PAY_TABLES, 'options'])
  world = await buildPayWorld(services, { avp: 'instead' })
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
  await db
    .insertInto('options')
    .values({ name: 'payout_visible', value: '1', changed_at: new Date(0) })
    .execute()
  await sealWorld(db)
  await world.sell('a', 'maria', '2026-02-03', { plain: true })
  await world.close('2026-02-A', '2026-02-16')
})

type Paid = Partial<Parameters<typeof JSON.stringify>[0]> & Record<string, unknown>
const pay = (own: Paid = {}, who = ann) =>
  call(who, balancesEndpoints.payOutside, {
    body: {
      kind: 'office',
      id: world.offices.manila,
      currency: 'PHP',
      amount: 300_00,
      way: 'cash',
      paidOn: '2026-02-15',
      voucher: '118',
      reason: 'No account yet',
      ...own,
    },
  })
const proposals = payProposalsEndpoints
const approve = (id: number, who = bob) =>
  call(who, proposals.approvePayProposal, { params: { id } })
const paidOutside = async (own: Paid = {}) => {
  const { proposalId } = (await pay(own)).body
  expect((await approve(proposalId)).status).toBe(200)
  return proposalId
}
const balance = async (who: Viewer = bob, payee: object = {}) =>
  (
    await call(who, balancesEndpoints.balance, {
      params: { kind: 'office', id: world.offices.manila, ...payee },
    })
  ).body
const statement = async () =>
  (await call(bob, statementsEndpoints.statements)).body.items.find(
    (one: { number: string }) => one.number === '2026-02-A-0001',
  )
const prepare = async () =>
  (
    await call(ann, paymentRunsEndpoints.preparePaymentRun, {
      body: { period: null, currency: 'PHP', templateId: 1 },
    })
  ).body.id

test('cash to a payee without an account counts once somebody else has approved it, and pays the statement', async () => {
  const { status, body } = await pay()
  expect(status).toBe(200)
  expect(await balance()).toMatchObject({
    balances: [{ balance: 300_00, left: 300_00, state: 'no-account' }],
    waiting: [{ id: body.proposalId, kind: 'payment outside', amount: -300_00, madeBy: 'ann' }],
  })
  expect((await statement()).state).toBe('due')
  expect(await approve(body.proposalId, ann)).toMatchObject({
    status: 403,
    body: { message: 'You entered it. Somebody else must approve it.' },
  })
  const [waiting] = (await call(bob, proposals.payProposals)).body
  expect(waiting).toMatchObject({
    does: { kind: 'payment outside', amount: 300_00, way: 'cash', voucher: '118' },
    why: 'It was paid without a payment run.',
    outdated: null,
  })
  expect((await approve(body.proposalId)).status).toBe(200)

  const office = viewer({ role: 'company', officeId: world.offices.manila, agentId: undefined })
  for (const who of [bob, office]) {
    const { balances, entries } = await balance(who)
    expect(balances).toMatchObject([{ balance: 0, left: 0, state: 'nothing' }])
    expect(entries[0]).toMatchObject({
      kind: 'outside',
      amount: -300_00,
      balance: 0,
      reason: 'No account yet',
      outside: { way: 'cash', paidOn: '2026-02-15', voucher: '118' },
      payment: null,
    })
  }
  expect((await balance(office)).waiting).toBeUndefined()
  expect(await statement()).toMatchObject({ state: 'paid', paidOn: '2026-02-15', amount: 300_00 })
  expect((await verifyWorld(db)).findings).toEqual([])

  // The next statement carries nothing of it, and earns what it earned.
  await world.sell('b', 'maria', '2026-02-17', { plain: true })
  await world.close('2026-02-B', '2026-03-01')
  expect((await balance()).balances).toMatchObject([{ balance: 300_00 }])
  expect((await verifyPay(db)).findings).toEqual([])
})

test.each<[string, Paid, number, RegExp]>([
  ['a centavo more than is owed', { amount: 300_01 }, 422, /more than the ₱300.00 of the balance/],
  ['nothing', { amount: 0 }, 422, /must be more than zero/],
  ['in a currency without a balance', { currency: 'USD', amount: 1 }, 422, /more than the \$0.00/],
  [
    'on a day that has not begun',
    { paidOn: '2026-02-17' },
    422,
    /must not be after 2026-02-16, today where the bank is/,
  ],
  ['more than a year ago', { paidOn: '2025-02-14' }, 422, /must be within the last year/],
  ['on no day', { paidOn: '2026-02-30' }, 422, /must be a day/],
  ['without a voucher', { voucher: ' ' }, 422, /voucher/],
  ['in no way', { way: 'gold' }, 422, /way/],
  ['to nobody', { id: 9_999_998 }, 404, /office/i],
])('refused: a payment %s', async (_, own, status, told) => {
  const answer = await pay(own)
  expect(answer.status).toBe(status)
  expect(JSON.stringify(answer.body)).toMatch(told)
  expect((await call(bob, proposals.payProposals)).body).toEqual([])
})

test('the day is one where the bank is', async () => {
  await execute(connection, `update pay_settings set bank_time_zone = 'Asia/Manila'`)
  services.clock.set('2026-02-16T15:59:59Z')
  expect((await balance()).bank).toEqual({ timeZone: 'Asia/Manila', today: '2026-02-16' })
  expect((await pay({ paidOn: '2026-02-17' })).status).toBe(422)
  services.clock.set('2026-02-16T16:00:00Z')
  expect((await pay({ paidOn: '2026-02-17' })).status).toBe(200)
})

test('somebody who signed in as another person enters none', async () => {
  expect((await pay({}, { ...ann, signedInBy: 1 })).status).toBe(403)
})

test('a voucher is entered once for a payee, until it is refused or withdrawn', async () => {
  const { proposalId } = (await pay({ amount: 100_00 })).body
  expect(await pay({ amount: 50_00 }, bob)).toMatchObject({
    status: 409,
    body: { message: 'ann has already entered a payment to them with the voucher 118.' },
  })
  expect((await pay({ amount: 50_00, way: 'cheque' })).status).toBe(200)
  const ending = { params: { id: proposalId }, body: { reason: 'A typo' } }
  expect((await call(ann, proposals.withdrawPayProposal, ending)).status).toBe(200)
  const again = (await pay({ amount: 50_00 })).body.proposalId
  const refusing = { params: { id: again }, body: { reason: 'No receipt' } }
  expect((await call(bob, proposals.refusePayProposal, refusing)).status).toBe(200)
  expect((await balance()).balances).toMatchObject([{ balance: 300_00 }])
  await paidOutside({ amount: 50_00 })
  expect((await pay({ voucher: '118' })).status).toBe(409)
})

test('of two that together are more than is owed, the second one is outdated', async () => {
  const first = (await pay({ amount: 200_00, voucher: '1' })).body.proposalId
  const second = (await pay({ amount: 100_01, voucher: '2' })).body.proposalId
  expect((await approve(first)).status).toBe(200)
  const why = '₱100.01 is more than the ₱100.00 of the balance that no payment run pays now.'
  expect((await call(bob, proposals.payProposals)).body).toMatchObject([{ outdated: why }])
  expect(await approve(second)).toMatchObject({
    status: 409,
    body: { message: `${why} It can’t be approved any more.` },
  })
  await paidOutside({ amount: 100_00, voucher: '3' })
  expect((await balance()).balances).toMatchObject([{ balance: 0 }])
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('what a payment run pays is not left: neither while it is prepared nor once it is approved', async () => {
  await buildAccountInForce(db, world.offices.manila)
  await sealWorld(db)
  const waiting = (await pay({ amount: 100_00 })).body.proposalId
  const id = await prepare()
  expect((await balance()).balances).toMatchObject([{ balance: 300_00, running: 300_00, left: 0 }])
  expect((await pay({ amount: 1, voucher: '2' })).status).toBe(422)
  expect((await approve(waiting)).status).toBe(409)
  // New money on top of it is left to pay.
  await world.sell('b', 'maria', '2026-02-17', { plain: true })
  await world.close('2026-02-B', '2026-03-01')
  expect((await balance()).balances).toMatchObject([{ balance: 600_00, left: 300_00 }])
  await paidOutside({ amount: 300_00, voucher: '3' })
  const body = await seenOf(db, id)
  expect(
    (await call(bob, paymentRunsEndpoints.approvePaymentRun, { params: { id }, body })).body,
  ).toEqual({ approved: 1, refused: [] })
  expect((await balance()).balances).toMatchObject([{ balance: 0, running: 300_00, left: 0 }])
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('a part in cash leaves the rest to a run, which pays the statement; whoever entered the cash can approve it, as two people decided that', async () => {
  await buildAccountInForce(db, world.offices.manila)
  await sealWorld(db)
  await paidOutside({ amount: 100_00 })
  expect((await statement()).state).toBe('due')
  const cat = await buildPerson(db, 'cat')
  const run = { period: null, currency: 'PHP', templateId: 1 }
  const { id } = (await call(cat, paymentRunsEndpoints.preparePaymentRun, { body: run })).body
  const shown = (await call(bob, paymentRunsEndpoints.paymentRun, { params: { id } })).body
  expect(shown.lines).toMatchObject([{ amount: 200_00 }])
  const body = await seenOf(db, id)
  const approved = await call(ann, paymentRunsEndpoints.approvePaymentRun, { params: { id }, body })
  expect(approved.body).toEqual({ approved: 1, refused: [] })
  expect((await statement()).state).toBe('running')
})

test('the balance of a deleted agent can be paid outside; one who never had a statement can’t', async () => {
  await world.sell('b', 'maria', '2026-02-03', { plain: true })
  await payAgents(db, connection)
  await world.close('2026-02-B', '2026-03-01')
  const agent = { kind: 'agent', id: world.agents.maria }
  const entered = (await pay({ ...agent, amount: 100_00 })).body.proposalId
  await execute(connection, `delete from sale_events where agent_id = ${agent.id}`)
  await execute(connection, `delete from accounts where agent_id = ${agent.id}`)
  await execute(connection, `delete from agents where id = ${agent.id}`)
  expect((await approve(entered)).status).toBe(200)
  await paidOutside({ ...agent, amount: 200_00, voucher: '2' })
  expect((await balance(bob, agent)).balances).toMatchObject([{ balance: 0 }])
  expect((await pay({ kind: 'agent', id: 9_999_998 })).status).toBe(404)
})

test('the payee is told once a second person has approved it, whoever entered it', async () => {
  const told = () =>
    db
      .selectFrom('facts')
      .select('subject')
      .where('kind', '=', 'payment.outside')
      .where('office_id', '=', world.offices.manila)
      .execute()
  const { proposalId } = (await pay()).body
  expect(await told()).toEqual([])
  await approve(proposalId)
  expect(await told()).toEqual([
    {
      subject: {
        payee: { kind: 'office', id: world.offices.manila, name: 'Manila' },
        amount: 300_00,
        currency: 'PHP',
        way: 'cash',
        paidOn: '2026-02-15',
        voucher: '118',
      },
    },
  ])
})

test('no run pays an agent who was deleted', async () => {
  await world.sell('b', 'maria', '2026-02-03', { plain: true })
  await payAgents(db, connection)
  await world.close('2026-02-B', '2026-03-01')
  const agent = { kind: 'agent', id: world.agents.maria } as const
  await buildAccountInForce(db, agent.id, { kind: 'agent' })
  const body = { period: null, currency: 'PHP', templateId: 1 }
  const { id } = (
    await call(ann, paymentRunsEndpoints.preparePaymentRun, { body: { ...body, only: [agent] } })
  ).body
  await execute(connection, `delete from sale_events where agent_id = ${agent.id}`)
  await execute(connection, `delete from accounts where agent_id = ${agent.id}`)
  await execute(connection, `delete from agents where id = ${agent.id}`)
  const why = expect.stringMatching(/^The agent was deleted, so no run pays what is left/)
  const approved = await call(bob, paymentRunsEndpoints.approvePaymentRun, {
    params: { id },
    body: await seenOf(db, id),
  })
  expect(approved.body).toEqual({
    approved: 0,
    refused: [{ name: expect.any(String), why }],
  })
  expect((await balance(bob, agent)).balances).toMatchObject([
    { balance: 300_00, state: 'deleted' },
  ])
  const { body: candidates } = await call(ann, paymentRunsEndpoints.paymentRunCandidates, {
    body,
  })
  expect(candidates.leftOut).toContainEqual(
    expect.objectContaining({ ...agent, cause: 'deleted', why }),
  )
})

test.each([
  ["update balance_entries set amount = amount + 1 where kind = 'outside'", /differs from it/],
  ["update balance_entries set made_by = made_by + 1 where kind = 'outside'", /differs from it/],
  [`update balance_entries set currency = 'USD' where kind = 'outside'`, /lacks its entry/],
  ["update balance_entries set proposal_id = 1000000 where kind = 'outside'", /of no proposal/],
  [`delete from balance_entries where kind = 'outside'`, /lacks its entry/],
  ['delete from pay_proposal_decisions', /of no proposal that was approved/],
  [
    'update balance_entries set amount = amount - 1; update pay_proposals set amount = amount + 1',
    /paid more than was owed/,
  ],
])('the owner’s %s is named', async (change, finding) => {
  await paidOutside()
  expect((await verifyPay(db)).findings).toEqual([])
  await execute(connection, change)
  expect((await verifyPay(db)).findings.join('\n')).toMatch(finding)
})
