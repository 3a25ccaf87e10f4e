import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { buildFee, buildLinkType, buildOffice, buildRate } from '../../../test/build-world.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { about } from '../../../test/test-clock.ts'
import { makeInbound } from './inbound.ts'
import { registerInbound } from '../inbound/inbound.routes.ts'
import { settleWaiting } from './settle-waiting.ts'
import { makeTestClick } from './test-postback.ts'

const { db, clock, services, inbound, officeId, agentId, merchant, kept, eventsOf, pendingOf } =
  await postbackWorld()

test('a sale is recorded with its amounts, counted and stored', async () => {
  const { siteId, typeId, click, get } = await merchant({ avp: true })
  await buildFee(db, { type_id: typeId, office_id: officeId })
  const clickId = await click()
  const answer = await get({ click_id: clickId, transaction_id: 'A-1', email: 'x@example.com' })

  expect(answer.statusCode).toBe(201)
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' })
  const { id, eventId, outcome } = answer.json()
  expect(outcome).toBe('recorded')

  expect(await eventsOf(siteId)).toEqual([
    expect.objectContaining({
      id: eventId,
      agent_id: agentId,
      office_id: officeId,
      site_id: siteId,
      type_id: typeId,
      event_type: 0,
      quantity: 1,
      earning_cents: 35_00,
      payout_centavos: 700_00,
      lpp: 2,
      avp: true,
      rate_source: 'office',
      fraud: false,
      click_id: clickId,
      transaction_id: 'A-1',
      customer_email: 'x@example.com',
      occurred_at: about(clock.peek()),
      postback_id: id,
    }),
  ])
  expect(await pendingOf(siteId)).toEqual([
    expect.objectContaining({
      day: '2026-03-10',
      agent_id: agentId,
      office_id: officeId,
      type_id: typeId,
      raws: 0,
      sales: 1,
      avp_sales: 1,
      bonus_sales: 0,
      earning_cents: 35_00,
      payout_centavos: 700_00,
      lpp: 2,
    }),
  ])
  expect(await kept(id)).toMatchObject({
    site_id: siteId,
    outcome: 'recorded',
    event_id: eventId,
    event: 'sale',
    click_id: clickId,
    transaction_id: 'A-1',
    agent_id: agentId,
    type_id: typeId,
    params: { key: '[removed]', click_id: clickId, transaction_id: 'A-1', email: 'x@example.com' },
    test: false,
  })
})

describe('exactly once', () => {
  test('a repeat is a duplicate and names the first event', async () => {
    const { siteId, click, get } = await merchant()
    const clickId = await click()
    const first = await get({ click_id: clickId, transaction_id: '1' })
    const second = await get({ cid: clickId, txid: '1', email: 'late@example.com' })
    expect(second.statusCode).toBe(200)
    expect(second.json()).toMatchObject({ outcome: 'duplicate', eventId: first.json().eventId })
    expect(second.json().id).not.toBe(first.json().id)
    expect(await eventsOf(siteId)).toHaveLength(1)
    expect(await pendingOf(siteId)).toHaveLength(1)
    expect(await kept(second.json().id)).toMatchObject({ outcome: 'duplicate' })
  })

  test('without a transaction id, a click has one sale, one bonus and one paid click', async () => {
    const { siteId, click, get } = await merchant()
    const clickId = await click()
    const outcomes = []
    for (const event of ['sale', 'sale', 'bonus', 'bonus', 'click', 'click']) {
      outcomes.push((await get({ click_id: clickId, event })).json().outcome)
    }
    expect(outcomes).toEqual([
      'recorded',
      'duplicate',
      'recorded',
      'duplicate',
      'recorded',
      'duplicate',
    ])
    expect((await eventsOf(siteId)).map((event) => event.event_type)).toEqual([0, 1, 2])
    expect(await pendingOf(siteId)).toHaveLength(2) // a paid click counts nowhere
  })

  test('one click can lead to several transactions', async () => {
    const { siteId, click, get } = await merchant()
    const clickId = await click()
    for (const tid of ['1', '2', '3']) {
      expect((await get({ click_id: clickId, tid })).statusCode).toBe(201)
    }
    expect(await eventsOf(siteId)).toHaveLength(3)
  })

  test('two sites may use the same transaction ids', async () => {
    const [one, other] = [await merchant(), await merchant()]
    expect((await one.get({ cid: await one.click(), tid: 'same' })).statusCode).toBe(201)
    expect((await other.get({ cid: await other.click(), tid: 'same' })).statusCode).toBe(201)
  })

  test('the same transaction with another click or link type is a conflict, not a sale', async () => {
    const { siteId, click, get } = await merchant()
    await buildLinkType(db, { site_id: siteId, typealias: 'Gold' })
    const clickId = await click()
    await get({ click_id: clickId, transaction_id: '1' })
    const otherClick = await get({ click_id: await click(), transaction_id: '1' })
    expect(otherClick.statusCode).toBe(409)
    expect(otherClick.headers['error-code']).toBe('CONFLICT')
    expect(otherClick.json()).toMatchObject({ code: 'CONFLICT', outcome: 'conflict' })
    const otherType = await get({ click_id: clickId, transaction_id: '1', type: 'gold' })
    expect(otherType.statusCode).toBe(409)
    expect(await eventsOf(siteId)).toHaveLength(1)
    expect(await kept(otherType.json().id)).toMatchObject({ outcome: 'conflict' })
  })

  test('200 concurrent deliveries are one sale, once in the totals, and 199 duplicates', async () => {
    const { siteId, click, get } = await merchant()
    const clickId = await click()
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => get({ click_id: clickId, transaction_id: '1' })),
    )
    const outcomes = answers.map((answer) => answer.json().outcome)
    expect(outcomes.filter((outcome) => outcome === 'recorded')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(199)
    expect(new Set(answers.map((answer) => answer.json().eventId)).size).toBe(1)
    expect(await eventsOf(siteId)).toHaveLength(1)
    expect(await pendingOf(siteId)).toHaveLength(1)
  })

  test('50 concurrent deliveries of one reversal, and of its other kinds, reverse once', async () => {
    const { siteId, click, get } = await merchant()
    const clickId = await click()
    await get({ click_id: clickId, transaction_id: '1' })
    const events = ['void', 'chargeback', 'fraud']
    const answers = await Promise.all(
      Array.from({ length: 51 }, (_, index) => get({ tid: '1', event: events[index % 3] ?? '' })),
    )
    const outcomes = answers.map((answer) => answer.json().outcome)
    expect(outcomes.filter((outcome) => outcome === 'recorded')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(50)
    const quantities = (await eventsOf(siteId)).map((event) => event.quantity)
    expect(quantities).toEqual([1, -1])
    await db.updateTable('agents').set({ fraud_flagged_at: null }).execute()
  })
})

describe('events', () => {
  test('a bonus pays the bonus rates, or nothing if there are none', async () => {
    const { siteId, typeId, click, get } = await merchant()
    const clickId = await click()
    await get({ click_id: clickId, event: 'bonus', tid: '1' })
    await db.updateTable('link_types').set({ bonus: true }).where('id', '=', typeId).execute()
    await buildRate(db, {
      type_id: typeId,
      bonus_earning_cents: 1_50,
      bonus_payout_centavos: 30_00,
      bonus_lpp: 2,
    })
    await get({ click_id: clickId, event: 'bonus', tid: '2' })
    expect(await eventsOf(siteId)).toMatchObject([
      { event_type: 1, earning_cents: 0, payout_centavos: 0, lpp: 0 },
      { event_type: 1, earning_cents: 1_50, payout_centavos: 30_00, lpp: 2 },
    ])
    expect(await pendingOf(siteId)).toMatchObject([
      { sales: 0, bonus_sales: 1, bonus_earning_cents: 0 },
      {
        sales: 0,
        bonus_sales: 1,
        earning_cents: 0,
        bonus_earning_cents: 1_50,
        bonus_payout_centavos: 30_00,
        lpp: 2,
      },
    ])
  })

  test('on an approve-sale site the approval is event 0 and the sale event 1', async () => {
    const { siteId, click, get } = await merchant({ use_approve_sale: true })
    const clickId = await click()
    expect((await get({ cid: clickId, tid: '1', event: 'approval' })).statusCode).toBe(201)
    expect((await get({ cid: clickId, tid: '1', event: 'sale' })).statusCode).toBe(201)
    expect((await eventsOf(siteId)).map((event) => event.event_type)).toEqual([0, 1])
  })

  test('another link type of the site can be named by its alias, in any case', async () => {
    const { siteId, click, get } = await merchant()
    const gold = await buildLinkType(db, {
      site_id: siteId,
      typealias: 'Gold',
      earning_cents: 99_00,
    })
    await get({ cid: await click(), type: 'GOLD' })
    expect(await eventsOf(siteId)).toMatchObject([{ type_id: gold, earning_cents: 99_00 }])
    const unknown = await get({ cid: await click(), type: 'silver' })
    expect(unknown.statusCode).toBe(422)
    expect(unknown.json()).toMatchObject({
      code: 'VALIDATION_ERROR',
      outcome: 'refused',
      data: {
        type: [expect.stringMatching(/^is not a link type of this site\. Use one of .+, Gold$/)],
      },
    })
  })

  // The database and JavaScript do not lower the same letters: ς, İ.
  test.each(['ΣΟΦΟΣ', 'İKİ', 'Straße'])('the alias %s names its link type', async (typealias) => {
    const { siteId, click, get } = await merchant()
    const typeId = await buildLinkType(db, { site_id: siteId, typealias })
    expect((await get({ cid: await click(), type: typealias })).statusCode).toBe(201)
    const own = await get({ cid: await click({ type_id: typeId }), type: typealias })
    expect(own.statusCode).toBe(201)
    expect(await eventsOf(siteId)).toMatchObject([{ type_id: typeId }, { type_id: typeId }])
  })

  test('a sale of a black-listed click is recorded and flagged', async () => {
    const { siteId, click, get } = await merchant()
    expect((await get({ cid: await click({ uncounted: 'blacklisted' }) })).statusCode).toBe(201)
    expect(await eventsOf(siteId)).toMatchObject([{ fraud: true }])
  })

  test('a late sale counts on the day it happened, for the click’s office at that time', async () => {
    const { siteId, click, get } = await merchant()
    const oldOffice = await buildOffice(db)
    const clicked_at = new Date('2026-03-08T04:00:00Z')
    const clickId = await click({ office_id: oldOffice, clicked_at })
    await get({ cid: clickId, time: '2026-03-08T04:59:59Z' }) // the last second of 7 March in New York
    expect(await eventsOf(siteId)).toMatchObject([{ office_id: oldOffice }])
    expect(await pendingOf(siteId)).toMatchObject([{ day: '2026-03-07', office_id: oldOffice }])
  })
})

test('a test click takes the same path but is not counted', async () => {
  const { siteId, typeId, get } = await merchant()
  const cid = makeTestClick(inbound.clickIds, typeId, clock.peek())
  const outcomes = []
  for (const event of ['void', 'sale', 'sale', 'void', 'chargeback', 'bonus']) {
    outcomes.push((await get({ cid, tid: 't', event })).json().outcome)
  }
  expect(outcomes).toEqual([
    'waiting',
    'recorded',
    'duplicate',
    'recorded',
    'duplicate',
    'recorded',
  ])
  clock.advance(5_000)
  await settleWaiting(services)
  expect(await eventsOf(siteId)).toEqual([])
  expect(await pendingOf(siteId)).toEqual([])
  const rows = await db.selectFrom('test_sales').selectAll().where('site_id', '=', siteId).execute()
  expect(rows.map((row) => [row.event_type, row.quantity, row.earning_cents])).toEqual([
    [0, 1, 25_00],
    [0, -1, -25_00],
    [1, 1, 0],
    // The reversal that came first takes back what counts by now.
    [1, -1, 0],
  ])
  const postbacks = await db
    .selectFrom('postbacks')
    .select(['test', 'agent_id'])
    .where('site_id', '=', siteId)
    .execute()
  expect(new Set(postbacks.map((row) => JSON.stringify(row)))).toEqual(
    new Set(['{"test":true,"agent_id":null}']),
  )
})

test('by whichever of its ids a click is reported after a rotation of the secret, it counts once', async () => {
  const { siteId, click, get, key, url } = await merchant()
  const cid = await click()
  expect((await get({ click_id: cid })).statusCode).toBe(201)

  const secret = Buffer.alloc(32, 'newer')
  const newer = makeInbound({ ...services, secret, formerSecrets: [services.secret] })
  const app = Fastify()
  registerInbound(app, newer)
  const fields = newer.clickIds.read(cid)
  if (!fields) throw new Error('it was one of ours')
  const shown = newer.clickIds.sign(fields)
  expect(shown).not.toBe(cid)
  const report = async (query: object) => {
    const answer = await app.inject({ url, query: { key, ...query } })
    return answer.json<{ outcome: string }>().outcome
  }
  expect(await report({ click_id: shown })).toBe('duplicate')
  expect(await report({ click_id: cid })).toBe('duplicate')
  expect(await report({ click_id: shown, event: 'void' })).toBe('recorded')
  expect((await eventsOf(siteId)).map(({ quantity }) => quantity)).toEqual([1, -1])
  await app.close()
})

test('the site’s key stands in no column of what is kept, wherever a template puts it', async () => {
  const { click, get, key, siteId } = await merchant()
  const order = async () => ({ click_id: await click(), transaction_id: 'KEY-1' })
  const sent: Record<string, string>[] = [
    { ...(await order()), status: key },
    { ...(await order()), status: `x-${key}` },
    { ...(await order()), order_status: key },
    { ...(await order()), transaction_id: key },
    { ...(await order()), transaction_id: `${key}-1` },
    { ...(await order()), click_id: key },
    { ...(await order()), event: key },
    { ...(await order()), type: key },
    { transaction_id: 'KEY-2', coupon: key },
    { click_id: await click(), [key]: '1' },
  ]
  for (const fields of sent) {
    const answer = await get(fields)
    if (key === Object.keys(fields).at(-1)) continue
    expect([fields, answer.statusCode]).toEqual([fields, 422])
    if (fields['transaction_id'] === key)
      expect(answer.json().data).toEqual({ transaction_id: ['is the site’s key'] })
  }
  const rows = await db.selectFrom('postbacks').selectAll().where('site_id', '=', siteId).execute()
  expect(rows).toHaveLength(sent.length)
  const held = await db.selectFrom('held_postbacks').selectAll().execute()
  const words = await db.selectFrom('site_words').selectAll().execute()
  expect(JSON.stringify([rows, held, words]).toLowerCase()).not.toContain(key.toLowerCase())
})

test('a key beside what is read changes nothing', async () => {
  const { click, get, key } = await merchant()
  const beside = { note: key, email: key }
  const answer = await get({ click_id: await click(), transaction_id: 'N-1', ...beside })
  expect(answer.statusCode).toBe(201)
  expect(await kept(answer.json().id)).toMatchObject({
    params: { note: '[removed]', email: '[removed]' },
    customer_email: null,
  })
})
