import {
  heldPostbacksEndpoints,
  type HeldResult,
} from '@tallyroom/contract/tracking/held-postbacks'
import { describe, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { findTierPay } from '../../pay/index.ts'
import { postbacksRoutes } from './postbacks.routes.ts'
import { settleWaiting } from './settle-waiting.ts'

const { db, clock, services, inbound, merchant, eventsOf } = await postbackWorld()
const call = await callRoutes(postbacksRoutes(services, inbound, findTierPay))

/** A merchant with one order, which is pending at 100 USD unless it says otherwise. */
async function pendingOrder(
  site: Parameters<typeof merchant>[0] = {},
  fields: Record<string, string> = {},
) {
  const made = await merchant(site)
  const cid = await made.click()
  const send = async (report: Record<string, string>) => {
    clock.advance(60_000)
    await inbound.sites.reload()
    const answer = await made.get({ tid: 'A', ...report })
    const body = answer.json<{ id: string; outcome: string; reason?: string }>()
    return { ...body, status: answer.statusCode }
  }
  const report = (event: string, more: Record<string, string> = {}) => send({ cid, event, ...more })
  const first = { amount: '100', currency: 'USD', status: 'pending', ...fields }
  expect(await report('sale', first)).toMatchObject({ outcome: 'pending' })
  return {
    report,
    approve: () => send({ status: 'approved', amount: '100', currency: 'USD' }),
    isPending: async () =>
      (
        await db
          .selectFrom('pending_postbacks')
          .select('postback_id')
          .where('site_id', '=', made.siteId)
          .execute()
      ).length > 0,
    net: async () =>
      (await eventsOf(made.siteId)).reduce((sum, event) => sum + event.payout_centavos, 0),
    kinds: async () =>
      (
        await db
          .selectFrom('held_postbacks as held')
          .innerJoin('postbacks as postback', 'postback.id', 'held.postback_id')
          .select('held.kind')
          .where('postback.site_id', '=', made.siteId)
          .execute()
      ).map(({ kind }) => kind),
  }
}

async function settle(id: string, act: string): Promise<HeldResult | undefined> {
  const body = { ids: [id], act, reason: 'Asked' }
  const done = await call(viewer(), heldPostbacksEndpoints.settleHeldPostbacks, { body })
  return done.body.items[0]
}

const part = { amount: '100', refund_amount: '30', refund_id: '1', currency: 'USD' }

describe('a refund of a part of an order that is pending', () => {
  test.each([
    ['void', part],
    ['sale', { ...part, status: 'refunded' }],
    ['sale', { ...part, status: 'rejected' }],
  ])('is held, as %s %o, and the order can be approved', async (event, fields) => {
    const { report, approve, isPending, net, kinds } = await pendingOrder()
    const held = await report(event, fields)
    expect(held).toMatchObject({
      status: 409,
      reason: 'It takes back 30.00 USD of the 100.00 USD that the merchant reported for the sale.',
    })
    expect([await isPending(), await kinds()]).toEqual([true, ['part']])
    // There is nothing yet to take a part of.
    expect(await settle(held.id, 'in-proportion')).toMatchObject({ state: 'held', changes: [] })
    expect(await approve()).toMatchObject({ status: 201 })
    expect(await settle(held.id, 'in-proportion')).toMatchObject({ outcome: 'recorded' })
    expect([await isPending(), await net()]).toEqual([false, 350_00])
  })

  test('takes back the whole if staff say so, and nothing if they refuse it', async () => {
    const whole = await pendingOrder()
    const held = await whole.report('void', part)
    expect(await settle(held.id, 'reverse')).toMatchObject({ outcome: 'rejected' })
    expect(await whole.isPending()).toBe(false)

    const nothing = await pendingOrder()
    const refused = await nothing.report('void', part)
    expect(await settle(refused.id, 'refuse')).toMatchObject({ outcome: 'refused' })
    expect(await nothing.isPending()).toBe(true)
  })

  test('waits for the approval where the site takes back parts in proportion', async () => {
    const { report, approve, isPending, net } = await pendingOrder({ part_rule: 'in-proportion' })
    expect(await report('void', part)).toMatchObject({ status: 202, outcome: 'waiting' })
    expect(await isPending()).toBe(true)
    expect(await approve()).toMatchObject({ status: 201 })
    clock.advance(11 * 60_000)
    await settleWaiting(services)
    expect(await net()).toBe(350_00)
  })

  test('rejects it where the site takes back wholes', async () => {
    const { report, isPending } = await pendingOrder({ part_rule: 'whole' })
    expect(await report('void', part)).toMatchObject({ status: 200, outcome: 'rejected' })
    expect(await isPending()).toBe(false)
  })

  test('is held if its amount is unclear', async () => {
    const { report, isPending, kinds } = await pendingOrder({ part_rule: 'in-proportion' })
    expect(await report('void', { refund_amount: '1,000' })).toMatchObject({ status: 409 })
    expect(await report('void', { refund_amount: '30', currency: 'PHP' })).toMatchObject({
      status: 409,
    })
    expect([await isPending(), await kinds()]).toEqual([true, ['amount', 'amount']])
  })
})

test.each([
  ['all that it cost', { amount: '100', currency: 'USD' }],
  ['no amount', {}],
])('a refund of a pending order with %s rejects it', async (_, fields) => {
  const { report, isPending } = await pendingOrder()
  expect(await report('void', fields)).toMatchObject({ status: 200, outcome: 'rejected' })
  expect(await isPending()).toBe(false)
})

test('a refund of a part of what counts leaves pending what is pending of the order', async () => {
  const site = { use_approve_sale: true, part_rule: 'in-proportion' }
  const { report, approve, isPending, net } = await pendingOrder(site)
  await report('approval', { amount: '100', currency: 'USD' })
  const before = await net()
  expect(before).toBeGreaterThan(0)
  expect(await report('void', { amount: '50', currency: 'USD' })).toMatchObject({ status: 201 })
  expect([await isPending(), await net()]).toEqual([true, before / 2])
  expect(await approve()).toMatchObject({ status: 201 })
  expect(await isPending()).toBe(false)
})

test('a part of what is pending is asked about, though something else of the order was taken back before', async () => {
  const { report, isPending } = await pendingOrder()
  await report('bonus')
  await report('void', { reverses: 'bonus' })
  expect(await report('void', { amount: '30', currency: 'USD' })).toMatchObject({ status: 409 })
  expect(await isPending()).toBe(true)
})

test('of an order of one product, an amount that two pending reports name was paid once', async () => {
  const { report, isPending } = await pendingOrder()
  await report('sale', { amount: '100', currency: 'USD', status: 'pending', type: 'basic' })
  expect(await report('void', { amount: '100', currency: 'USD' })).toMatchObject({
    outcome: 'rejected',
  })
  expect(await isPending()).toBe(false)
})
