import { heldPostbacksEndpoints } from '@tallyroom/contract/tracking/held-postbacks'
import { postbacksEndpoints } from '@tallyroom/contract/tracking/postbacks'
import { describe, expect, test } from 'vitest'
import { execute } from '../../../test/test-server.ts'
import { buildLinkType, buildSite } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { about } from '../../../test/test-clock.ts'
import { makeInbound } from './inbound.ts'
import { findTierPay } from '../../pay/index.ts'
import { postbacksRoutes } from './postbacks.routes.ts'
import { settleWaiting } from './settle-waiting.ts'

const { db, clock, services, inbound, app, agentId, merchant, eventsOf } = await postbackWorld()
const call = await callRoutes(postbacksRoutes(services, inbound, findTierPay))
const {
  searchPostbacks,
  deliverPostback,
  sitePostback,
  rotatePostbackKey,
  testPostback: sendTest,
} = postbacksEndpoints

const superadmin = viewer()
const search = async (body: object) => {
  const { status, body: answer } = await call(superadmin, searchPostbacks, { body })
  expect(status).toBe(200)
  return answer
}
const outcomesOf = async (body: object): Promise<string[]> =>
  (await search(body)).items.map((item: { outcome: string }) => item.outcome)
const deliver = (id: string) => call(superadmin, deliverPostback, { params: { id } })

test('only superadmins see keys and settle postbacks; admins read what arrived', async () => {
  const { siteId } = await merchant()
  const admin = viewer({ role: 'admin', officeId: undefined, agentId: undefined })
  const others = [
    admin,
    viewer({ role: 'company', officeId: 1, agentId: undefined }),
    viewer({ role: 'agent', officeId: 1, agentId }),
  ]
  for (const other of others) {
    for (const endpoint of Object.values(postbacksEndpoints)) {
      const mayRead = other === admin && endpoint.ability === 'postbacks.view'
      const params = { siteId, id: '00000000-0000-7000-8000-000000000000' }
      const { status } = await call(other, endpoint, { params, body: {} })
      if (mayRead) expect(status).not.toBe(403)
      else expect(status).toBe(403)
    }
  }
})

describe('the list', () => {
  test('shows each postback with its outcome, newest first', async () => {
    const { siteId, typeId, click, get } = await merchant()
    const cid = await click()
    const sale = (await get({ cid, tid: 'T-1' })).json()
    clock.advance(1_000)
    await get({ cid: 'forged' })
    clock.advance(1_000)
    await get({ cid, tid: 'T-2', event: 'void' })

    const { items, total } = await search({ siteId })
    expect(total).toBe(3)
    expect(items.map((item: { outcome: string }) => item.outcome)).toEqual([
      'waiting',
      'refused',
      'recorded',
    ])
    const site = await db
      .selectFrom('sites')
      .selectAll()
      .where('id', '=', siteId)
      .executeTakeFirst()
    const type = await db
      .selectFrom('link_types')
      .selectAll()
      .where('id', '=', typeId)
      .executeTakeFirst()
    const agent = await db
      .selectFrom('accounts')
      .innerJoin('agents', 'agents.id', 'accounts.agent_id')
      .innerJoin('offices', 'offices.id', 'agents.office_id')
      .select(['username', 'offices.name'])
      .where('accounts.agent_id', '=', agentId)
      .executeTakeFirst()
    expect(items[2]).toEqual({
      id: sale.id,
      receivedAt: about('2026-03-10T16:00:00.000Z'),
      siteId,
      sitename: site?.sitename,
      method: 'GET',
      ip: '192.0.2.1',
      params: expect.stringContaining('"tid": "T-1"'),
      clickId: cid,
      transactionId: 'T-1',
      event: 'sale',
      outcome: 'recorded',
      reason: null,
      eventId: sale.eventId,
      agentId: expect.any(Number),
      agent: agent?.username,
      companyId: expect.any(Number),
      officeName: agent?.name,
      typename: type?.typename,
      test: false,
      settledAt: null,
      occurredAt: about('2026-03-10T16:00:00.000Z'),
      earliestAt: null,
      hold: null,
    })
    expect(items[1].reason).toBe('click_id is not one of our click ids')
  })

  test('can be filtered by every field, paged and sorted', async () => {
    const { siteId, click, get } = await merchant()
    const cid = await click({ clicked_at: new Date('2026-03-08T04:00:00Z') })
    clock.set('2026-03-08T04:59:59.999Z') // the last moment of 7 March in New York
    await get({ cid, tid: 'a' })
    clock.set('2026-03-08T05:00:00Z')
    await get({ cid, tid: 'b', event: 'bonus' })
    clock.set('2026-03-10T16:10:00Z')
    await get({ cid, tid: 'b', event: 'bonus' })

    const transactions = async (body: object) =>
      (await search({ siteId, ...body })).items.map(
        (item: { transactionId: string }) => item.transactionId,
      )
    expect(await transactions({ event: 'Bonus' })).toEqual(['b', 'b'])
    expect(await transactions({ clickId: cid.toUpperCase() })).toEqual(['b', 'b', 'a'])
    expect(await transactions({ clickId: 'nothing' })).toEqual([])
    expect(await transactions({ transactionId: 'a' })).toEqual(['a'])
    expect(await transactions({ outcome: 'duplicate' })).toEqual(['b'])
    expect(await transactions({ start: '2026-03-08', end: '2026-03-08' })).toEqual(['b'])
    expect(await transactions({ end: '2026-03-07' })).toEqual(['a'])
    expect(await transactions({ sortAsc: true })).toEqual(['a', 'b', 'b'])
    expect(await transactions({ page: 2, pageSize: 2 })).toEqual(['a'])
    expect((await search({ siteId, page: 9, pageSize: 2 })).total).toBe(3)
    expect(await transactions({ event: '', clickId: null, outcome: null })).toHaveLength(3)
    for (const wrong of [{ outcome: 'lost' }, { sortField: 'params' }, { nobody: 1 }]) {
      expect((await call(superadmin, searchPostbacks, { body: wrong })).status).toBe(422)
    }
  })

  test('after a rotation of the secret, the click id in the click log finds its postbacks', async () => {
    const { siteId, click, get } = await merchant()
    const cid = await click()
    await get({ cid, tid: 'a' })
    const secret = Buffer.alloc(32, 'newer')
    const newer = makeInbound({ ...services, secret, formerSecrets: [services.secret] })
    const rotated = await callRoutes(postbacksRoutes(services, newer, findTierPay))
    const fields = newer.clickIds.read(cid)
    if (!fields) throw new Error('it was one of ours')
    for (const clickId of [cid, newer.clickIds.sign(fields)]) {
      const { body } = await rotated(superadmin, searchPostbacks, { body: { siteId, clickId } })
      expect(body.total).toBe(1)
    }
  })

  test('a waiting postback shows how it was settled, or after three days that it was not', async () => {
    const { siteId, click, get } = await merchant()
    const cid = await click()
    await get({ cid, tid: '1', event: 'void' })
    await get({ cid, tid: '2', event: 'void' })
    await get({ cid, tid: '1' })
    expect(await outcomesOf({ siteId, outcome: 'waiting' })).toHaveLength(2)
    clock.advance(5_000)
    await settleWaiting(services)
    const [settled] = (await search({ siteId, transactionId: '1', event: 'void' })).items
    expect(settled).toMatchObject({
      outcome: 'recorded',
      reason: null,
      settledAt: about(clock.peek()),
      eventId: expect.any(String),
    })

    clock.advance(3 * 86_400_000)
    expect(await outcomesOf({ siteId, outcome: 'waiting' })).toEqual([])
    expect(await outcomesOf({ siteId, outcome: 'unmatched' })).toEqual(['unmatched'])
    // Once shown as unmatched, it is retried once more and then left alone.
    await settleWaiting(services)
    expect(await db.selectFrom('waiting_postbacks').selectAll().execute()).toEqual([])
    expect(await outcomesOf({ siteId, outcome: 'unmatched' })).toEqual(['unmatched'])
  })
})

describe('an event recorded at zero because of a missing rate', () => {
  test('stays recorded, says so only to staff, and can be found', async () => {
    const { siteId, typeId, click, get } = await merchant()
    const cid = await click()
    await get({ cid, tid: 'a' })
    const answer = await get({ cid, tid: 'a', event: 'bonus' })
    expect(answer.json()).toEqual({
      id: expect.any(String),
      outcome: 'recorded',
      eventId: expect.any(String),
    })
    const noRate = 'Recorded at $0 and ₱0: its link type has no bonus rate.'
    const atZero = { siteId, outcome: 'recorded-at-zero' }
    expect((await search(atZero)).items).toMatchObject([
      { event: 'bonus', outcome: 'recorded', reason: noRate },
    ])
    expect(await outcomesOf({ siteId, outcome: 'recorded' })).toHaveLength(2)

    const late = { agentId, typeId, clickedAtMs: clock.peek().getTime(), nonce: siteId }
    const waiting = await get({ cid: inbound.clickIds.sign(late), tid: 'b', event: 'bonus' })
    expect((await deliver(waiting.json().id)).body).toMatchObject({ reason: noRate })
    expect((await search(atZero)).items).toMatchObject([
      { transactionId: 'b', reason: noRate },
      { transactionId: 'a' },
    ])

    await get({ tid: 'a', event: 'void', reverses: 'bonus' })
    await get({ cid, tid: 'c', event: 'click' })
    expect(await search(atZero)).toMatchObject({ total: 2 })
  })
})

describe('delivering again', () => {
  test('an unmatched reversal is recorded once its sale exists', async () => {
    const { siteId, click, get } = await merchant()
    const cid = await click()
    const { id } = (await get({ cid, tid: '1', event: 'void' })).json()
    clock.advance(3 * 86_400_000)
    await settleWaiting(services)
    expect((await deliver(id)).body).toMatchObject({ id, outcome: 'unmatched' })

    await get({ cid, tid: '1' })
    const { status, body } = await deliver(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, outcome: 'recorded' })
    expect((await eventsOf(siteId)).map((event) => event.quantity)).toEqual([1, -1])
    expect((await search({ siteId, event: 'void' })).items).toMatchObject([
      { outcome: 'recorded', eventId: body.eventId },
    ])
    expect((await deliver(id)).status).toBe(409)
  })

  test('an unmatched one can be refused instead, and no longer needs anybody', async () => {
    const { siteId, click, get } = await merchant()
    const { id } = (await get({ cid: await click(), tid: '1', event: 'void' })).json()
    const refusing = { ids: [id], act: 'refuse', reason: 'never sold' } as const
    const settle = (body: object) =>
      call(superadmin, heldPostbacksEndpoints.settleHeldPostbacks, { body })
    const refuse = () => settle(refusing)
    const early = (await refuse()).body as { items: object[] }
    expect(early.items).toMatchObject([{ state: 'impossible' }])

    clock.advance(3 * 86_400_000)
    await settleWaiting(services)
    const [open] = (await search({ siteId, holdKind: 'unmatched' })).items
    expect(open).toMatchObject({
      id,
      outcome: 'unmatched',
      hold: { kind: 'unmatched', acts: ['refuse'], since: about(clock.peek()) },
    })
    const recorded = { ids: [id], act: 'record', reason: 'x' } as const
    expect((await settle(recorded)).body).toMatchObject({ items: [{ state: 'impossible' }] })
    expect((await refuse()).body).toMatchObject({
      items: [{ state: 'settled', outcome: 'refused' }],
    })
    expect((await search({ siteId, holdKind: 'unmatched' })).items).toEqual([])
    expect((await search({ siteId, outcome: 'refused' })).items).toMatchObject([
      { id, hold: null, reason: expect.stringContaining('Refused by staff') },
    ])
    expect((await refuse()).body).toMatchObject({ items: [{ state: 'impossible' }] })
    expect((await deliver(id)).status).toBe(409)
  })

  test('if a click’s row is missing, its id is trusted on request', async () => {
    const { siteId, typeId, get } = await merchant()
    const fields = { agentId, typeId, clickedAtMs: clock.peek().getTime(), nonce: 1 }
    const { id } = (await get({ cid: inbound.clickIds.sign(fields) })).json()
    const [one, other] = await Promise.all([deliver(id), deliver(id)])
    expect(new Set([one.status, other.status])).toEqual(new Set([200, 409]))
    expect(await eventsOf(siteId)).toHaveLength(1)
  })

  test('a conflict remains while the first sale stands, however often it is delivered', async () => {
    const { siteId, click, get } = await merchant()
    await get({ cid: await click(), tid: '1' })
    const { id } = (await get({ cid: await click(), tid: '1' })).json()
    expect((await deliver(id)).body).toMatchObject({ id, outcome: 'conflict' })
    await execute(services.connection, `delete from sale_keys where sale_key like '${siteId}:%'`)
    expect((await deliver(id)).body).toMatchObject({ id, outcome: 'recorded' })
  })

  test('settled or missing postbacks are not delivered', async () => {
    const { click, get } = await merchant()
    const { id } = (await get({ cid: await click() })).json()
    expect((await deliver(id)).status).toBe(409)
    expect((await deliver('00000000-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await deliver('7')).status).toBe(422)
  })
})

describe("a site's page", () => {
  test('gives the address, the key, and a request that works once the key is in it', async () => {
    const siteId = await buildSite(db)
    await buildLinkType(db, { site_id: siteId })
    const { body } = await call(superadmin, sitePostback, { params: { siteId } })
    expect(body).toMatchObject({
      url: `${services.config.publicUrl}/api/postback/${siteId}`,
      previousKey: null,
      clickParam: 'click_id',
    })
    expect(body.example.startsWith(`${body.url}?key=…&click_id=`)).toBe(true)
    const { pathname, search: query } = new URL(body.example.replace('…', body.key))
    const answer = await app.inject(pathname + query)
    expect(answer.statusCode).toBe(201)
    expect((await call(superadmin, sitePostback, { params: { siteId } })).body.key).toBe(body.key)
  })

  test('rotating creates a new key and names the previous one', async () => {
    const { siteId, key } = await merchant()
    const rotated = await call(superadmin, rotatePostbackKey, { params: { siteId } })
    expect(rotated.body).toEqual({ key: expect.any(String), previousKey: key })
    expect(rotated.body.key).not.toBe(key)
    expect((await call(superadmin, sitePostback, { params: { siteId } })).body).toMatchObject(
      rotated.body,
    )
  })

  test('does not exist for a missing site', async () => {
    const gone = await buildSite(db, { deleted_at: new Date() })
    for (const siteId of [999_999, gone]) {
      for (const endpoint of [sitePostback, rotatePostbackKey]) {
        expect((await call(superadmin, endpoint, { params: { siteId } })).status).toBe(404)
      }
    }
  })
})

describe('sending a test', () => {
  test('shows the request, the answer and what such a sale would be worth', async () => {
    const { siteId, typeId } = await merchant()
    const params = { siteId }
    const first = (await call(superadmin, sendTest, { params, body: { typeId } })).body
    expect(first).toMatchObject({
      request: expect.stringMatching(/^GET http[^?]*\?key=…&click_id=/),
      status: 201,
      answer: { outcome: 'recorded' },
      earning: 25,
      payout: 500,
    })
    const { clickId, transactionId } = first
    const again = { typeId, clickId, transactionId }
    expect((await call(superadmin, sendTest, { params, body: again })).body).toMatchObject({
      clickId,
      transactionId,
      status: 200,
      answer: { outcome: 'duplicate', eventId: first.answer.eventId },
    })
    const reversal = await call(superadmin, sendTest, {
      params,
      body: { ...again, event: 'chargeback' },
    })
    expect(reversal.body).toMatchObject({ status: 201, earning: -25, payout: -500 })
    expect(await eventsOf(siteId)).toEqual([])
  })

  test("speaks the merchant's dialect", async () => {
    const { siteId, typeId } = await merchant({
      transaction_id_is_click: true,
      use_approve_sale: true,
      event_words: JSON.stringify({ sale: 'approval', rebill: 'sale' }),
    })
    const answer = await call(superadmin, sendTest, {
      params: { siteId },
      body: { typeId, event: 'sale' },
    })
    expect(answer.body).toMatchObject({ status: 201, answer: { outcome: 'recorded' } })
    expect(answer.body.request).toMatch(/transaction_id=\w{32}&order_id=test-\w+&event=rebill$/)
  })

  test('does not accept real clicks or link types of other sites', async () => {
    const [one, other] = [await merchant(), await merchant()]
    const params = { siteId: one.siteId }
    const real = { typeId: one.typeId, clickId: await one.click() }
    expect((await call(superadmin, sendTest, { params, body: real })).body).toMatchObject({
      data: { clickId: ['is not the id of a test click'] },
    })
    const foreign = { typeId: other.typeId }
    expect((await call(superadmin, sendTest, { params, body: foreign })).body).toMatchObject({
      data: { typeId: ['is not a link type of this site'] },
    })
  })
})
