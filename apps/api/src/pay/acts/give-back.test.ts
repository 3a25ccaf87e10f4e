import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { type Adjustment, balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { payProposalsEndpoints, type WaitingProposal } from '@tallyroom/contract/pay/acts/proposals'
import { beforeEach, expect, test } from 'vitest'
import { buildAccount } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { sealWorld } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { agentsRoutes } from '../../people/agents/agents.routes.ts'
import { eraseRoutes } from '../../desk/erase/erase.routes.ts'
import { officesRoutes } from '../../people/offices/offices.routes.ts'
import { payProposalsRoutes } from './pay-proposals.routes.ts'
import { findBalances } from '../ledger/balances.queries.ts'
import { verifyPay } from '../verify/verify-pay.ts'
import { payRoutes } from '../pay.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const call = await callRoutes([
  ...payRoutes(services),
  ...payProposalsRoutes(services),
  ...agentsRoutes(services),
  ...eraseRoutes(services),
  ...officesRoutes(services),
])

let world: Awaited<ReturnType<typeof buildPayWorld>>
let ann: Viewer
let bob: Viewer
/** An admin without PAY. */
let admin: Viewer
let [manila, maria] = [0, 0]

/** Manila sold for ₱300.00, by Maria, whom a merchant reported and who is suspended. Nobody has any unpaid money else. */
beforeEach(async () => {
  await emptyTables(database.connection, [...PAY_TABLES])
  world = await buildPayWorld(services, { avp: 'instead' })
  const person = async (username: string, role: 'admin' | 'superadmin'): Promise<Viewer> => ({
    ...viewer({ role, officeId: undefined, agentId: undefined }),
    accountId: await buildAccount(db, { username }),
    username,
  })
  ann = await person('ann', 'superadmin')
  bob = await person('bob', 'superadmin')
  admin = { ...(await person('ada', 'admin')), permissions: ['SHOW_SUSPEND'] }
  manila = world.offices.manila
  ;({ maria } = world.agents)
  await world.sell('a', 'maria', '2026-02-03', { plain: true })
  await report(maria)
  await sealWorld(db)
  services.clock.set('2026-02-16T15:00:00Z')
})

const report = (id: number) =>
  db
    .updateTable('agents')
    .set({ active: false, fraud_flagged_at: services.clock.now() })
    .where('id', '=', id)
    .execute()

const reason = 'Held back until the sales of maria are checked'
const holdBack = (amount = -300_00, given: { heldBackFor?: number; id?: number } = {}, who = ann) =>
  call(who, balancesEndpoints.createAdjustment, {
    body: {
      kind: 'office',
      id: manila,
      currency: 'PHP',
      amount,
      reason,
      heldBackFor: maria,
      ...given,
    },
  })
const clear = async (who = bob, ids = [maria]) => {
  const { status } = await call(who, agentsEndpoints.agentsStatus, {
    body: { ids, fraudFlagged: false },
  })
  expect(status).toBe(200)
}
const takeBack = (id: number, who = ann) =>
  call(who, balancesEndpoints.takeBackAdjustment, {
    params: { id },
    body: { reason: 'A mistake' },
  })
const adjustments = async (id = manila, who = bob): Promise<Adjustment[]> =>
  (await call(who, balancesEndpoints.balance, { params: { kind: 'office', id } })).body.adjustments
const amounts = async (id = manila) => (await adjustments(id)).map(({ amount }) => amount)
const waiting = async (): Promise<WaitingProposal[]> =>
  (await call(bob, payProposalsEndpoints.payProposals)).body
const approve = (id: number | undefined, who: Viewer) =>
  call(who, payProposalsEndpoints.approvePayProposal, { params: { id: id ?? 0 } })
const balanceOf = async () => (await findBalances(db, { kind: 'office', id: manila }))[0]?.balance
const isClean = async () => expect((await verifyPay(db)).findings).toEqual([])

test('a sum that is held back for an agent comes back when they are cleared', async () => {
  const { body } = await holdBack()
  expect(await adjustments()).toMatchObject([
    { amount: -300_00, heldBackFor: { id: maria, name: /^maria/, isDoubted: true } },
  ])
  await clear()
  expect(await adjustments()).toMatchObject([
    {
      amount: 300_00,
      oppositeOf: body.id,
      madeBy: 'bob',
      heldBackFor: null,
      reason: expect.stringMatching(/^Given back, because maria\d+ was cleared: Held back until/),
    },
    { amount: -300_00, madeBy: 'ann', takenBackBy: expect.any(Number) },
  ])
  await world.close('2026-02-A', '2026-02-16')
  expect(await balanceOf()).toBe(300_00)
  await isClean()
})

test('a payee reads neither for whom it is held back nor whether they are suspended', async () => {
  await emptyTables(database.connection, ['options'])
  await db
    .insertInto('options')
    .values({ name: 'payout_visible', value: '1', changed_at: new Date(0) })
    .execute()
  await holdBack()
  const office = viewer({ role: 'company', officeId: manila, agentId: undefined })
  const [shown] = await adjustments(manila, office)
  expect(shown).not.toHaveProperty('heldBackFor')
})

test('it comes back once, however often the agent is cleared', async () => {
  await holdBack()
  await clear()
  await clear()
  await report(maria)
  await clear(ann)
  expect(await amounts()).toEqual([300_00, -300_00])
  await report(maria)
  await holdBack()
  await Promise.all([clear(), clear(ann), clear()])
  expect(await amounts()).toEqual([300_00, -300_00, 300_00, -300_00])
  await isClean()
})

test('after its period was closed, it comes back with the next statement', async () => {
  await holdBack()
  await world.close('2026-02-A', '2026-02-16')
  expect(await balanceOf()).toBe(0)
  await clear()
  expect(await balanceOf()).toBe(0)
  await world.close('2026-02-B', '2026-03-01')
  expect(await balanceOf()).toBe(300_00)
  await isClean()
})

test('above the limit, it waits for a second person, once, however often the agent is cleared', async () => {
  await world.sell('b', 'maria', '2026-02-04', { plain: true, payout_centavos: 20_000_00 })
  const { body } = await holdBack(-20_000_00)
  expect(body.id).toBeNull()
  const [held] = await waiting()
  expect(held?.does).toMatchObject({ heldBackFor: expect.stringMatching(/^maria/) })
  expect((await approve(body.proposalId, bob)).status).toBe(200)
  expect(await adjustments()).toMatchObject([{ amount: -20_000_00, heldBackFor: { id: maria } }])
  await clear(bob)
  await report(maria)
  await clear(bob)
  expect(await amounts()).toEqual([-20_000_00])
  const proposals = await waiting()
  expect(proposals).toMatchObject([
    { does: { amount: 20_000_00, takesBack: true, heldBackFor: null }, by: 'bob' },
  ])
  expect(proposals[0]?.why).toBe('It is above the limit of ₱10,000.00.')
  expect((await approve(proposals[0]?.id, bob)).status).toBe(403)
  expect((await approve(proposals[0]?.id, ann)).status).toBe(200)
  expect(await amounts()).toEqual([20_000_00, -20_000_00])
  await isClean()
})

test('what still waits for a second person when the agent is cleared is refused', async () => {
  const { body } = await holdBack(-20_000_00)
  await clear()
  expect(await waiting()).toEqual([])
  expect((await approve(body.proposalId, bob)).status).toBe(409)
  const { items } = (await call(bob, payProposalsEndpoints.decidedPayProposals)).body
  expect(items).toMatchObject([
    { decision: { kind: 'refused', by: 'bob', reason: /^maria\d+ was cleared/ } },
  ])
  expect(await amounts()).toEqual([])
  await isClean()
})

test('whoever may not change pay only proposes it', async () => {
  await holdBack()
  await clear(admin)
  expect(await waiting()).toMatchObject([
    { by: 'ada', why: 'The agent was cleared by somebody who may not change pay.' },
  ])
  for (const { id } of await waiting()) await approve(id, ann)
  expect(await amounts()).toEqual([300_00, -300_00])
  await isClean()
})

test('a token, an older session and who signed in as another clear nobody, so that nothing comes back', async () => {
  await holdBack()
  const { isProved: _, ...old } = bob
  const token = { id: 1, name: 'a program', may: ['people' as const] }
  const answers = [{ ...old, token }, { ...bob, signedInBy: ann.accountId }, old].map(
    (who: Viewer) =>
      call(who, agentsEndpoints.agentsStatus, { body: { ids: [maria], fraudFlagged: false } }),
  )
  expect((await Promise.all(answers)).map(({ body }) => body.code)).toEqual([
    'FORBIDDEN',
    'FORBIDDEN',
    'PROOF_NEEDED',
  ])
  expect([await amounts(), await waiting()]).toEqual([[-300_00], []])
  // Activating clears nobody, so a token may.
  const activated = await call({ ...old, token }, agentsEndpoints.agentsStatus, {
    body: { ids: [maria], active: true },
  })
  expect([activated.status, await amounts()]).toEqual([200, [-300_00]])
})

test('what was taken back by hand before is not taken back again', async () => {
  const { body } = await holdBack()
  await takeBack(body.id)
  await clear()
  expect(await amounts()).toEqual([300_00, -300_00])
  expect(await waiting()).toEqual([])
})

test('it comes back to the payee from whom it was held back, wherever the agent is now', async () => {
  const { cebu } = world.offices
  await holdBack()
  await db.updateTable('agents').set({ office_id: cebu }).where('id', '=', maria).execute()
  await clear()
  expect(await amounts()).toEqual([300_00, -300_00])
  expect(await amounts(cebu)).toEqual([])
})

test('activating an agent, or their office, clears nobody, and nothing comes back', async () => {
  const office = viewer({ role: 'company', officeId: manila, agentId: undefined })
  const body = { active: true }
  await holdBack()
  await call(bob, agentsEndpoints.agentsStatus, { body: { ids: [maria], ...body } })
  await report(maria)
  await call(bob, agentsEndpoints.updateAgent, { params: { id: maria }, body })
  await call(bob, officesEndpoints.officesStatus, { body: { ids: [manila], active: false } })
  await call(bob, officesEndpoints.officesStatus, { body: { ids: [manila], ...body } })
  await call(bob, officesEndpoints.officesStatus, { body: { ids: [manila], active: false } })
  await call(bob, officesEndpoints.updateOffice, { params: { id: manila }, body })
  const clearing = { body: { ids: [maria], fraudFlagged: false } }
  expect((await call(office, agentsEndpoints.agentsStatus, clearing)).status).toBe(403)
  expect(await amounts()).toEqual([-300_00])
  expect((await adjustments())[0]?.heldBackFor?.isDoubted).toBe(true)
  await clear()
  expect(await amounts()).toEqual([300_00, -300_00])
  await isClean()
})

test('an agent is not deleted while a sum is held back for them that is on no statement', async () => {
  const deleter: Viewer = { ...ann, permissions: ['DELETE_AGENTS'] }
  const remove = (query: Record<string, string> = {}) =>
    call(deleter, agentsEndpoints.deleteAgent, { params: { id: maria }, query })
  const { body } = await holdBack()
  expect(await remove({ unpaidCentavos: '30000' })).toMatchObject({
    status: 409,
    body: {
      message:
        '₱300.00 is held back for this agent and on no statement yet. Take it back, or close the period first.',
    },
  })
  await world.close('2026-02-A', '2026-02-16')
  const { proposalId } = (await holdBack(-20_000_00)).body
  expect((await remove()).status).toBe(200)
  expect(await adjustments()).toMatchObject([
    { heldBackFor: { name: `deleted agent ${maria}`, isDoubted: false } },
  ])
  expect((await waiting())[0]?.outdated).toBe(
    'The agent for whom it holds back money no longer exists.',
  )
  expect((await approve(proposalId, bob)).status).toBe(409)
  // Their payee can still be given it back by hand.
  expect((await takeBack(body.id)).body.id).toEqual(expect.any(Number))
  expect(await holdBack()).toMatchObject({
    status: 422,
    body: { data: { heldBackFor: ['no longer exists'] } },
  })
  await isClean()
})

test('only what is subtracted holds something back', async () => {
  expect(await holdBack(300_00)).toMatchObject({
    status: 422,
    body: { data: { amount: ['must be negative to hold something back'] } },
  })
})
