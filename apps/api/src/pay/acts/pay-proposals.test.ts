import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { payProposalsEndpoints, type WaitingProposal } from '@tallyroom/contract/pay/acts/proposals'
import { paySettingsEndpoints } from '@tallyroom/contract/pay/terms/settings'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { beforeEach, expect, test } from 'vitest'
import { buildAccount } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { buildAccountInForce, buildRun, seenOf, buildPerson } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { sealWorld, verifyWorld } from '../../../test/verify-world.ts'
import { about } from '../../../test/test-clock.ts'
import type { Viewer } from '../../access/viewer.ts'
import { findBalances } from '../ledger/balances.queries.ts'
import { payRoutes } from '../pay.routes.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'
import { countProposalsToApprove } from './present-proposals.ts'
import { payProposalsRoutes } from './pay-proposals.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const call = await callRoutes([
  ...payRoutes(services),
  ...paymentRunsRoutes(services),
  ...payProposalsRoutes(services),
])
const proposals = payProposalsEndpoints

type World = Awaited<ReturnType<typeof buildPayWorld>>
let world: World
let ann: Viewer
let bob: Viewer
let manila = 0

/** Manila sold for ₱300.00 in the first half-month, which is over. */
beforeEach(async () => {
  await emptyTables(database.connection, [...PAY_TABLES])
  world = await buildPayWorld(services, { avp: 'instead' })
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
  manila = world.offices.manila
  await world.sell('a', 'maria', '2026-02-03', { plain: true })
  await sealWorld(db)
  services.clock.set('2026-02-16T15:00:00Z')
})

type Answer = { status: number; body: { id: number | null; proposalId: number | null } }
const adjust = (amount: number, who = ann, reason = 'A bonus'): Promise<Answer> =>
  call(who, balancesEndpoints.createAdjustment, {
    body: { kind: 'office', id: manila, currency: 'PHP', amount, reason },
  })
const takeBack = (id: number | null, who = ann): Promise<Answer> =>
  call(who, balancesEndpoints.takeBackAdjustment, {
    params: { id: id ?? 0 },
    body: { reason: 'A mistake' },
  })
const isMade = { id: expect.any(Number), proposalId: null }
const waits = { id: null, proposalId: expect.any(Number) }

const waiting = async (who = bob): Promise<WaitingProposal[]> =>
  (await call(who, proposals.payProposals)).body
const approve = (id: number | null, who = bob) =>
  call(who, proposals.approvePayProposal, { params: { id: id ?? 0 } })
const refuse = (id: number | null, who = bob) =>
  call(who, proposals.refusePayProposal, {
    params: { id: id ?? 0 },
    body: { reason: 'Too much' },
  })
const withdraw = (id: number | null, who = ann) =>
  call(who, proposals.withdrawPayProposal, {
    params: { id: id ?? 0 },
    body: { reason: 'A typo' },
  })
const decided = async () => (await call(bob, proposals.decidedPayProposals)).body

const balanceOf = async () => (await findBalances(db, { kind: 'office', id: manila }))[0]?.balance
const statuses = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)

test('an adjustment above the limit counts once somebody else has approved it', async () => {
  expect((await adjust(10_000_00)).body).toEqual(isMade)
  const { body } = await adjust(12_000_00)
  expect(body).toEqual(waits)
  const shown = {
    id: body.proposalId,
    does: {
      kind: 'adjustment',
      payee: { kind: 'office', id: manila, name: expect.stringMatching(/^Manila/) },
      currency: 'PHP',
      amount: 12_000_00,
      countsAs: 'earned',
      takesBack: false,
      heldBackFor: null,
    },
    reason: 'A bonus',
    why: 'It is above the limit of ₱10,000.00.',
    by: 'ann',
    at: about('2026-02-16T15:00:00Z'),
  }
  expect(await waiting()).toEqual([
    {
      ...shown,
      outdated: null,
      isYours: false,
      whyYouCannotApprove: null,
      approvers: expect.arrayContaining([
        { name: 'ann', whyNot: 'entered it', from: null },
        { name: 'bob', whyNot: null, from: null },
      ]),
    },
  ])
  expect(await waiting(ann)).toMatchObject([{ isYours: true, whyYouCannotApprove: 'entered it' }])
  expect(await approve(body.proposalId, ann)).toMatchObject({
    status: 403,
    body: { message: 'You entered it. Somebody else must approve it.' },
  })
  const preview = async () =>
    (await call(bob, payEndpoints.payPreview, { params: { name: '2026-02-A' } })).body[0].amount
  expect(await preview()).toBe(10_300_00)
  expect((await approve(body.proposalId)).status).toBe(200)
  expect(await preview()).toBe(22_300_00)
  expect(await waiting()).toEqual([])
  expect(await decided()).toEqual({
    total: 1,
    items: [
      {
        ...shown,
        decision: {
          kind: 'approved',
          by: 'bob',
          at: about('2026-02-16T15:00:00Z'),
          reason: null,
        },
      },
    ],
  })
  const params = { kind: 'office', id: manila }
  expect((await call(bob, balancesEndpoints.balance, { params })).body.adjustments).toMatchObject([
    { amount: 12_000_00, madeBy: 'ann', approvedBy: 'bob' },
    { amount: 10_000_00, madeBy: 'ann', approvedBy: null },
  ])
  await world.close('2026-02-A', '2026-02-16')
  expect(await balanceOf()).toBe(22_300_00)
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('small adjustments add up, whoever enters them', async () => {
  expect((await adjust(9_000_00)).body).toEqual(isMade)
  expect((await adjust(1_000_00, bob)).body).toEqual(isMade)
  const second = await adjust(9_000_00)
  expect(second.body).toEqual(waits)
  expect((await waiting())[0]?.why).toBe(
    'Together with ₱10,000.00 that nobody has approved, it is above the limit of ₱10,000.00.',
  )
  expect((await adjust(1)).body).toEqual(waits)
  // What is subtracted makes no room for what is added, and adds up on its own.
  expect((await adjust(-10_000_00)).body).toEqual(isMade)
  expect((await adjust(-1)).body).toEqual(waits)
  expect((await adjust(1)).body).toEqual(waits)
  // What somebody else has approved makes no room either, nor takes any.
  expect((await approve(second.body.proposalId)).status).toBe(200)
  expect((await adjust(1)).body).toEqual(waits)
  // Another payee has a limit of its own, and so has the next statement.
  const cebu = { kind: 'office', id: world.offices.cebu, currency: 'PHP', amount: 10_000_00 }
  const other = await call(ann, balancesEndpoints.createAdjustment, {
    body: { ...cebu, reason: 'A bonus' },
  })
  expect(other.body).toEqual(isMade)
  await world.close('2026-02-A', '2026-02-16')
  expect((await adjust(10_000_00)).body).toEqual(isMade)
})

test('adjustments that are entered at the same moment add up', async () => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => adjust(9_000_00)))
  expect(answers.filter(({ body }) => body.id !== null)).toHaveLength(1)
  expect(await waiting()).toHaveLength(3)
})

test('who entered an adjustment may undo it alone before it is on a statement; others count', async () => {
  const first = await adjust(9_000_00)
  expect((await takeBack(first.body.id)).body).toEqual(isMade)
  // As if it had never been.
  const again = await adjust(10_000_00)
  expect(again.body).toEqual(isMade)
  // Somebody else's is no correction of one's own: it counts as subtracted.
  expect((await takeBack(again.body.id, bob)).body).toEqual(isMade)
  expect((await adjust(-1)).body).toEqual(waits)
  expect((await adjust(1)).body).toEqual(waits)
})

test('what a second person approved is taken back by two people', async () => {
  const { proposalId } = (await adjust(12_000_00)).body
  await approve(proposalId)
  const params = { kind: 'office', id: manila }
  const [made] = (await call(bob, balancesEndpoints.balance, { params })).body.adjustments
  expect(made).toMatchObject({ amount: 12_000_00, takeBackWaits: true })
  const opposites = [(await takeBack(made.id)).body, (await takeBack(made.id, bob)).body]
  expect(opposites).toEqual([waits, waits])
  expect((await approve(opposites[0]!.proposalId)).status).toBe(200)
  // It has been taken back already.
  expect((await waiting())[0]?.outdated).toBe('This adjustment has already been taken back.')
  expect(await approve(opposites[1]!.proposalId, ann)).toMatchObject({
    status: 409,
    body: {
      message: 'This adjustment has already been taken back. It can’t be approved any more.',
    },
  })
  expect((await refuse(opposites[1]!.proposalId, ann)).status).toBe(200)
})

test('closing names what waits, leaves it out, and an approval later goes on the next statement', async () => {
  const { proposalId } = (await adjust(12_000_00)).body
  const checks = (await call(bob, payEndpoints.payChecks, { params: { name: '2026-02-A' } })).body
  expect(checks.waiting).toMatchObject([
    { kind: 'adjustment', id: proposalId, amount: 12_000_00, by: 'ann' },
  ])
  await world.close('2026-02-A', '2026-02-16')
  expect(await balanceOf()).toBe(300_00)
  expect((await approve(proposalId)).status).toBe(200)
  expect(await balanceOf()).toBe(300_00)
  await world.close('2026-02-B', '2026-03-01')
  expect(await balanceOf()).toBe(12_300_00)
  const { items } = (await call(bob, statementsEndpoints.statements)).body
  expect(items.map(({ amount }: { amount: number }) => amount)).toEqual([12_000_00, 300_00])
  expect((await verifyWorld(db)).findings).toEqual([])
})

const enterRate = (period: string, pesosE4: number, who = ann) =>
  call(who, payEndpoints.savePayExchangeRate, {
    params: { name: period },
    body: { pesosE4, source: 'BSP' },
  })
const rates = async () =>
  (await call(bob, payEndpoints.payPeriods)).body.map(
    (one: { name: string; exchangeRate: { pesosE4: number } | null }) => [
      one.name,
      one.exchangeRate?.pesosE4 ?? null,
    ],
  )

test('an exchange rate that differs much from the last waits, in steps as well', async () => {
  expect((await enterRate('2026-02-A', 580_000)).body).toEqual({ proposalId: null })
  expect((await enterRate('2026-02-B', 609_000)).body).toEqual({ proposalId: null })
  // Steps are measured from the period before, not from each other.
  const { proposalId } = (await enterRate('2026-02-B', 609_001)).body
  expect(await waiting()).toMatchObject([
    {
      does: { kind: 'exchange rate', period: '2026-02-B', pesosE4: 609_001 },
      reason: 'BSP',
      why: 'It differs by more than 5 % from ₱58.00 for $1 of 2026-02-A.',
    },
  ])
  expect(await rates()).toEqual([
    ['2026-02-B', 609_000],
    ['2026-02-A', 580_000],
  ])
  expect((await approve(proposalId, ann)).status).toBe(403)
  expect((await approve(proposalId)).status).toBe(200)
  expect((await rates())[0]).toEqual(['2026-02-B', 609_001])
  const { set_by } = await db
    .selectFrom('pay_exchange_rates')
    .select('set_by')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(set_by).toBe(ann.accountId)
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('a rate that waits can’t be approved after another one, nor after the period was closed', async () => {
  await world.payIn('USD', world.offices.cebu)
  await world.sell('c', 'noel', '2026-02-04', { plain: true })
  await enterRate('2026-02-A', 580_000)
  const first = (await enterRate('2026-02-B', 700_000)).body.proposalId
  const late = (await enterRate('2026-02-B', 10_000)).body.proposalId
  await enterRate('2026-02-B', 581_000, bob)
  expect(await approve(first)).toMatchObject({
    status: 409,
    body: {
      message:
        '₱58.10 for $1 was entered for 2026-02-B in the meantime. It can’t be approved any more.',
    },
  })
  await world.close('2026-02-A', '2026-02-16')
  await world.close('2026-02-B', '2026-03-01')
  expect((await waiting()).map(({ outdated }) => outdated)).toEqual([
    '2026-02-B is closed, so its exchange rate can’t change any more.',
    '2026-02-B is closed, so its exchange rate can’t change any more.',
  ])
  expect((await approve(late)).status).toBe(409)
  expect((await withdraw(first)).status).toBe(200)
  expect((await refuse(late)).status).toBe(200)
  expect(await waiting()).toEqual([])
})

test('closing says who entered the rate that it lacks', async () => {
  await world.payIn('USD', world.offices.cebu)
  await enterRate('2026-02-A', 580_000)
  await world.close('2026-02-A', '2026-02-16')
  await world.sell('c', 'noel', '2026-02-18', { plain: true })
  const { proposalId } = (await enterRate('2026-02-B', 10_000)).body
  await expect(world.close('2026-02-B', '2026-03-01')).rejects.toThrow(
    'Some payees are paid in another currency, and the exchange rate of 2026-02-B that ann entered waits for a second person.',
  )
  const checks = (await call(bob, payEndpoints.payChecks, { params: { name: '2026-02-B' } })).body
  expect(checks).toMatchObject({
    needExchangeRate: [{ name: 'Cebu' }],
    waiting: [{ kind: 'exchange rate', id: proposalId, pesosE4: 10_000, by: 'ann' }],
  })
  await refuse(proposalId)
  await expect(world.close('2026-02-B', '2026-03-01')).rejects.toThrow('Enter the exchange rate')
})

const limitsOf = async () =>
  (await call(bob, paySettingsEndpoints.paySettings)).body.adjustmentLimits
const propose = (centavos: number, who = ann) =>
  call(who, proposals.proposePayLimits, {
    body: { adjustmentCentavos: centavos, adjustmentCents: 200_00, reason: 'A rule' },
  })

test('two people change the limits, which count for what is entered afterwards', async () => {
  expect(await limitsOf()).toEqual({ PHP: 10_000_00, USD: 200_00 })
  expect((await propose(10_000_00)).status).toBe(422)
  const more = (await propose(1_000_000_00)).body.proposalId
  const less = (await propose(5_000_00, bob)).body.proposalId
  expect((await adjust(10_000_01)).body).toEqual(waits)
  expect((await approve(more, ann)).status).toBe(403)
  expect((await approve(less, ann)).status).toBe(200)
  expect(await limitsOf()).toEqual({ PHP: 5_000_00, USD: 200_00 })
  // A form that was opened before shows the old limit.
  expect((await adjust(5_000_01)).body).toEqual(waits)
  expect((await adjust(5_000_00)).body).toEqual(isMade)
  // Whoever proposed against the old limits has not seen these.
  expect(await approve(more)).toMatchObject({
    status: 409,
    body: {
      message: 'The limits were changed in the meantime. It can’t be approved any more.',
    },
  })
  const again = (await propose(20_000_00)).body.proposalId
  expect((await approve(again)).status).toBe(200)
  expect(await limitsOf()).toEqual({ PHP: 20_000_00, USD: 200_00 })
})

const results = (id: number, lines: object[], who = ann) =>
  call(who, paymentResultsEndpoints.enterPaymentResults, { params: { id }, body: { lines } })
const failed = (reference: string) => ({ reference, paid: false, reason: 'Account closed' })
const runOf = async (id: number) =>
  (await call(bob, paymentRunsEndpoints.paymentRun, { params: { id } })).body

test('a failure entered by hand puts nothing back until somebody else approves it', async () => {
  const { id } = await buildRun(db, ['approved', 'files taken'])
  const [one, two] = [`T${id}N1`, `T${id}N2`]
  expect((await results(id, [failed(one), { reference: two, paid: true }])).body).toEqual({
    paid: 1,
    waiting: 1,
    known: 0,
  })
  expect(await runOf(id)).toMatchObject({
    state: 'sent',
    lines: [
      { state: 'sent', failureWaits: { by: 'ann', reason: 'Account closed' } },
      { state: 'paid', failureWaits: null },
    ],
  })
  // Again, it is known. The opposite by hand has to wait until somebody decides.
  expect((await results(id, [failed(one)], bob)).body).toEqual({ paid: 0, waiting: 0, known: 1 })
  expect((await results(id, [{ reference: one, paid: true }], bob)).body.data).toEqual({
    'lines.0.reference': [
      `ann entered that ${one} failed, which waits for a second person. Refuse or withdraw that first`,
    ],
  })
  const all = await call(bob, paymentResultsEndpoints.enterPaymentResults, {
    params: { id },
    body: { allPaid: true },
  })
  expect(all.body).toEqual({ paid: 0, waiting: 0, known: 0 })
  const entries = () =>
    db.selectFrom('balance_entries').select('amount').where('kind', '=', 'failed').execute()
  expect(await entries()).toEqual([])

  const [proposal] = await waiting()
  expect(proposal).toMatchObject({
    does: { kind: 'result', amount: 1_000_00, run: { id }, reference: one },
    why: 'It puts money back without the bank’s file.',
  })
  expect((await approve(proposal!.id, ann)).status).toBe(403)
  expect((await approve(proposal!.id)).status).toBe(200)
  expect(await entries()).toEqual([{ amount: 1_000_00 }])
  expect(await runOf(id)).toMatchObject({
    state: 'finished',
    lines: [{ state: 'failed', by: 'ann', reason: 'Account closed' }, { state: 'paid' }],
    steps: expect.arrayContaining([expect.objectContaining({ step: 'finished', by: 'bob' })]),
  })
})

test('the bank’s file comes before a failure that waits', async () => {
  const { id } = await buildRun(db, ['approved', 'files taken'])
  const one = `T${id}N1`
  await results(id, [failed(one)])
  const file = Buffer.from(`Ref,State\n${one},OK\n`).toString('base64')
  const columns = { reference: 'Ref', status: 'State', paid: ['OK'], failed: ['NO'] }
  const read = await call(bob, paymentResultsEndpoints.readResultFile, {
    params: { id },
    body: {
      file,
      columns: { ...columns, amount: null, reason: null, bankReference: null },
      take: true,
    },
  })
  expect(read).toMatchObject({ status: 200, body: { paid: 1 } })
  expect((await runOf(id)).lines[0]).toMatchObject({ state: 'paid', failureWaits: null })
  const [proposal] = await waiting()
  expect(proposal?.outdated).toBe('bob has entered in the meantime that it was paid.')
  expect((await approve(proposal!.id)).status).toBe(409)
  expect((await withdraw(proposal!.id)).status).toBe(200)
})

test('of two decisions at once, one counts', async () => {
  const carl = { ...viewer(), accountId: await buildAccount(db, { username: 'carl' }) }
  const first = (await adjust(12_000_00)).body.proposalId
  const approvals = await Promise.all([approve(first), approve(first, carl), approve(first)])
  expect(statuses(approvals)).toEqual([200, 409, 409])
  const second = (await adjust(12_000_00)).body.proposalId
  const others = await Promise.all([approve(second), withdraw(second), refuse(second, carl)])
  expect(statuses(others)).toEqual([200, 409, 409])
  const made = await db.selectFrom('adjustments').select('amount').execute()
  expect(made).toHaveLength(others[0].status === 200 ? 2 : 1)
  expect((await decided()).total).toBe(2)
  expect(await approve(first, carl)).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/ has already approved this\.$/) },
  })
})

test('its author withdraws it, everybody else refuses it, and nothing is done', async () => {
  const [first, second] = [
    (await adjust(12_000_00)).body.proposalId,
    (await adjust(13_000_00)).body.proposalId,
  ]
  expect((await refuse(first, ann)).status).toBe(403)
  expect((await withdraw(first, bob)).status).toBe(403)
  // Somebody who can't approve, as one person with its author, can still refuse.
  expect((await refuse(first)).status).toBe(200)
  expect((await withdraw(second)).status).toBe(200)
  expect(await db.selectFrom('adjustments').select('id').execute()).toEqual([])
  expect((await decided()).items).toMatchObject([
    { id: second, decision: { kind: 'withdrawn', by: 'ann', reason: 'A typo' } },
    { id: first, decision: { kind: 'refused', by: 'bob', reason: 'Too much' } },
  ])
  for (const tried of [await approve(first), await refuse(second), await withdraw(second)])
    expect(tried.status).toBe(409)
  expect((await approve(9_999_999)).status).toBe(404)
})

test('nobody decides after Sign in as, and home counts what a viewer can approve', async () => {
  const { proposalId } = (await adjust(12_000_00)).body
  const asBob = { ...bob, signedInBy: ann.accountId }
  expect((await approve(proposalId, asBob)).status).toBe(403)
  expect((await refuse(proposalId, asBob)).status).toBe(403)
  const now = services.clock.now()
  expect(await countProposalsToApprove(db, now, ann.accountId)).toEqual({ count: 0, since: null })
  expect(await countProposalsToApprove(db, now, bob.accountId)).toEqual({
    count: 1,
    since: about(now),
  })
})

test('whoever entered an adjustment alone does not approve the run that pays it; what somebody approved bars neither', async () => {
  await buildAccountInForce(db, manila)
  await approve((await adjust(12_000_00)).body.proposalId)
  await adjust(1_00, bob)
  await world.close('2026-02-A', '2026-02-16')
  const carl = { ...viewer(), accountId: await buildAccount(db, { username: 'carl' }) }
  const { id } = (
    await call(carl, paymentRunsEndpoints.preparePaymentRun, {
      body: { period: null, currency: 'PHP', templateId: 1 },
    })
  ).body
  const run = async (who: Viewer) =>
    call(who, paymentRunsEndpoints.approvePaymentRun, {
      params: { id },
      body: await seenOf(db, id),
    })
  expect((await run(bob)).body.message).toMatch(/^You entered or took back an adjustment of Manila/)
  expect((await run(ann)).status).toBe(200)
})

test('payees learn nothing of what waits', async () => {
  await adjust(12_000_00)
  await db.updateTable('options').set({ value: '1' }).where('name', '=', 'payout_visible').execute()
  const office = viewer({ role: 'company', officeId: manila, agentId: undefined })
  const { status, body } = await call(office, balancesEndpoints.balance, {
    params: { kind: 'office', id: manila },
  })
  expect(status).toBe(200)
  expect([body.adjustments, body.waiting, body.adjustmentLimit]).toEqual([[], undefined, undefined])
})
