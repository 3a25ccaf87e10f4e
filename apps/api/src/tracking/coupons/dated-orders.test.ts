import { beforeEach, describe, expect, test } from 'vitest'
import {
  heldPostbacksEndpoints,
  type HeldResult,
} from '@tallyroom/contract/tracking/held-postbacks'
import { buildCoupon, buildLinkType } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { findTierPay } from '../../pay/index.ts'
import { postbacksRoutes } from '../postbacks/postbacks.routes.ts'

const { db, clock, inbound, services, agentId, merchant, eventsOf } = await postbackWorld()
const call = await callRoutes(postbacksRoutes(services, inbound, findTierPay))

beforeEach(() => clock.set('2026-03-10T18:00:00Z'))

const STARTS = '2026-03-10T17:00:00.000Z'
const EARLIER = '2026-03-10T17:30:00.000Z'

/** A site where `ANNA10` counts from 17:00 on. It is 18:00. */
async function shop(site: Parameters<typeof merchant>[0] = {}) {
  const made = await merchant(site)
  const { siteId, get } = made
  await buildCoupon(db, {
    site_id: siteId,
    agent_id: agentId,
    code: 'ANNA10',
    starts_at: new Date(STARTS),
  })
  await inbound.sites.reload()
  const report = async (fields: Record<string, string>) => {
    clock.advance(1_000)
    const answer = await get({ transaction_id: 'N1', ...fields })
    const body = answer.json<{ id: string; outcome: string; reason?: string }>()
    return { ...body, status: answer.statusCode }
  }
  return {
    siteId,
    report,
    byCode: (fields: Record<string, string>) => report({ coupon: 'ANNA10', ...fields }),
    events: async () =>
      (await eventsOf(siteId)).map(({ quantity, occurred_at: at }) => [quantity, at.toISOString()]),
  }
}

async function settle(id: string, act: string): Promise<HeldResult | undefined> {
  const body = { ids: [id], act, reason: 'Asked' }
  const done = await call(viewer(), heldPostbacksEndpoints.settleHeldPostbacks, { body })
  return done.body.items[0]
}

describe('an order by a code whose later report is dated earlier', () => {
  test('counts at that time: there was no click before it', async () => {
    const { byCode, events } = await shop()
    expect(await byCode({ event: 'bonus' })).toMatchObject({ status: 201 })
    expect(await byCode({ time: EARLIER })).toMatchObject({ status: 201 })
    expect((await events()).at(-1)).toEqual([1, EARLIER])
  })

  test('counts for a further product, and for what was rejected', async () => {
    const { siteId, byCode, events } = await shop({ several_products: true })
    for (const typealias of ['pro', 'max']) await buildLinkType(db, { site_id: siteId, typealias })
    await byCode({ type: 'max' })
    expect(await byCode({ type: 'pro', time: EARLIER })).toMatchObject({ status: 201 })
    expect((await events()).at(-1)).toEqual([1, EARLIER])

    const order = { transaction_id: 'N2', type: 'pro' }
    await byCode({ ...order, status: 'pending' })
    await byCode({ ...order, status: 'rejected' })
    const held = await byCode({ ...order, status: 'approved', time: EARLIER })
    expect(held.reason).toContain('The merchant rejected it on 2026-03-10')
    expect(await settle(held.id, 'record')).toMatchObject({ outcome: 'recorded', reason: null })
    expect((await events()).at(-1)).toEqual([1, EARLIER])
  })

  test('is taken back at a time after it, without its code', async () => {
    const { byCode, report, events } = await shop()
    await byCode({ event: 'bonus' })
    await byCode({ time: EARLIER })
    const back = await report({
      event: 'void',
      reverses: 'sale',
      time: '2026-03-10T17:40:00.000Z',
    })
    expect(back).toMatchObject({ status: 201 })
    expect((await events()).at(-1)).toEqual([-1, '2026-03-10T17:40:00.000Z'])
  })

  test('is held if its code did not count yet, and staff count it from then on', async () => {
    const { byCode, events } = await shop()
    await byCode({ event: 'bonus' })
    const held = await byCode({ time: '2026-03-10T16:00:00.000Z' })
    expect(held).toMatchObject({
      status: 409,
      reason: 'It is dated more than five minutes before its coupon code counted.',
    })
    expect(await settle(held.id, 'record')).toMatchObject({
      outcome: 'recorded',
      reason: 'Counted at the start of its coupon code, because it was dated earlier.',
    })
    expect((await events()).at(-1)).toEqual([1, STARTS])
  })
})
