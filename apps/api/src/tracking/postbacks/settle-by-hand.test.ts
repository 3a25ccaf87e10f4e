import { randomUUID } from 'node:crypto'
import {
  type HeldResult,
  heldPostbacksEndpoints,
} from '@tallyroom/contract/tracking/held-postbacks'
import { postbacksEndpoints } from '@tallyroom/contract/tracking/postbacks'
import { describe, expect, test } from 'vitest'
import { buildClick } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { about } from '../../../test/test-clock.ts'
import { findTierPay } from '../../pay/index.ts'
import { postbacksRoutes } from './postbacks.routes.ts'
import { settleWaiting } from './settle-waiting.ts'

const { db, clock, services, inbound, kept, officeId, agentId, merchant, eventsOf, pendingOf } =
  await postbackWorld()
const call = await callRoutes(postbacksRoutes(services, inbound, findTierPay))
const { searchPostbacks, deliverPostback } = postbacksEndpoints

const superadmin = viewer()
const MINUTE = 60_000
const DAY = 86_400_000
const ago = (ms: number) => new Date(clock.peek().getTime() - ms).toISOString()

/** 409 stands for an act that cannot be done. */
async function decide(id: string, act: string) {
  const { status, body } = await call(superadmin, heldPostbacksEndpoints.settleHeldPostbacks, {
    body: { ids: [id], act, reason: 'As agreed by telephone' },
  })
  const [result]: (HeldResult | undefined)[] = body?.items ?? []
  return { status: result?.state === 'impossible' ? 409 : status, body: result }
}
const deliver = (id: string) => call(superadmin, deliverPostback, { params: { id } })
const listed = async (siteId: number, body: object = {}) =>
  (await call(superadmin, searchPostbacks, { body: { siteId, ...body } })).body.items

const quantities = async (siteId: number) => (await eventsOf(siteId)).map((row) => row.quantity)

/** A sale of today's click, dated two months ago, in a period that has been paid. */
async function heldSale() {
  const made = await merchant()
  const clickedAt = clock.peek()
  const cid = await made.click()
  const report = { cid, tid: 'A-1', time: ago(60 * DAY) }
  const answer = await made.get(report)
  return { ...made, cid, clickedAt, report, answer, id: answer.json().id as string }
}

describe('a sale dated before its click', () => {
  test('is stored as a conflict, which says why and is not counted', async () => {
    const { siteId, answer, id, clickedAt, report } = await heldSale()
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({
      code: 'CONFLICT',
      outcome: 'conflict',
      reason: 'It is dated more than five minutes before its click.',
    })
    expect(await eventsOf(siteId)).toEqual([])
    expect(await pendingOf(siteId)).toEqual([])
    expect(await listed(siteId, { outcome: 'conflict' })).toMatchObject([
      { id, occurredAt: report.time, earliestAt: clickedAt.toISOString(), settledAt: null },
    ])
  })

  test('counts at its own date if it is at most five minutes earlier', async () => {
    const { siteId, click, get } = await merchant()
    const time = ago(5 * MINUTE)
    expect((await get({ cid: await click(), tid: '1', time })).statusCode).toBe(201)
    expect(await eventsOf(siteId)).toMatchObject([{ occurred_at: new Date(time) }])
    const earlier = new Date(Date.parse(time) - 1).toISOString()
    expect((await get({ cid: await click(), tid: '2', time: earlier })).statusCode).toBe(409)
  })

  test('is recorded at the time of the click when somebody decides so, once', async () => {
    const { siteId, id, clickedAt, report, get } = await heldSale()
    clock.advance(DAY)
    const both = await Promise.all([decide(id, 'record'), decide(id, 'record')])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
    const [event, ...more] = await eventsOf(siteId)
    expect(more).toEqual([])
    expect(event).toMatchObject({
      occurred_at: clickedAt,
      quantity: 1,
      recorded_at: about(clock.peek()),
    })
    expect((await pendingOf(siteId)).map(({ day }) => day)).toEqual(['2026-03-10'])
    const { body } = both.find(({ status }) => status === 200) ?? {}
    expect(body).toMatchObject({ id, outcome: 'recorded', eventId: event?.id })
    expect(await listed(siteId)).toMatchObject([
      {
        outcome: 'recorded',
        eventId: event?.id,
        earliestAt: null,
        reason: 'Counted at the time of its click, because it was dated earlier.',
      },
    ])
    expect(await listed(siteId, { outcome: 'recorded-at-zero' })).toEqual([])
    // The merchant sends it again, with its own time.
    expect((await get(report)).json()).toMatchObject({ outcome: 'duplicate', eventId: event?.id })
    clock.set('2026-03-10T16:00:00Z')
  })

  test('is shown as what its site calls it', async () => {
    for (const flag of [false, true]) {
      const made = await merchant({ use_approve_sale: flag })
      const report = { cid: await made.click(), time: ago(60 * DAY) }
      const event = flag ? 'approval' : 'sale'
      const { id } = (await made.get({ ...report, tid: 'A-1', event })).json()
      expect((await decide(id, 'record')).body?.changes).toMatchObject([
        { eventType: 0, useApproveSale: flag, quantity: 1 },
      ])
    }
  })

  test('is refused when somebody decides so', async () => {
    const { siteId, id } = await heldSale()
    expect((await decide(id, 'refuse')).body).toMatchObject({ id, outcome: 'refused' })
    expect(await eventsOf(siteId)).toEqual([])
    expect(await listed(siteId)).toMatchObject([
      {
        outcome: 'refused',
        reason: 'Refused by staff.',
        earliestAt: null,
      },
    ])
    expect(
      await db
        .selectFrom('postback_settlements')
        .selectAll()
        .where('postback_id', '=', id)
        .execute(),
    ).toMatchObject([{ outcome: 'refused', settled_by: superadmin.accountId }])
    for (const decision of ['record', 'refuse'])
      expect((await decide(id, decision)).status).toBe(409)
    expect((await deliver(id)).status).toBe(409)
  })

  test('of two concurrent decisions, one wins', async () => {
    for (let round = 0; round < 5; round++) {
      const { siteId, id } = await heldSale()
      const [record, refuse] = await Promise.all([decide(id, 'record'), decide(id, 'refuse')])
      expect(new Set([record.status, refuse.status])).toEqual(new Set([200, 409]))
      const isRecorded = record.status === 200
      expect(await quantities(siteId)).toEqual(isRecorded ? [1] : [])
      expect(await listed(siteId)).toMatchObject([{ outcome: isRecorded ? 'recorded' : 'refused' }])
    }
  })

  test('stays undecided when delivered again', async () => {
    const { siteId, id } = await heldSale()
    expect((await deliver(id)).body).toMatchObject({ id, outcome: 'conflict' })
    expect(await eventsOf(siteId)).toEqual([])
    expect(await listed(siteId)).toMatchObject([
      { outcome: 'conflict', earliestAt: expect.any(String) },
    ])
  })

  test('if reported twice, it is settled for each report and counts once', async () => {
    const { siteId, id, get, report } = await heldSale()
    const second = (await get(report)).json().id
    expect((await decide(id, 'record')).body?.outcome).toBe('recorded')
    expect((await decide(second, 'record')).body?.outcome).toBe('duplicate')
    expect(await quantities(siteId)).toEqual([1])
  })

  test('of an order that is already recorded is a duplicate', async () => {
    const { siteId, click, get } = await merchant()
    const cid = await click()
    await get({ cid, tid: '1' })
    expect((await get({ cid, tid: '1', time: ago(DAY) })).json().outcome).toBe('duplicate')
    const other = await get({ cid: await click(), tid: '1', time: ago(DAY) })
    expect(other.json()).toMatchObject({
      outcome: 'conflict',
      reason: expect.stringContaining('to another click'),
    })
    expect(await listed(siteId, { outcome: 'conflict' })).toMatchObject([{ earliestAt: null }])
  })

  test('whose click is missing is held, too, and can be recorded before the click arrives', async () => {
    const { siteId, typeId, get } = await merchant()
    const clickedAt = clock.peek()
    const fields = { agentId, typeId, clickedAtMs: clickedAt.getTime(), nonce: 5 }
    const answer = await get({ cid: inbound.clickIds.sign(fields), tid: '1', time: ago(DAY) })
    expect(answer.statusCode).toBe(409)
    expect((await decide(answer.json().id, 'record')).body?.outcome).toBe('recorded')
    expect(await eventsOf(siteId)).toMatchObject([{ occurred_at: clickedAt, office_id: officeId }])
  })

  test('that has waited since a version without this rule is held when it is retried', async () => {
    const { siteId, typeId, get } = await merchant()
    const clickedAt = clock.peek()
    const fields = { agentId, typeId, clickedAtMs: clickedAt.getTime(), nonce: 6 }
    const cid = inbound.clickIds.sign(fields)
    const { id } = (await get({ cid, tid: '1' })).json()
    const row = await kept(id)
    const early = { ...row, params: '{}', id: randomUUID(), occurred_at: new Date(ago(DAY)) }
    await db.insertInto('postbacks').values(early).execute()
    await db
      .updateTable('waiting_postbacks')
      .set({ postback_id: early.id })
      .where('postback_id', '=', id)
      .execute()
    await buildClick(db, {
      agent_id: agentId,
      office_id: officeId,
      site_id: siteId,
      type_id: typeId,
      clicked_at: clickedAt,
      nonce: 6,
    })
    clock.advance(5_000)
    await settleWaiting(services)
    expect(await eventsOf(siteId)).toEqual([])
    expect(await listed(siteId, { outcome: 'conflict' })).toMatchObject([
      { id: early.id, earliestAt: clickedAt.toISOString() },
    ])
    clock.set('2026-03-10T16:00:00Z')
  })
})

describe('a reversal dated before its sale', () => {
  test.each([true, false])('is held; with its click id: %s', async (withClick) => {
    const { siteId, click, get } = await merchant()
    const cid = await click({ clicked_at: new Date(clock.peek().getTime() - 3 * DAY) })
    const soldAt = new Date(clock.peek().getTime() - DAY)
    await get({ cid, tid: 'A-1', time: soldAt.toISOString() })
    const report = {
      event: 'chargeback',
      tid: 'A-1',
      time: ago(2 * DAY),
      ...(withClick && { cid }),
    }
    const answer = await get(report)
    expect(answer.statusCode).toBe(409)
    expect(answer.json().reason).toBe('It is dated more than five minutes before its sale.')
    expect(await quantities(siteId)).toEqual([1])

    const { id } = answer.json()
    expect((await decide(id, 'record')).body).toMatchObject({ outcome: 'recorded' })
    expect((await eventsOf(siteId)).map((row) => [row.quantity, row.occurred_at])).toEqual([
      [1, soldAt],
      [-1, soldAt],
    ])
    expect((await get(report)).json()).toMatchObject({ outcome: 'duplicate' })
    expect((await decide(id, 'record')).status).toBe(409)
  })

  test('is compared with the click of a sale that was dated some minutes before it', async () => {
    const { click, get } = await merchant()
    const clickedAt = clock.peek()
    await get({ cid: await click(), tid: 'A-1', time: ago(4 * MINUTE) })
    const early = await get({ event: 'void', tid: 'A-1', time: ago(6 * MINUTE) })
    expect(early.json()).toMatchObject({ outcome: 'conflict' })
    const { id } = early.json()
    expect((await decide(id, 'record')).body).toMatchObject({ outcome: 'recorded' })
    const events = await db
      .selectFrom('sale_events')
      .select('occurred_at')
      .where('reversal', '=', 'void')
      .where('postback_id', '=', id)
      .execute()
    expect(events).toEqual([{ occurred_at: clickedAt }])
  })

  test('of a sale that was already reversed is a duplicate', async () => {
    const { siteId, click, get } = await merchant()
    const cid = await click()
    await get({ cid, tid: 'A-1' })
    await get({ tid: 'A-1', event: 'void' })
    const answer = await get({ tid: 'A-1', event: 'chargeback', time: ago(DAY) })
    expect(answer.json()).toMatchObject({ outcome: 'duplicate' })
    expect(await quantities(siteId)).toEqual([1, -1])
  })

  test('that waited for its sale becomes a conflict when the sale arrives', async () => {
    const { siteId, click, get } = await merchant()
    const cid = await click()
    const { id } = (await get({ event: 'void', tid: 'A-1', time: ago(DAY) })).json()
    expect(await listed(siteId)).toMatchObject([{ outcome: 'waiting', earliestAt: null }])
    expect((await decide(id, 'record')).status).toBe(409)
    await get({ cid, tid: 'A-1' })
    clock.advance(5_000)
    await Promise.all([settleWaiting(services), settleWaiting(services)])
    expect(await quantities(siteId)).toEqual([1])
    expect(await listed(siteId, { outcome: 'waiting' })).toEqual([])
    expect(await listed(siteId, { outcome: 'conflict' })).toMatchObject([
      { id, reason: 'It is dated more than five minutes before its sale.' },
    ])
    clock.advance(4 * DAY)
    await settleWaiting(services)
    expect(await listed(siteId, { event: 'void' })).toMatchObject([{ outcome: 'conflict' }])
    expect((await deliver(id)).body).toMatchObject({ outcome: 'conflict' })
    expect((await decide(id, 'record')).body).toMatchObject({
      outcome: 'recorded',
      reason: 'Counted at the time of its sale, because it was dated earlier.',
    })
    expect(await quantities(siteId)).toEqual([1, -1])
    clock.set('2026-03-10T16:00:00Z')
  })
})

test('what another click has under its order number can’t be recorded or refused as such', async () => {
  const { click, get } = await merchant()
  await get({ cid: await click(), tid: '1' })
  const { id } = (await get({ cid: await click(), tid: '1' })).json()
  expect((await decide(id, 'record')).status).toBe(409)
  expect((await decide(id, 'keep-first')).body).toMatchObject({ outcome: 'refused' })
  expect((await decide('00000000-0000-7000-8000-000000000000', 'record')).status).toBe(409)
  expect((await decide(id, 'delete')).status).toBe(422)
  expect((await decide('7', 'record')).status).toBe(422)
})

test('the same applies to a test click', async () => {
  const { siteId, typeId, get } = await merchant()
  const { clickId } = (
    await call(superadmin, postbacksEndpoints.testPostback, {
      params: { siteId },
      body: { typeId },
    })
  ).body
  const early = await get({ cid: clickId, tid: 'T-1', time: ago(DAY) })
  expect(early.statusCode).toBe(409)
  expect((await decide(early.json().id, 'record')).body).toMatchObject({ outcome: 'recorded' })
  const answer = await get({ cid: clickId, tid: 'T-1', event: 'void' })
  expect(answer.statusCode).toBe(201)
  expect(await eventsOf(siteId)).toEqual([])
})
