import { decisionsEndpoints } from '@tallyroom/contract/tracking/decisions'
import { heldPostbacksEndpoints } from '@tallyroom/contract/tracking/held-postbacks'
import { postbacksEndpoints } from '@tallyroom/contract/tracking/postbacks'
import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildAccount } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { findTierPay } from '../../pay/index.ts'
import { findOpenPostbacks } from '../postbacks/open-postbacks.queries.ts'
import { decideSiteWord, settleDecided } from '../postbacks/decide-word.ts'
import { postbacksRoutes } from '../postbacks/postbacks.routes.ts'
import { carryOutDecisions } from './carry-out.ts'
import { decisionsRoutes } from './decisions.routes.ts'

const { db, clock, services, inbound, merchant, eventsOf } = await postbackWorld()
const call = await callRoutes([
  ...postbacksRoutes(services, inbound, findTierPay),
  ...decisionsRoutes(services, findTierPay),
])
const { decideHeldPostback, undoDecision, followUpHeldPostback, deciders } = decisionsEndpoints
const boss = await buildAccount(db, { username: 'boss' })
const other = await buildAccount(db, { username: 'other' })
const superadmin = { ...viewer(), accountId: boss, username: 'boss' }
const DAY = 86_400_000

beforeEach(async () => {
  clock.set('2026-03-10T16:00:00Z')
  for (const table of ['held_decisions', 'held_followups', 'held_postbacks'] as const)
    await db.deleteFrom(table).execute()
})

/** A sale dated an hour before its click. */
async function heldSale() {
  const made = await merchant()
  const time = new Date(clock.peek().getTime() - 3_600_000).toISOString()
  const cid = await made.click()
  const { id } = (await made.get({ cid, tid: 'A-1', time })).json()
  return { ...made, cid, id: String(id) }
}

const preview = async (id: string, act: string) =>
  (
    await call(superadmin, heldPostbacksEndpoints.previewHeldPostbacks, {
      body: { ids: [id], act },
    })
  ).body.items[0]

/** Decides what was shown. */
async function decide(id: string, act: string, who = superadmin) {
  const { effect } = await preview(id, act)
  const body = { act, effect: effect ?? 'none', reason: 'As agreed' }
  return (await call(who, decideHeldPostback, { params: { id }, body })).body
}
const undo = (id: string) => call(superadmin, undoDecision, { params: { id } })
const follow = (id: string, body: object, who = superadmin) =>
  call(who, followUpHeldPostback, { params: { id }, body })
const holdOf = async (siteId: number, body: object = {}) =>
  (await call(superadmin, postbacksEndpoints.searchPostbacks, { body: { siteId, ...body } })).body
    .items[0]?.hold
const settlementOf = (id: string) =>
  db.selectFrom('postback_settlements').selectAll().where('postback_id', '=', id).executeTakeFirst()
const factsOf = (id: string) =>
  db
    .selectFrom('facts')
    .select(['account_id as to', 'by_account_id as by', 'subject'])
    .where(sql`subject ->> 'postbackId'`, '=', id)
    .execute()
const openOn = async (today: string) =>
  (
    await findOpenPostbacks(db, { from: new Date(0), unmatchedBefore: new Date(0), today })
  ).held.reduce((sum, { count }) => sum + count, 0)

describe('a decision', () => {
  test('changes nothing for a minute, and is then carried out as decided', async () => {
    const { id, siteId } = await heldSale()
    const decided = await decide(id, 'record')
    expect(decided).toMatchObject({
      state: 'settled',
      undoUntil: expect.stringMatching(/^2026-03-10T16:01:00/),
      changes: [{ quantity: 1 }],
    })
    clock.set('2026-03-10T16:00:59Z')
    await carryOutDecisions(services)
    expect(await eventsOf(siteId)).toEqual([])
    expect(await holdOf(siteId)).toEqual({
      kind: 'early',
      acts: [],
      since: expect.any(String),
      decided: {
        act: 'record',
        by: 'boss',
        undoUntil: expect.stringMatching(/^2026-03-10T16:01:00/),
      },
    })
    clock.set('2026-03-10T16:01:02Z')
    await Promise.all([carryOutDecisions(services), carryOutDecisions(services)])
    expect((await eventsOf(siteId)).map(({ quantity }) => quantity)).toEqual([1])
    expect(await settlementOf(id)).toMatchObject({
      outcome: 'recorded',
      settled_by: boss,
      act: 'record',
      note: 'As agreed',
    })
    expect(await db.selectFrom('held_decisions').selectAll().execute()).toEqual([])
  })

  test('is undone within its minute, without a trace, and can be made again', async () => {
    const { id, siteId } = await heldSale()
    await decide(id, 'refuse')
    expect((await undo(id)).status).toBe(200)
    clock.advance(2 * 60_000)
    await carryOutDecisions(services)
    expect(await settlementOf(id)).toBeUndefined()
    expect(await holdOf(siteId)).toMatchObject({ acts: ['record', 'refuse'] })
    expect(await holdOf(siteId)).not.toHaveProperty('decided')
    await decide(id, 'record')
    clock.advance(2 * 60_000)
    await carryOutDecisions(services)
    expect((await eventsOf(siteId)).map(({ quantity }) => quantity)).toEqual([1])
  })

  test('that is done can’t be undone: the answer says what to do instead', async () => {
    const refused = await heldSale()
    const recorded = await heldSale()
    await decide(refused.id, 'refuse')
    await decide(recorded.id, 'record')
    clock.advance(2 * 60_000)
    await carryOutDecisions(services)
    expect(await undo(refused.id)).toMatchObject({
      status: 409,
      body: {
        message:
          'Its minute is over, and it is done. No sale has changed. If it should count, let the merchant send it again.',
      },
    })
    expect((await undo(recorded.id)).body.message).toMatch(/let the merchant report the opposite/)
    await closePeriodWith(recorded.siteId)
    expect((await undo(recorded.id)).body.message).toBe(
      'Its minute is over, and it is done. The pay period 2026-03-A is closed with it: correct the amount with an adjustment, under Pay.',
    )
    expect(await undo((await heldSale()).id)).toMatchObject({
      status: 409,
      body: { message: 'Nothing is decided about this postback. It still waits.' },
    })
    expect((await undo('018f2c5e-0000-7000-8000-000000000001')).status).toBe(404)
  })

  test('is the only one: until it is done or undone, nobody decides otherwise or delivers it again', async () => {
    const { id } = await heldSale()
    const both = await Promise.all([decide(id, 'record'), decide(id, 'refuse')])
    expect(new Set(both.map(({ state }) => state))).toEqual(new Set(['impossible', 'settled']))
    const settle = heldPostbacksEndpoints.settleHeldPostbacks
    const body = { ids: [id], act: 'refuse', reason: 'At once' }
    expect((await call(superadmin, settle, { body })).body.items).toMatchObject([
      { state: 'impossible', reason: 'It was decided a moment ago. Undo that first.' },
    ])
    const again = postbacksEndpoints.deliverPostback
    expect((await call(superadmin, again, { params: { id } })).status).toBe(409)
  })

  test('about one report is not overruled by what its word is decided to mean', async () => {
    const { siteId, get, click } = await merchant()
    const sent = await get({ cid: await click(), tid: 'A-1', customer_state: 'void' })
    const id = String(sent.json().id)
    await decide(id, 'refuse')
    const word = { parameter: 'customer_state', value: 'void', event: 'sale' } as const
    const decision = { ...word, reading: 'nothing', reason: 'As agreed' } as const
    expect(await decideSiteWord(services, superadmin, siteId, decision)).toEqual({
      settled: 0,
      held: 1,
    })
    await settleDecided(services)
    expect(await eventsOf(siteId)).toEqual([])
    await undo(id)
    await settleDecided(services)
    expect(await eventsOf(siteId)).toHaveLength(1)
  })

  test('is found apart from what was put off', async () => {
    const decided = await heldSale()
    const putOff = await heldSale()
    await decide(decided.id, 'refuse')
    await follow(putOff.id, { putOffUntil: '2026-03-12' })
    const found = async (body: object) =>
      (await call(superadmin, postbacksEndpoints.searchPostbacks, { body })).body
    expect(await found({ decided: true })).toMatchObject({ total: 1, items: [{ id: decided.id }] })
    const off = await found({ outcome: 'conflict', due: false, decided: false })
    expect(off).toMatchObject({ total: 1, items: [{ id: putOff.id }] })
  })

  test('about a word is made by another call, for all of its reports', async () => {
    const { id } = await heldSale()
    const settle = heldPostbacksEndpoints.settleHeldPostbacks
    const act = 'word-takes-back'
    for (const answer of [
      await call(superadmin, settle, { body: { ids: [id], act, reason: 'As agreed' } }),
      await call(superadmin, decideHeldPostback, {
        params: { id },
        body: { act, effect: 'any', reason: 'As agreed' },
      }),
    ])
      expect(answer).toMatchObject({ status: 422, body: { data: { act: [expect.any(String)] } } })
  })

  test('of something else than was shown is not made', async () => {
    const { id } = await heldSale()
    const body = { act: 'record', effect: 'another', reason: 'As agreed' }
    expect(
      (await call(superadmin, decideHeldPostback, { params: { id }, body })).body,
    ).toMatchObject({ state: 'held', undoUntil: null })
    expect(await db.selectFrom('held_decisions').selectAll().execute()).toEqual([])
  })

  test('that would do something else by then is not done, and superadmins are told', async () => {
    const { id, siteId, get, cid } = await heldSale()
    await decide(id, 'record')
    // The merchant corrects its time in between.
    expect((await get({ cid, tid: 'A-1' })).statusCode).toBe(201)
    clock.advance(2 * 60_000)
    await carryOutDecisions(services)
    expect(await eventsOf(siteId)).toHaveLength(1)
    expect(await settlementOf(id)).toBeUndefined()
    expect(await factsOf(id)).toMatchObject([
      {
        to: null,
        by: null,
        subject: {
          by: 'boss',
          reason: expect.stringMatching(/^What boss decided was not done\. /),
          notDone: true,
        },
      },
    ])
  })

  test.each([
    ['act', { act: 'refuse' }],
    ['effect', { effect: 'another' }],
    ['note', { note: 'Another' }],
    ['decided_by', { decided_by: 1 }],
  ])('whose row was changed by SQL (%s) is not carried out', async (_column, change) => {
    const { id, siteId } = await heldSale()
    await decide(id, 'record')
    await db.updateTable('held_decisions').set(change).where('postback_id', '=', id).execute()
    clock.advance(2 * 60_000)
    await carryOutDecisions(services)
    expect(await eventsOf(siteId)).toEqual([])
    expect(await settlementOf(id)).toBeUndefined()
    expect((await factsOf(id)).map(({ subject }) => subject)).toMatchObject([
      { reason: expect.stringMatching(/It was not made here\.$/) },
    ])
  })

  test('that can’t be carried out now does not keep others from it, and is tried again', async () => {
    const first = await heldSale()
    const second = await heldSale()
    await decide(first.id, 'record')
    clock.advance(1_000)
    await decide(second.id, 'record')
    clock.advance(2 * 60_000)
    let failed = false
    const failing = new Proxy(services.ledger, {
      get(of, name, receiver) {
        if (!failed) {
          failed = true
          throw new Error('The disk is full')
        }
        return Reflect.get(of, name, receiver) as unknown
      },
    })
    await expect(carryOutDecisions({ ...services, ledger: failing })).rejects.toThrow('disk')
    await carryOutDecisions(services)
    expect([await eventsOf(first.siteId), await eventsOf(second.siteId)]).toMatchObject([[], [{}]])
    clock.advance(61_000)
    await carryOutDecisions(services)
    expect(await eventsOf(first.siteId)).toHaveLength(1)
  })
})

describe('a question', () => {
  test('that is put off leaves the queue and Home until its day', async () => {
    const { id, siteId } = await heldSale()
    const before = await openOn('2026-03-10')
    expect((await follow(id, { putOffUntil: '2026-03-12' })).status).toBe(200)
    expect(await openOn('2026-03-11')).toBe(before - 1)
    expect(await openOn('2026-03-12')).toBe(before)
    expect(await holdOf(siteId, { due: true })).toBeUndefined()
    expect(await holdOf(siteId, { due: false })).toMatchObject({
      putOffUntil: '2026-03-12',
      acts: ['record', 'refuse'],
    })
    clock.advance(2 * DAY)
    expect(await holdOf(siteId, { due: true })).toMatchObject({ putOffUntil: '2026-03-12' })
    clock.advance(-2 * DAY)
    await follow(id, { putOffUntil: null })
    expect(await holdOf(siteId, { due: true })).not.toHaveProperty('putOffUntil')
  })

  test('is given to somebody, who is told, and keeps them while it is put off', async () => {
    const { id, siteId } = await heldSale()
    expect((await call(superadmin, deciders, {})).body).toEqual([
      { id: boss, username: 'boss' },
      { id: other, username: 'other' },
    ])
    await follow(id, { assignedTo: other })
    await follow(id, { putOffUntil: '2026-03-20' })
    expect(await holdOf(siteId)).toMatchObject({
      putOffUntil: '2026-03-20',
      assignedTo: { id: other, username: 'other' },
    })
    expect(await factsOf(id)).toMatchObject([{ to: other, by: boss, subject: { by: 'boss' } }])
    await follow(id, { assignedTo: boss })
    expect(await factsOf(id)).toHaveLength(1) // whoever takes it needs no notice
    await follow(id, { assignedTo: null })
    expect(await holdOf(siteId)).not.toHaveProperty('assignedTo')
  })

  test('is put off by days to come, and given to those who may decide', async () => {
    const { id } = await heldSale()
    for (const putOffUntil of ['2026-03-10', '2026-03-09', '2026-06-09'])
      expect((await follow(id, { putOffUntil })).body.data).toHaveProperty('putOffUntil')
    const admin = await buildAccount(db, { username: 'ann', role: roleNumber('admin') })
    const gone = { username: 'gone', role: roleNumber('superadmin'), suspended: true }
    for (const assignedTo of [admin, await buildAccount(db, gone), 999_999])
      expect((await follow(id, { assignedTo })).body.data).toHaveProperty('assignedTo')
    expect((await follow('018f2c5e-0000-7000-8000-000000000001', {})).status).toBe(404)
    await decide(id, 'refuse')
    clock.advance(2 * 60_000)
    await carryOutDecisions(services)
    expect((await follow(id, { putOffUntil: '2026-03-12' })).status).toBe(409)
    expect(
      await db.selectFrom('held_followups').selectAll().where('postback_id', '=', id).execute(),
    ).toEqual([])
  })

  test('that is decided a moment ago is in no queue', async () => {
    const { id, siteId } = await heldSale()
    const before = await openOn('2026-03-10')
    await decide(id, 'refuse')
    expect(await openOn('2026-03-10')).toBe(before - 1)
    expect(await holdOf(siteId, { due: true })).toBeUndefined()
    expect(await holdOf(siteId, { due: false })).toHaveProperty('decided')
  })
})

/** As a closing leaves the sales of a site. */
async function closePeriodWith(siteId: number): Promise<void> {
  const { id: periodId } = await db
    .insertInto('pay_periods')
    .values({
      name: '2026-03-A',
      start_day: '2026-03-01',
      end_day: '2026-03-15',
      payees: 'offices',
      period_length: 'beWeek',
      avp: 'information',
      closed_at: clock.now(),
      closed_by: boss,
      closed_by_name: 'boss',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const event of await eventsOf(siteId))
    await db
      .insertInto('bookings')
      .values({
        agent_id: event.agent_id,
        event_id: event.id,
        period_id: periodId,
        payee_kind: 'office',
        payee_id: event.office_id,
        day: '2026-03-10',
        paid_by: 'rate',
        event_type: event.event_type,
        quantity: event.quantity,
        office_id: event.office_id,
        site_id: event.site_id,
        type_id: event.type_id,
        rate_source: event.rate_source,
        rate_centavos: event.payout_centavos,
        payout_centavos: event.payout_centavos,
        earning_cents: event.earning_cents,
        fraud: false,
        settled_outside: false,
        agent_name: 'maria',
        office_name: 'Manila',
        site_name: 'Alpha',
        type_name: 'Free',
      })
      .execute()
}
