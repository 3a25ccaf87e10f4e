import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { rateBackdatingEndpoints as endpoints } from '@tallyroom/contract/pay/backdating/backdating'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { buildAgent } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { until } from '../../../test/until.ts'
import { foldTotals, rebuildTotals, verifyTotals } from '../../totals/index.ts'
import { eraseRoutes } from '../../desk/erase/erase.routes.ts'
import { removeOrphanedEvents } from '../../desk/erase/delete-agent.ts'
import { lockIds } from '../../db/locks.ts'
import { rateBackdatingRoutes } from './rate-backdating.routes.ts'

const { db, connection, clock, services, merchant, officeId, eventsOf } = await postbackWorld()
const isDistributed = services.layout === 'distributed'
const call = await callRoutes([...rateBackdatingRoutes(services), ...eraseRoutes(services)])
const superadmin = viewer(undefined, ['DELETE_AGENTS'])

/**
 * Two agents with one sale each, on 5 March at ₱500.00, and a backdating of the rate to ₱450.00.
 */
async function soldByTwo() {
  clock.set('2026-03-10T16:00:00Z')
  const shop = await merchant()
  const agents = [
    await buildAgent(db, { office_id: officeId }),
    await buildAgent(db, { office_id: officeId }),
  ] as const
  const time = '2026-03-05T17:00:00Z'
  const sell = async (agentId: number, tid = randomUUID()) => {
    const cid = await shop.click({ agent_id: agentId, clicked_at: new Date(time) })
    return shop.get({ cid, tid, time })
  }
  for (const agent of agents) await sell(agent)
  await rebuildTotals(db) // counts the clicks, too
  const rate = { typeId: shop.typeId, companyId: null, from: '2026-03-04', payout: 450 }
  const { body } = await call(superadmin, endpoints.previewBackdating, { body: rate })
  const backdate = () =>
    call(superadmin, endpoints.backdateRate, {
      body: { ...rate, reason: 'Agreed', version: body.version, requestId: randomUUID() },
    })
  const remove = (id: number) => call(superadmin, agentsEndpoints.deleteAgent, { params: { id } })
  const undo = (id: number) =>
    call(superadmin, endpoints.undoBackdating, { params: { id }, body: { reason: 'By mistake' } })
  const worthOf = async (agentId: number) =>
    (await eventsOf(shop.siteId))
      .filter((event) => event.agent_id === agentId)
      .map((event) => event.payout_centavos)
      .toSorted((one, other) => one - other)
  return { agents, sell, backdate, undo, remove, worthOf, typeId: shop.typeId }
}

test('an agent can be deleted after a backdating, which can still be undone for the others', async () => {
  const { agents, backdate, undo, remove, worthOf } = await soldByTwo()
  const [gone, stays] = agents
  const done = await backdate()
  expect(done.body).toMatchObject({ sales: 2, payout: -100 })
  expect((await remove(gone)).status).toBe(200)
  expect(await worthOf(gone)).toEqual([])
  expect((await undo(done.body.id)).body.undone).toMatchObject({ sales: 1, payout: 50 })
  expect(await worthOf(stays)).toEqual([-50_00, 50_00, 500_00])
  await foldTotals(db)
  expect(await verifyTotals(db)).toEqual([])
})

// A distributed database blocks events while an agent is deleted.
test.runIf(isDistributed)(
  'an agent is deleted once a running backdating has finished',
  async () => {
    const { agents, backdate, remove, worthOf } = await soldByTwo()
    const [gone, stays] = agents
    await whileLocked('lock table rate_backdatings in share mode', async ({ waiting, release }) => {
      const done = backdate()
      await waiting(1)
      const removed = remove(gone)
      await waiting(2)
      await release()
      expect((await done).body).toMatchObject({ sales: 2, payout: -100 })
      expect((await removed).status).toBe(200)
    })
    expect(await worthOf(gone)).toEqual([])
    expect(await worthOf(stays)).toEqual([-50_00, 500_00])
    await foldTotals(db)
    expect(await verifyTotals(db)).toEqual([])
  },
)

test.skipIf(isDistributed)(
  'differences of an agent who is deleted while they are written go with the next sweep',
  async () => {
    const { agents, backdate, remove, worthOf } = await soldByTwo()
    const [gone, stays] = agents
    await whileLocked('lock table rate_backdatings in share mode', async ({ waiting, release }) => {
      const done = backdate()
      await waiting(1) // the differences are written, but not committed
      expect((await remove(gone)).status).toBe(200)
      await release()
      expect((await done).body).toMatchObject({ sales: 2, payout: -100 })
    })
    expect(await worthOf(gone)).toEqual([-50_00])
    await foldTotals(db)
    await removeOrphanedEvents(services)
    expect(await worthOf(gone)).toEqual([])
    expect(await worthOf(stays)).toEqual([-50_00, 500_00])
    expect(await verifyTotals(db)).toEqual([])
  },
)

test('sales that arrive while a backdating waits for others do not overtake it', async () => {
  const { agents, sell, backdate, worthOf, typeId } = await soldByTwo()
  const [seller] = agents
  const ofASale = `select id from link_types where id = ${typeId} for share`
  await whileLocked(ofASale, async ({ waiting, release }) => {
    const done = backdate()
    await waiting(1)
    const sale = sell(seller)
    await waiting(2)
    await release()
    expect((await done).body).toMatchObject({ sales: 2 })
    expect((await sale).json()).toMatchObject({ outcome: 'recorded' })
  })
  expect(await worthOf(seller)).toEqual([-50_00, 450_00, 500_00])
})

test('a merchant whose sale has waited too long for a backdating is told to retry', async () => {
  const { agents, sell, worthOf, typeId } = await soldByTwo()
  const [seller] = agents
  const asABackdating = isDistributed
    ? `select pg_advisory_xact_lock(${lockIds.rates}, ${typeId})`
    : `select id from link_types where id = ${typeId} for update`
  const tid = randomUUID()
  await whileLocked(asABackdating, async ({ waiting, timeOut }) => {
    const sale = sell(seller, tid)
    await waiting(1)
    await timeOut()
    expect((await sale).statusCode).toBe(503)
    expect((await sale).headers['retry-after']).toBe('1')
  })
  expect(await worthOf(seller)).toEqual([500_00])
  expect((await sell(seller, tid)).json()).toMatchObject({ outcome: 'recorded' })
})

type Locked = {
  /** Waits until this many sessions wait for a lock. */
  waiting: (sessions: number) => Promise<void>
  release: () => Promise<unknown>
  /** Cancels what waits for a lock, with the SQLSTATE of a statement timeout. */
  timeOut: () => Promise<unknown>
}

/** Runs `fn` while another session holds the locks of a statement. */
async function whileLocked(statement: string, fn: (locked: Locked) => Promise<void>) {
  const open = async () => {
    const client = new pg.Client(connection.url)
    await client.connect()
    return client
  }
  const [holder, watcher] = [await open(), await open()]
  const waits = `
    select distinct pid from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database()`
  try {
    await holder.query(`begin; ${statement}`)
    await fn({
      waiting: (sessions) => until(async () => (await watcher.query(waits)).rowCount === sessions),
      release: () => holder.query('rollback'),
      timeOut: () => watcher.query(`select pg_cancel_backend(pid) from (${waits}) as waiting`),
    })
  } finally {
    await holder.end()
    await watcher.end()
  }
}
