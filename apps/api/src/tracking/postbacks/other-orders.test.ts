import { TRACKERS } from '@tallyroom/domain/trackers'
import { describe, expect, test } from 'vitest'
import { buildAccount } from '../../../test/build-world.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { fieldNamesOf } from '../reading/field-names.ts'
import { findTierPay } from '../../pay/index.ts'
import { settleHeld } from './settle-held.ts'
import { settleWaiting } from './settle-waiting.ts'

const { db, clock, services, inbound, eventsOf, merchant, agentId, officeId } =
  await postbackWorld()
const accountId = await buildAccount(db)

type Shop = Awaited<ReturnType<typeof merchant>>

async function send(shop: Shop, query: Record<string, string>) {
  clock.advance(1_000)
  const answer = await shop.get(query)
  const body = answer.json<{ id: string; outcome: string; reason?: string }>()
  return { ...body, status: answer.statusCode }
}

const counted = async ({ siteId }: Shop) =>
  (await eventsOf(siteId)).reduce((sum, { quantity }) => sum + quantity, 0)

const settle = (id: string, act: 'another-order' | 'was-retry') =>
  settleHeld({ ...services, findTierPay }, { ids: [id], act, reason: 'Asked them.' }, accountId)

const NAMES =
  'reference order_reference oid id_order trans_id transid purchase_id receipt_id booking_id deposit_id checkout_id charge_id uniqueid lead_id'.split(
    ' ',
  )

test.each(NAMES)('two orders of a click under %s are two', async (name) => {
  const shop = await merchant()
  const click_id = await shop.click()
  const answers = [
    await send(shop, { click_id, [name]: 'A-1' }),
    await send(shop, { click_id, [name]: 'A-2' }),
    await send(shop, { click_id, [name]: 'A-1' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 200])
})

test('a referrer, the same with each order, is no order number', async () => {
  const shop = await merchant()
  for (const click_id of [await shop.click(), await shop.click()]) {
    expect(await send(shop, { click_id, ref: 'partner-7', amount: '5' })).toMatchObject({
      status: 201,
    })
    expect(await send(shop, { click_id, ref: 'partner-7', amount: '6' })).toMatchObject({
      status: 409,
    })
  }
})

test('a name that has another meaning for a tracker or a site is no order number there', () => {
  for (const tracker of [undefined, ...TRACKERS]) {
    const names = fieldNamesOf({
      clickParam: 'reference',
      transactionIdIsClick: tracker?.transactionIdIsClick ?? false,
      tracker,
    })
    const orders = names.transaction_id.filter(
      (name) => !tracker?.names.transaction_id?.includes(name),
    )
    expect(orders).not.toContain('reference')
    for (const other of [...names.click_id, ...(tracker?.settings ?? [])]) {
      expect(orders).not.toContain(other)
    }
  }
})

describe('two reports of one click without an order number', () => {
  const first = { amount: '20.00', plan: 'gold', email: 'a@example.com' }

  test.each([
    ['amount', { ...first, amount: '25.00' }, 'amount'],
    ['an unknown name', { ...first, plan: 'pro' }, 'plan'],
    ['who bought', { ...first, email: 'b@example.com' }, 'email'],
    ['several', { ...first, amount: '1', plan: 'pro' }, 'amount, plan'],
    ['a parameter more', { ...first, no: '17' }, 'no'],
    ['one less', { amount: '20.00', email: first.email }, 'plan'],
    ['the hash of a payment', { ...first, tx_hash: '0x12' }, 'tx_hash'],
  ])('that differ in %s are held and count nothing', async (_, second, names) => {
    const shop = await merchant()
    const click_id = await shop.click()
    expect(await send(shop, { click_id, ...first })).toMatchObject({ status: 201 })
    expect(await send(shop, { click_id, ...second })).toMatchObject({
      status: 409,
      outcome: 'conflict',
      reason: `Already recorded for this click without an order number, but this one differs in ${names}. If it is another order, send it with its order number.`,
    })
    expect(await counted(shop)).toBe(1)
  })

  test.each([
    ['nothing', {}],
    ['its time', { time: '2026-03-10T16:00:01Z' }],
    ['another time', { sent_at: '5', created: '2026-03-10T16:00:01Z', timestamp: '1773144002' }],
    ['its signature', { sign: 'f00', hash: 'ba7', signature: 'x1' }],
    ['its number of tries', { attempt: '2', retry_count: '1', request_id: 'r-2', _: '99' }],
    ['a status', { status: 'approved' }],
    ['its key', { key: 'in another place' }],
  ])('that differ in %s are one', async (_, more) => {
    const shop = await merchant()
    const click_id = await shop.click()
    await send(shop, { click_id, ...first })
    const { key: _key, ...parameters } = { key: '', ...more }
    expect(await send(shop, { click_id, ...first, ...parameters })).toMatchObject({
      status: 200,
      outcome: 'duplicate',
    })
  })

  test('of which the second says only that it is approved are one', async () => {
    const shop = await merchant()
    const click_id = await shop.click()
    await send(shop, { click_id, ...first })
    expect(await send(shop, { click_id, status: 'approved' })).toMatchObject({ status: 200 })
    expect(await send(shop, { click_id, status: 'approved', amount: '7' })).toMatchObject({
      status: 409,
    })
  })

  test('of which one is a bonus are a sale and its bonus, and each bonus is looked at', async () => {
    const shop = await merchant()
    await db.updateTable('link_types').set({ bonus: true }).where('id', '=', shop.typeId).execute()
    const click_id = await shop.click()
    await send(shop, { click_id, ...first })
    expect(await send(shop, { click_id, event: 'bonus', amount: '3' })).toMatchObject({
      status: 201,
    })
    expect(await send(shop, { click_id, event: 'bonus', amount: '3' })).toMatchObject({
      status: 200,
    })
    expect(await send(shop, { click_id, event: 'bonus', amount: '4' })).toMatchObject({
      status: 409,
    })
  })

  test('are two as soon as staff say so; then repeats of either are known', async () => {
    const shop = await merchant()
    const click_id = await shop.click()
    const second = { click_id, ...first, amount: '25.00' }
    await send(shop, { click_id, ...first })
    const held = await send(shop, second)
    expect(await settle(held.id, 'another-order')).toMatchObject([
      { state: 'settled', outcome: 'recorded', changes: [{ transactionId: held.id, quantity: 1 }] },
    ])
    expect(await counted(shop)).toBe(2)
    expect(await send(shop, { click_id, ...first })).toMatchObject({ status: 200 })
    expect(await send(shop, second)).toMatchObject({ status: 200 })

    // Which of them a refund means, nobody can say; with the id that we answered, it is clear.
    expect(await send(shop, { click_id, event: 'void' })).toMatchObject({ status: 409 })
    expect(await send(shop, { click_id, event: 'void', transaction_id: held.id })).toMatchObject({
      status: 201,
    })
    expect(await counted(shop)).toBe(1)
  })

  test('are one if staff say that it was a retry; then a repeat of it is known', async () => {
    const shop = await merchant()
    const click_id = await shop.click()
    await send(shop, { click_id, ...first })
    const second = { click_id, ...first, session: 'b' }
    const held = await send(shop, second)
    await settle(held.id, 'was-retry')
    expect(await send(shop, second)).toMatchObject({ status: 200, outcome: 'duplicate' })
    expect(await counted(shop)).toBe(1)
  })

  test('that were pending count once, and the approval of the other one is held', async () => {
    const shop = await merchant()
    const click_id = await shop.click()
    const other = { ...first, amount: '30.00' }
    const pending = { click_id, status: 'pending' }
    await send(shop, { ...pending, ...first })
    await send(shop, { ...pending, ...other })
    const approved = { click_id, status: 'approved' }
    expect(await send(shop, { ...approved, ...first })).toMatchObject({ status: 201 })
    expect(await send(shop, { ...approved, ...other })).toMatchObject({ status: 409 })
    expect(await send(shop, { ...pending, ...first })).toMatchObject({ status: 200 })
  })

  test('are not lost if they come before their click', async () => {
    const shop = await merchant()
    const click_id = inbound.clickIds.sign({
      clickedAtMs: Date.parse('2026-03-10T15:00:00Z'),
      agentId,
      typeId: shop.typeId,
      nonce: 4711,
    })
    expect(await send(shop, { click_id, ...first })).toMatchObject({ outcome: 'waiting' })
    const other = await send(shop, { click_id, ...first, plan: 'pro' })
    const retry = await send(shop, { click_id, ...first })
    await shop.click({
      clicked_at: new Date('2026-03-10T15:00:00Z'),
      nonce: 4711,
      office_id: officeId,
    })
    clock.advance(60_000)
    await settleWaiting(services)
    expect(await counted(shop)).toBe(1)
    const held = await db
      .selectFrom('held_postbacks')
      .selectAll()
      .where('postback_id', '=', other.id)
      .execute()
    expect(held).toMatchObject([{ kind: 'other-order' }])
    const settled = await db
      .selectFrom('postback_settlements')
      .select('outcome')
      .where('postback_id', '=', retry.id)
      .execute()
    expect(settled).toEqual([{ outcome: 'duplicate' }])
  })

  test('of which the first was reversed are held as well', async () => {
    const shop = await merchant()
    const click_id = await shop.click()
    await send(shop, { click_id, ...first })
    await send(shop, { click_id, event: 'void' })
    const time = '2026-03-10T16:00:01Z'
    expect(await send(shop, { click_id, ...first, time, plan: 'pro' })).toMatchObject({
      status: 409,
    })
    expect(await counted(shop)).toBe(0)
  })

  test('that come at the same instant are one sale, and the other one is held', async () => {
    const shop = await merchant()
    const click_id = await shop.click()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => shop.get({ click_id, plan: at % 2 ? 'pro' : 'basic' })),
    )
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    expect(statuses).toEqual([200, 200, 200, 200, 201, 409, 409, 409, 409, 409])
  })
})
