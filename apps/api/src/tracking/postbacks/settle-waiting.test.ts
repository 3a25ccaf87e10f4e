import { expect, test } from 'vitest'
import { buildAgent, buildClick, buildOffice } from '../../../test/build-world.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { about } from '../../../test/test-clock.ts'
import { startUnstoredNonces } from '../clicks/click-id-signer.ts'
import { findOpenPostbacks } from './open-postbacks.queries.ts'
import { deliverAgain } from './settle-by-hand.ts'
import { settleWaiting, UNMATCHED_AFTER_MS } from './settle-waiting.ts'

const { db, clock, services, inbound, officeId, agentId, merchant, kept, eventsOf, pendingOf } =
  await postbackWorld()

const settled = (id: string) =>
  db.selectFrom('postback_settlements').selectAll().where('postback_id', '=', id).execute()

test('a sale whose click has not arrived waits, and is recorded once it has', async () => {
  const { siteId, typeId, get } = await merchant()
  const fields = { agentId, typeId, clickedAtMs: clock.peek().getTime(), nonce: 77 }
  const answer = await get({ cid: inbound.clickIds.sign(fields), tid: '1' })
  expect(answer.statusCode).toBe(202)
  expect(answer.json()).toMatchObject({ outcome: 'waiting' })

  clock.advance(5_000)
  await settleWaiting(services)
  expect(await eventsOf(siteId)).toEqual([])

  await buildClick(db, {
    agent_id: agentId,
    office_id: officeId,
    site_id: siteId,
    type_id: typeId,
    clicked_at: new Date(fields.clickedAtMs),
    nonce: 77,
  })
  clock.advance(60_000)
  await Promise.all([settleWaiting(services), settleWaiting(services), settleWaiting(services)])
  const [event] = await eventsOf(siteId)
  expect(event).toMatchObject({
    quantity: 1,
    postback_id: answer.json().id,
    occurred_at: (await kept(answer.json().id)).received_at,
    recorded_at: about(clock.peek()),
  })
  expect(await pendingOf(siteId)).toHaveLength(1)
  expect(await settled(answer.json().id)).toMatchObject([
    { outcome: 'recorded', event_id: event?.id, settled_by: null },
  ])
  const queue = db.selectFrom('waiting_postbacks').select('postback_id')
  expect(await queue.where('postback_id', '=', answer.json().id).execute()).toEqual([])
})

test('if a click has not arrived within an hour, its id is trusted', async () => {
  const { siteId, typeId, get } = await merchant()
  const moved = await buildAgent(db, { office_id: await buildOffice(db) })
  const fields = { agentId: moved, typeId, clickedAtMs: clock.peek().getTime(), nonce: 78 }
  await get({ cid: inbound.clickIds.sign(fields), tid: '1' })
  await db.updateTable('agents').set({ office_id: officeId }).where('id', '=', moved).execute()

  clock.advance(59 * 60_000)
  await settleWaiting(services)
  expect(await eventsOf(siteId)).toEqual([])
  clock.advance(11 * 60_000)
  await settleWaiting(services)
  expect(await eventsOf(siteId)).toMatchObject([{ agent_id: moved, office_id: officeId }])

  const retry = await get({ cid: inbound.clickIds.sign(fields), tid: '1' })
  expect([retry.statusCode, retry.json()]).toMatchObject([200, { outcome: 'duplicate' }])
})

test('a sale of a click that is not stored waits for nothing', async () => {
  const { siteId, typeId, get } = await merchant()
  const fields = {
    agentId,
    typeId,
    clickedAtMs: clock.peek().getTime(),
    nonce: startUnstoredNonces()(),
  }
  const report = { cid: inbound.clickIds.sign(fields), tid: '1' }
  expect((await get(report)).statusCode).toBe(201)
  expect(await eventsOf(siteId)).toMatchObject([{ agent_id: agentId, office_id: officeId }])
  expect((await get(report)).json()).toMatchObject({ outcome: 'duplicate' })
})

test('a reversal that arrives before its sale waits for it', async () => {
  const { siteId, click, get } = await merchant()
  const clickId = await click()
  expect((await get({ cid: clickId, tid: '1', event: 'void' })).statusCode).toBe(202)
  await get({ cid: clickId, tid: '1' })
  clock.advance(5_000)
  await settleWaiting(services)
  expect((await eventsOf(siteId)).map((event) => event.quantity)).toEqual([1, -1])
})

test('what a waiting reversal reverses is remembered', async () => {
  const { siteId, click, get } = await merchant()
  const clickId = await click()
  await get({ cid: clickId, tid: '1', event: 'void', Reverses: 'Bonus' })
  await get({ cid: clickId, tid: '1' })
  await get({ cid: clickId, tid: '1', event: 'bonus' })
  clock.advance(5_000)
  await settleWaiting(services)
  expect((await eventsOf(siteId)).map((row) => [row.event_type, row.quantity])).toEqual([
    [0, 1],
    [1, 1],
    [1, -1],
  ])
})

test('a reversal whose sale has not come for three days is counted as unmatched, until it is settled', async () => {
  const { siteId, click, get } = await merchant()
  const clickId = await click()
  const from = clock.peek()
  const { id } = (await get({ cid: clickId, tid: '1', event: 'void' })).json<{ id: string }>()
  const open = async (atMs: number) => {
    clock.set(new Date(atMs).toISOString())
    await settleWaiting(services)
    const unmatchedBefore = new Date(atMs - UNMATCHED_AFTER_MS)
    const { waiting, unmatched } = await findOpenPostbacks(db, {
      from,
      today: '2026-03-10',
      unmatchedBefore,
    })
    return { waiting: waiting.count, unmatched: unmatched.count }
  }
  const end = from.getTime() + UNMATCHED_AFTER_MS
  expect(await open(end - 1)).toEqual({ waiting: 1, unmatched: 0 })
  expect(await open(end)).toEqual({ waiting: 0, unmatched: 1 })
  const dayAfter = end + 86_400_000
  expect(await open(dayAfter)).toEqual({ waiting: 0, unmatched: 1 })
  await get({ cid: clickId, tid: '1' })
  await deliverAgain(services, id, 1)
  expect(await open(dayAfter)).toEqual({ waiting: 0, unmatched: 0 })
  expect((await eventsOf(siteId)).map((event) => event.quantity)).toEqual([1, -1])
})
