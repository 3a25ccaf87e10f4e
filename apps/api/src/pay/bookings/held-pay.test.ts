import {
  type HeldResult,
  heldPostbacksEndpoints,
} from '@tallyroom/contract/tracking/held-postbacks'
import type { AvpRule } from '@tallyroom/domain/pay'
import { beforeEach, expect, test } from 'vitest'
import { buildAccount } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { execute } from '../../../test/test-server.ts'
import { postbacksRoutes } from '../../tracking/index.ts'
import { savePaySettings } from '../acts/settings.ts'
import { findTierPay } from './sale-pay.ts'

const { db, connection, clock, services, inbound, merchant } = await postbackWorld()
const call = await callRoutes(postbacksRoutes(services, inbound, findTierPay))
const { previewHeldPostbacks, settleHeldPostbacks } = heldPostbacksEndpoints

beforeEach(() => execute(connection, 'truncate pay_settings, pay_state, avp_tiers'))

/** Pay is on from now. Each AVP sale of a week pays ₱40.00 by tier 1, two and more ₱50.00. */
async function switchOn(avp: AvpRule) {
  const closer = await buildAccount(db)
  const tier = { valid_from: '2025-12-29', payout_cents: 0 }
  await db
    .insertInto('avp_tiers')
    .values([
      { ...tier, index: 0, from_sales: 0, to_sales: 0, payout_centavos: 0 },
      { ...tier, index: 1, from_sales: 1, to_sales: 1, payout_centavos: 40_00 },
      { ...tier, index: 2, from_sales: 2, to_sales: 100, payout_centavos: 50_00 },
    ])
    .execute()
  await savePaySettings(
    services,
    { ...viewer(), accountId: closer },
    {
      payees: 'offices',
      periodLength: 'beWeek',
      minimumCentavos: 0,
      minimumCents: 0,
      firstDay: '2026-03-01',
      avp,
    },
  )
  clock.advance(60_000)
}

/** What a decision about the refund of a quarter of an AVP sale would do, and then does. */
async function decided(act: string) {
  const { click, get } = await merchant({ avp: true })
  const sale = { cid: await click(), tid: `order ${++orders}` }
  expect((await get({ ...sale, event: 'sale', amount: '40.00' })).statusCode).toBe(201)
  clock.advance(60_000)
  const held = (await get({ ...sale, event: 'void', amount: '10.00' })).json<{ id: string }>()
  const body = { ids: [held.id], act }
  const preview = await call(viewer(), previewHeldPostbacks, { body })
  const done = await call(viewer(), settleHeldPostbacks, { body: { ...body, reason: 'Asked' } })
  const paid = ({ body: { items } }: typeof preview) =>
    (items as HeldResult[]).flatMap(({ changes }) =>
      changes.map(({ quantity, payout, tierPay }) => [quantity, payout, tierPay?.amount]),
    )
  expect(paid(done)).toEqual(paid(preview))
  return paid(preview)
}

let orders = 0

test('a decision says what is paid: the refund of a part nothing where tiers pay instead, a whole sale its tier', async () => {
  await switchOn('instead')
  const [[quantity, byRate, byTier] = []] = await decided('in-proportion')
  expect([quantity, byTier]).toEqual([0, 0])
  expect(byRate).toBeLessThan(0)
  // The agent's second sale of the week; with it gone, the week is at tier 1 again.
  expect(await decided('reverse')).toEqual([[-1, expect.any(Number), -40]])
})

test('where tiers pay on top, or not at all, the refund of a part is taken from the rate', async () => {
  await switchOn('on-top')
  expect(await decided('in-proportion')).toEqual([[0, expect.any(Number), undefined]])
})
