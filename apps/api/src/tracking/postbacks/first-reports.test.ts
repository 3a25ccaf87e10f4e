import { heldPostbacksEndpoints } from '@tallyroom/contract/tracking/held-postbacks'
import Fastify from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildCoupon, buildLinkType } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { about } from '../../../test/test-clock.ts'
import { findTierPay } from '../../pay/index.ts'
import { registerInbound } from '../inbound/inbound.routes.ts'
import { learnWords } from '../words/learn-words.ts'
import { decideSiteWord } from './decide-word.ts'
import { makeInbound } from './inbound.ts'
import { postbacksRoutes } from './postbacks.routes.ts'
import { deliverAgain } from './settle-by-hand.ts'
import { makeTestClick } from './test-postback.ts'

const world = await postbackWorld()
const { app, clock, db, inbound, services } = world
const accountId = await buildAccount(db)
const call = await callRoutes(postbacksRoutes(services, inbound, findTierPay))

type Shop = Awaited<ReturnType<typeof world.merchant>> & { cid: string; names: Map<number, string> }

let shop: Shop

/** A shop whose click is of `basic` for ₱100, beside which it has `pro` for ₱300. */
async function open(site: Parameters<typeof world.merchant>[0] = {}): Promise<Shop> {
  const made = await world.merchant(site)
  const { siteId } = made
  const bonus = { bonus: true, bonus_payout_centavos: 50_00 }
  const basic = { site_id: siteId, typealias: 'basic', payout_centavos: 100_00, ...bonus }
  const pro = { site_id: siteId, typealias: 'pro', payout_centavos: 300_00, ...bonus }
  const [basicId, proId] = [await buildLinkType(db, basic), await buildLinkType(db, pro)]
  const cid = await made.click({ type_id: basicId, clicked_at: new Date('2026-03-10T08:00:00Z') })
  const names = new Map([
    [basicId, 'basic'],
    [proId, 'pro'],
  ])
  return { ...made, cid, names }
}

beforeEach(async () => {
  clock.set('2026-03-10T16:00:00Z')
  shop = await open()
})

type Answer = { id: string; outcome: string; eventId?: string; reason?: string; notice?: string }

/** Sends a postback about the order A-1 of the click, an hour after the last one. */
async function send(params: Record<string, string> = {}) {
  await inbound.sites.reload()
  const answer = await shop.get({ click_id: shop.cid, order_id: 'A-1', ...params })
  clock.advance(3_600_000)
  return { ...answer.json<Answer>(), status: answer.statusCode }
}

/** What nothing is said of but that it is approved: with its click, or by its number alone. */
const BARE = { status: 'approved' }
const BY_NUMBER = { status: 'approved', click_id: '' }

const EVENTS = ['sale', 'bonus']

/** `sale pro 300 +1`: all events, in the order of their recording. */
const events = async () =>
  (await world.eventsOf(shop.siteId)).map(
    ({ event_type: type, type_id: id, payout_centavos: paid, quantity }) =>
      `${EVENTS[type]} ${shop.names.get(id)} ${paid / 100} ${quantity}`,
  )

const settled = (id: string) =>
  db
    .selectFrom('postback_settlements')
    .select(['outcome', 'event_id', 'reason'])
    .where('postback_id', '=', id)
    .executeTakeFirst()

const APPROVED = { outcome: 'recorded', reason: 'The merchant approved it later.' }
const REJECTED = { outcome: 'rejected', reason: 'The merchant rejected it later.' }

describe.each([
  ['with its click', BARE],
  ['by its number alone', BY_NUMBER],
])('an approval %s that says nothing else', (_, bare) => {
  test('counts what the pending report said, and its retry is one', async () => {
    const pro = { type: 'pro', amount: '49.90', currency: 'USD', email: 'zoe@example.com' }
    const { id } = await send({ ...pro, status: 'pending' })
    const approved = await send(bare)
    expect(approved).toMatchObject({ status: 201, outcome: 'recorded' })
    expect(await events()).toEqual(['sale pro 300 1'])
    const [sale] = await world.eventsOf(shop.siteId)
    expect(sale).toMatchObject({
      amount_e4: 49_9000,
      currency: 'USD',
      customer_email: 'zoe@example.com',
      occurred_at: about('2026-03-10T16:00:00Z'),
    })
    expect(await settled(id)).toEqual({ ...APPROVED, event_id: approved.eventId })
    expect(await world.kept(approved.id)).toMatchObject({ event: 'sale', type_alias: 'pro' })
    expect(await send(bare)).toMatchObject({ outcome: 'duplicate', eventId: approved.eventId })
    expect(await send({ event: 'void', click_id: '' })).toMatchObject({ status: 201 })
    expect(await send(bare)).toMatchObject({ status: 201 })
    expect(await events()).toEqual(['sale pro 300 1', 'sale pro -300 -1', 'sale pro 300 1'])
  })

  test.each(['bonus', 'rebill'])('counts the %s that was pending, and no sale', async (event) => {
    const { id } = await send({ event, status: 'pending' })
    const approved = await send(bare)
    expect(approved).toMatchObject({ status: 201 })
    expect(await events()).toEqual(['bonus basic 50 1'])
    expect(await settled(id)).toEqual({ ...APPROVED, event_id: approved.eventId })
    expect(await send(bare)).toMatchObject({ outcome: 'duplicate' })
  })

  test('counts the approval that was pending, on a site that has approvals', async () => {
    shop = await open({ use_approve_sale: true })
    const { id } = await send({ event: 'approval', status: 'pending' })
    const approved = await send(bare)
    expect(await events()).toEqual(['sale basic 100 1'])
    expect(await settled(id)).toEqual({ ...APPROVED, event_id: approved.eventId })
    // The sale of the next day may be meant, or this may be a retry.
    expect(await send(bare)).toMatchObject({ status: 409 })
    expect(await send({ ...bare, event: 'sale' })).toMatchObject({ status: 201 })
    expect(await events()).toEqual(['sale basic 100 1', 'bonus basic 50 1'])
  })

  test('counts each product that is pending', async () => {
    shop = await open({ several_products: true })
    const basic = await send({ type: 'basic', status: 'pending' })
    const pro = await send({ type: 'pro', status: 'pending' })
    const approved = await send(bare)
    expect(approved).toMatchObject({ status: 201 })
    expect(await world.kept(approved.id)).toMatchObject({
      reason: 'It counts 2 products of the order.',
    })
    expect(await events()).toEqual(['sale basic 100 1', 'sale pro 300 1'])
    const sales = await world.eventsOf(shop.siteId)
    expect(await settled(basic.id)).toEqual({ ...APPROVED, event_id: sales[0]?.id })
    expect(await settled(pro.id)).toEqual({ ...APPROVED, event_id: sales[1]?.id })
    expect(await send(bare)).toMatchObject({ outcome: 'duplicate' })
    // What one void took back counts again together.
    await send({ event: 'void' })
    expect(await send(bare)).toMatchObject({ status: 201 })
    expect((await events()).slice(4)).toEqual(['sale basic 100 1', 'sale pro 300 1'])
  })

  test('counts the sale, which is the default, if a bonus is pending as well', async () => {
    const bonus = await send({ event: 'bonus', status: 'pending' })
    await send({ status: 'pending' })
    expect(await send(bare)).toMatchObject({ status: 201 })
    expect(await events()).toEqual(['sale basic 100 1'])
    expect(await settled(bonus.id)).toBeUndefined()
  })

  test('is refused if two events are pending, and no sale', async () => {
    shop = await open({ use_approve_sale: true })
    await send({ event: 'approval', status: 'pending' })
    await send({ event: 'bonus', status: 'pending' })
    expect(await send(bare)).toMatchObject({
      status: 422,
      reason: 'event is required: of this order, approval and bonus were reported',
    })
    expect(await events()).toEqual([])
  })

  test('counts the product of a pending order that was rejected', async () => {
    await send({ type: 'pro', status: 'pending' })
    expect(await send({ status: 'rejected', click_id: '' })).toMatchObject({ outcome: 'rejected' })
    expect(await send(bare)).toMatchObject({ status: 201 })
    expect(await events()).toEqual(['sale pro 300 1'])
  })

  test('counts the product again that was taken back', async () => {
    shop = await open({ several_products: true })
    await send({ type: 'pro' })
    await send({ event: 'void' })
    expect(await send(bare)).toMatchObject({ status: 201 })
    expect(await send(bare)).toMatchObject({ outcome: 'duplicate' })
    expect(await events()).toEqual(['sale pro 300 1', 'sale pro -300 -1', 'sale pro 300 1'])
  })
})

test('what the approval says itself wins', async () => {
  await send({ amount: '20', currency: 'EUR', email: 'old@example.com', status: 'pending' })
  const own = { type: 'pro', amount: '30', email: 'new@example.com' }
  expect(await send({ ...BARE, ...own })).toMatchObject({ status: 201 })
  const [sale] = await world.eventsOf(shop.siteId)
  expect(await events()).toEqual(['sale pro 300 1'])
  expect(sale).toMatchObject({ amount_e4: 30_0000, customer_email: 'new@example.com' })
})

test('a sale without a status counts the only product that is pending, and its retry is one', async () => {
  await send({ type: 'pro', amount: '5', status: 'pending' })
  expect(await send()).toMatchObject({ status: 201 })
  expect(await events()).toEqual(['sale pro 300 1'])
  expect(await send()).toMatchObject({ outcome: 'duplicate' })
})

test('a sale that names no product is held if another one is pending, where orders hold several', async () => {
  shop = await open({ several_products: true })
  const { id } = await send({ type: 'pro', status: 'pending' })
  expect(await send()).toMatchObject({
    status: 409,
    reason:
      'Another product of this order is pending, and this report names none. If it is that one, send it with its type.',
  })
  expect(await settled(id)).toBeUndefined()
  expect(await send({ type: 'basic' })).toMatchObject({ status: 201 })
  expect(await settled(id)).toBeUndefined()
  expect(await send({ type: 'pro' })).toMatchObject({ status: 201 })
  expect(await settled(id)).toMatchObject(APPROVED)
})

test('an approval with its click is held if only a bonus counts: it may be the sale', async () => {
  await send({ event: 'bonus' })
  expect(await send(BARE)).toMatchObject({
    status: 409,
    reason:
      'Of this order, the bonus was counted, and this report names no event. It may be about that, or count a sale.',
  })
  expect(await send(BY_NUMBER)).toMatchObject({ outcome: 'duplicate' })
  expect(await events()).toEqual(['bonus basic 50 1'])
})

test('what names a product rejects that alone, and a retry of an approval counts neither it nor a bonus that is still pending', async () => {
  shop = await open({ several_products: true })
  await send({ status: 'pending' })
  await send({ event: 'bonus', status: 'pending' })
  await send({ type: 'pro', status: 'pending' })
  await send({ type: 'pro', status: 'rejected' })
  expect(await send(BARE)).toMatchObject({ status: 201 })
  expect(await send(BARE)).toMatchObject({ outcome: 'duplicate' })
  expect(await send(BY_NUMBER)).toMatchObject({ outcome: 'duplicate' })
  expect(await events()).toEqual(['sale basic 100 1'])
})

test('of an order of one product, a pending report that names none is of the one that is named', async () => {
  const first = await send({ amount: '5', status: 'pending' })
  const second = await send({ type: 'pro', status: 'pending' })
  const { eventId } = await send(BARE)
  expect(await events()).toEqual(['sale pro 300 1'])
  for (const { id } of [first, second])
    expect(await settled(id)).toEqual({ ...APPROVED, event_id: eventId })
})

describe('a new word that is decided to count', () => {
  /** Sends it, and decides it once it is held. Later than in other tests, as what a site sends is read forwards. */
  async function decided(at: string, params: Record<string, string>) {
    clock.set(at)
    for (let day = 0; day < 8; day++) {
      await send({ order_id: `W-${day}`, click_id: await shop.click(), status: 'pending' })
      clock.advance(86_400_000)
    }
    const first = await send({ ...params, order_id: 'S-1', status: 'pending' })
    clock.advance(62_000)
    await learnWords(services)
    const held = await send({ order_id: 'S-1', status: 'shipped' })
    expect(held).toMatchObject({ status: 202, outcome: 'waiting' })
    const decision = { parameter: 'status', value: 'shipped', event: 'sale' } as const
    const asked = { ...decision, reading: 'counts', reason: 'Asked Nora' } as const
    await decideSiteWord(services, viewer(), shop.siteId, asked)
    return settled(first.id)
  }

  test('counts the product that was pending', async () => {
    expect(await decided('2026-04-10T16:00:00Z', { type: 'pro', amount: '7' })).toMatchObject(
      APPROVED,
    )
    expect(await events()).toEqual(['sale pro 300 1'])
    const [sale] = await world.eventsOf(shop.siteId)
    expect(sale).toMatchObject({ amount_e4: 7_0000 })
  })

  test('counts the event that was pending, which a reversal finds by its name', async () => {
    expect(await decided('2026-05-10T16:00:00Z', { event: 'bonus' })).toMatchObject(APPROVED)
    expect(await events()).toEqual(['bonus basic 50 1'])
    const sale = { order_id: 'S-1', event: 'void', reverses: 'sale' }
    expect(await send(sale)).toMatchObject({ outcome: 'waiting' })
    expect(await send({ ...sale, reverses: 'bonus' })).toMatchObject({ status: 201 })
  })
})

describe('a reversal that names a bonus', () => {
  test.each([
    { event: 'void', reverses: 'bonus' },
    { status: 'rejected', reverses: 'bonus' },
  ])('leaves the pending sale: %o', async (reversal) => {
    const { id } = await send({ status: 'pending' })
    await send(reversal)
    expect(await settled(id)).toBeUndefined()
    expect(await send(BY_NUMBER)).toMatchObject({ status: 201 })
    expect(await events()).toEqual(['sale basic 100 1'])
  })

  test('takes back the bonus that counts, and rejects the one that is pending', async () => {
    const sale = await send({ status: 'pending' })
    const bonus = await send({ event: 'bonus', status: 'pending' })
    expect(await send({ event: 'void', reverses: 'bonus' })).toMatchObject({ outcome: 'rejected' })
    expect(await settled(bonus.id)).toMatchObject(REJECTED)
    await send({ event: 'bonus', status: 'approved' })
    expect(await send({ event: 'chargeback', reverses: 'bonus' })).toMatchObject({ status: 201 })
    expect(await settled(sale.id)).toBeUndefined()
  })
})

describe('a report without an order number', () => {
  const unnumbered = { order_id: '', status: 'approved' }

  test.each([unnumbered, { order_id: '' }])(
    'is of the only pending order of its click: %o',
    async (report) => {
      const { id } = await send({ status: 'pending' })
      const approved = await send(report)
      expect(approved).toMatchObject({ status: 201 })
      expect(await settled(id)).toEqual({ ...APPROVED, event_id: approved.eventId })
      expect(await send(BARE)).toMatchObject({ outcome: 'duplicate' })
      expect(await send(unnumbered)).toMatchObject({ outcome: 'duplicate' })
      expect(await send({ ...unnumbered, plan: 'gold' })).toMatchObject({ status: 409 })
      expect(await events()).toEqual(['sale basic 100 1'])
    },
  )

  test('is held if several orders of its click are pending', async () => {
    await send({ status: 'pending' })
    await send({ status: 'pending', order_id: 'A-2' })
    expect(await send(unnumbered)).toMatchObject({
      status: 409,
      reason:
        'Several orders of this click are pending, and this report has no order number. Send it with the number of its order.',
    })
    expect(await events()).toEqual([])
  })

  test('goes on being held if it is delivered again, and is then of the one that is left', async () => {
    await send({ status: 'pending' })
    await send({ status: 'pending', order_id: 'A-2' })
    const { id } = await send(unnumbered)
    const again = () => deliverAgain(services, id, accountId)
    expect(await again()).toMatchObject({ outcome: 'conflict' })
    await send({ status: 'rejected', order_id: 'A-2' })
    expect(await again()).toMatchObject({ outcome: 'recorded' })
    expect(await send(BARE)).toMatchObject({ outcome: 'duplicate' })
    expect(await events()).toEqual(['sale basic 100 1'])
  })

  test('that names another event than the pending order has none', async () => {
    await send({ status: 'pending' })
    expect(await send({ ...unnumbered, event: 'bonus' })).toMatchObject({ status: 201 })
    expect(await send(BARE)).toMatchObject({ status: 201 })
    expect(await events()).toEqual(['bonus basic 50 1', 'sale basic 100 1'])
  })
})

test('an order that was rejected by its number alone is approved by it', async () => {
  await send({ status: 'pending' })
  await send({ status: 'rejected', click_id: '' })
  expect(await send(BY_NUMBER)).toMatchObject({ status: 201 })
  expect(await events()).toEqual(['sale basic 100 1'])
})

test('the first pending report of a site and its sale may come together', async () => {
  await inbound.sites.reload()
  const order = { click_id: shop.cid, order_id: 'A-1' }
  const answer = await app.inject({
    method: 'POST',
    url: shop.url,
    headers: { 'x-postback-key': shop.key },
    payload: [{ ...order, status: 'pending' }, order],
  })
  const [first, second] = answer.json<Answer[]>()
  expect([first?.outcome, second?.outcome]).toEqual(['pending', 'recorded'])
  expect(await settled(first?.id ?? '')).toEqual({ ...APPROVED, event_id: second?.eventId })
})

test('a report without a number repeats one of an order that was pending, also once nothing is', async () => {
  await send({ status: 'pending' })
  const counted = await send({ order_id: '' })
  expect(counted).toMatchObject({ outcome: 'recorded' })
  expect(await send({ order_id: '' })).toMatchObject({
    outcome: 'duplicate',
    eventId: counted.eventId,
  })
  expect(await events()).toEqual(['sale basic 100 1'])
})

test('after a rotation of the secret, an approval by number finds what was pending under the newer id', async () => {
  const secret = Buffer.alloc(32, 'newer')
  const newer = makeInbound({ ...services, secret, formerSecrets: [services.secret] })
  const rotated = Fastify()
  registerInbound(rotated, newer)
  const fields = newer.clickIds.read(shop.cid)
  const cid = fields ? newer.clickIds.sign(fields) : ''
  expect(cid).not.toBe(shop.cid)
  const report = async (query: object) => {
    await newer.sites.reload()
    const answer = await rotated.inject({
      url: shop.url,
      query: { key: shop.key, order_id: 'A-1', ...query },
    })
    return answer.json<Answer>()
  }
  const { id } = await report({ click_id: cid, type: 'pro', status: 'pending' })
  const approved = await report({ status: 'approved' })
  expect(approved).toMatchObject({ outcome: 'recorded' })
  expect(await events()).toEqual(['sale pro 300 1'])
  expect(await settled(id)).toEqual({ ...APPROVED, event_id: approved.eventId })
  await rotated.close()
})

test('what was rejected counts as it was reported, though something else of the order counts', async () => {
  await send({ event: 'bonus' })
  await send({ type: 'pro', amount: '49.90', status: 'pending' })
  await send({ status: 'rejected', reverses: 'sale' })
  expect(await send(BARE)).toMatchObject({ status: 201 })
  expect(await events()).toEqual(['bonus basic 50 1', 'sale pro 300 1'])
  expect((await world.eventsOf(shop.siteId)).at(-1)).toMatchObject({ amount_e4: 49_9000 })
  expect(await send(BARE)).toMatchObject({ outcome: 'duplicate' })
})

test('of an order of one product, what was rejected without naming it is of the one that is named', async () => {
  await send({ event: 'bonus', status: 'pending' })
  await send({ status: 'rejected' })
  expect(await send({ ...BARE, type: 'pro' })).toMatchObject({ status: 201 })
  expect(await events()).toEqual(['bonus pro 50 1'])
})

test('an order with which somebody tried the number out is of its real click', async () => {
  const tried = makeTestClick(inbound.clickIds, shop.typeId, clock.peek())
  await send({ click_id: tried, status: 'pending' })
  await send({ click_id: tried, ...BARE })
  await send({ status: 'pending' })
  expect(await send(BY_NUMBER)).toMatchObject({ status: 201 })
  expect((await events()).at(-1)).toBe('sale basic 100 1')
})

test('an order that was rejected stays its click’s, whatever code its approval names', async () => {
  await buildCoupon(db, {
    site_id: shop.siteId,
    agent_id: await buildAgent(db, { office_id: world.officeId }),
    code: 'OTHER10',
  })
  await send({ status: 'pending' })
  await send({ status: 'rejected', click_id: '' })
  expect(await send({ ...BY_NUMBER, coupon: 'OTHER10' })).toMatchObject({ status: 201 })
  const [sale] = await world.eventsOf(shop.siteId)
  expect(sale?.agent_id).toBe(world.agentId)
})

test('a report that is dated before its click is recorded at the time of that, once somebody says so', async () => {
  const early = { status: 'pending', time: '2026-03-10T07:00:00Z' }
  await send(early)
  const held = await send(BARE)
  expect(held).toMatchObject({ status: 409 })
  expect(await settleAs(held.id, 'record')).toMatchObject({ outcome: 'recorded' })
  const [sale] = await world.eventsOf(shop.siteId)
  expect(sale?.occurred_at).toEqual(new Date('2026-03-10T08:00:00Z'))
})

async function settleAs(id: string, act: 'record') {
  const body = { ids: [id], act, reason: 'Asked' }
  const { body: done } = await call(viewer(), heldPostbacksEndpoints.settleHeldPostbacks, { body })
  return done.items[0]
}
