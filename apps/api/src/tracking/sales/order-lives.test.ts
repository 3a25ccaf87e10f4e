import {
  heldPostbacksEndpoints,
  type HeldResult,
} from '@tallyroom/contract/tracking/held-postbacks'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { buildLinkType } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { foldTotals, verifyTotals } from '../../totals/index.ts'
import { inTransaction } from '../../db/transaction.ts'
import { findTierPay } from '../../pay/index.ts'
import { postbacksRoutes } from '../postbacks/postbacks.routes.ts'
import { settleWaiting } from '../postbacks/settle-waiting.ts'

const { db, clock, services, inbound, agentId, merchant, eventsOf } = await postbackWorld()
const call = await callRoutes(postbacksRoutes(services, inbound, findTierPay))
const { previewHeldPostbacks, settleHeldPostbacks } = heldPostbacksEndpoints
const superadmin = viewer()

async function settle(ids: string[], act: string, more: object = {}): Promise<HeldResult[]> {
  const asked = { ids, act, ...more }
  const before = await db.selectFrom('sale_events').select('id').execute()
  const preview = await call(superadmin, previewHeldPostbacks, { body: asked })
  expect(await db.selectFrom('sale_events').select('id').execute()).toHaveLength(before.length)
  const done = await call(superadmin, settleHeldPostbacks, { body: { ...asked, reason: 'Asked' } })
  expect(done.status).toBe(200)
  // What was foretold is what was done.
  expect(preview.body.items.map(withoutIds)).toEqual(done.body.items.map(withoutIds))
  return done.body.items
}

const withoutIds = (result: HeldResult) => ({
  ...result,
  eventId: null,
  changes: result.changes.map((change) => ({ ...change, eventId: null, saleId: null })),
})

type Answer = { id: string; outcome: string; eventId?: string; reason?: string }

/** A merchant whose click was made on 1 March, and a short way to report about its order. */
async function shop(site: Parameters<typeof merchant>[0] = {}, order = 'A') {
  const made = await merchant(site)
  const cid = await made.click({
    clicked_at: new Date('2026-03-01T12:00:00Z'),
    // Its row is written without totals, so it must not count.
    uncounted: 'too many',
  })
  const report = async (event: string, fields: Record<string, string> = {}) => {
    clock.advance(1_000)
    const answer = await made.get({ cid, tid: order, event, ...fields })
    return { ...answer.json<Answer>(), status: answer.statusCode }
  }
  const net = async () =>
    (await eventsOf(made.siteId)).reduce((sum, event) => sum + event.payout_centavos, 0)
  return { ...made, cid, report, net }
}

const verified = async () => {
  expect(await verifyTotals(db)).toEqual([])
  await foldTotals(db)
  expect(await verifyTotals(db)).toEqual([])
}

describe('a void that ended a pending sale', () => {
  test('comes twice: the retry takes nothing back that counts later', async () => {
    const { report, net } = await shop()
    await report('sale', { status: 'pending' })
    expect(await report('void')).toMatchObject({ status: 200, outcome: 'rejected' })
    expect(await report('void')).toMatchObject({ status: 200, outcome: 'rejected' })
    const sold = await report('sale')
    expect(sold).toMatchObject({ status: 409, outcome: 'conflict' })
    await settle([sold.id], 'record')
    clock.advance(11 * 60_000)
    await settleWaiting(services)
    expect(await net()).toBe(500_00)
    await verified()
  })

  test('comes again while the sale waits for a decision: it takes that back', async () => {
    const { report, net } = await shop()
    await report('sale', { status: 'pending' })
    await report('void')
    const sold = await report('sale')
    expect(await report('void')).toMatchObject({ outcome: 'waiting' })
    await settle([sold.id], 'record')
    clock.advance(11 * 60_000)
    await settleWaiting(services)
    expect(await net()).toBe(0)
    await verified()
  })
})

describe('a sale that was reversed and is reported again', () => {
  test('counts again if its time is after the reversal, in the AVP week of its sale', async () => {
    const { siteId, report } = await shop({ avp: true })
    const sale = await report('sale', { time: '2026-03-02T12:00:00Z' })
    const voided = await report('void', { time: '2026-03-05T12:00:00Z' })
    const again = await report('sale', { time: '2026-03-09T12:00:00Z' })
    expect(again).toMatchObject({ status: 201, outcome: 'recorded' })
    expect((await eventsOf(siteId)).at(-1)).toMatchObject({
      id: again.eventId,
      quantity: 1,
      restores: voided.eventId,
      of_sale: sale.eventId,
      sold_at: new Date('2026-03-02T12:00:00Z'),
      occurred_at: new Date('2026-03-09T12:00:00Z'),
      payout_centavos: 500_00,
    })
    await verified()
    const days = await db
      .selectFrom('totals_day_agent_type')
      .select(['day', 'sales', 'avp_sales', 'payout_centavos'])
      .where('site_id', '=', siteId)
      .where('sales', '<>', 0)
      .orderBy('day')
      .execute()
    expect(days.map((row) => [row.day, row.sales, row.avp_sales, row.payout_centavos])).toEqual([
      ['2026-03-02', 1, 1, 500_00],
      ['2026-03-05', -1, 0, -500_00],
      ['2026-03-09', 1, 0, 500_00],
    ])
    // A retry of each changes nothing.
    expect((await report('sale', { time: '2026-03-09T12:00:00Z' })).outcome).toBe('duplicate')
    expect((await report('void', { time: '2026-03-05T12:00:00Z' })).outcome).toBe('duplicate')
    expect((await report('sale', { time: '2026-03-02T12:00:00Z' })).outcome).toBe('duplicate')
    expect(await eventsOf(siteId)).toHaveLength(3)
    // It can be taken back again, and come back again.
    expect((await report('void', { time: '2026-03-09T13:00:00Z' })).status).toBe(201)
    expect((await report('sale', { time: '2026-03-09T14:00:00Z' })).status).toBe(201)
    expect((await eventsOf(siteId)).map(({ quantity }) => quantity)).toEqual([1, -1, 1, -1, 1])
    await verified()
  })

  test('counts again if the merchant says that it is approved', async () => {
    const { report, net } = await shop()
    await report('sale')
    await report('void')
    expect(await report('sale', { status: 'approved' })).toMatchObject({ status: 201 })
    expect(await report('sale', { status: 'approved' })).toMatchObject({ outcome: 'duplicate' })
    expect(await net()).toBe(500_00)
  })

  test('is no longer counted once the merchant rejects it', async () => {
    const { report, net } = await shop()
    await report('sale')
    expect(await report('sale', { status: 'rejected' })).toMatchObject({ status: 201 })
    expect(await net()).toBe(0)
    expect(await report('sale', { status: 'approved' })).toMatchObject({ status: 201 })
    expect(await net()).toBe(500_00)
  })

  test('is a retry if it has the time of what it repeats, although the reversal is dated a moment before', async () => {
    const { report, net } = await shop()
    const first = { time: '2026-03-02T12:00:01Z' }
    await report('sale', first)
    await report('void', { time: '2026-03-02T12:00:00Z' })
    expect(await report('sale', first)).toMatchObject({
      status: 200,
      outcome: 'duplicate',
      reason: expect.stringMatching(/^It repeats a report of the sale, which was reversed on/),
    })
    expect(await net()).toBe(0)
    await report('sale', { time: '2026-03-03T12:00:00Z' })
    expect(await net()).toBe(500_00)
    await verified()
  })

  test('is held without a time, and staff count it again once, or say that it was a retry', async () => {
    const { siteId, report, net } = await shop()
    await report('sale')
    await report('void')
    const [one, two] = [await report('sale'), await report('sale')]
    expect(one).toMatchObject({ status: 409, outcome: 'conflict' })
    expect(await net()).toBe(0)
    const [first, second] = await settle([one.id, two.id], 'count-again')
    expect(first).toMatchObject({
      state: 'settled',
      outcome: 'recorded',
      changes: [{ quantity: 1, isRestored: true, payout: 500 }],
    })
    expect(second).toMatchObject({ state: 'settled', outcome: 'duplicate', changes: [] })
    expect(await net()).toBe(500_00)

    expect(await report('void')).toMatchObject({ status: 409 })
    expect(await net()).toBe(500_00)
    const third = await shop()
    await third.report('sale')
    await third.report('void')
    const retry = await third.report('sale')
    const [settled] = await settle([retry.id], 'was-retry')
    expect(settled).toMatchObject({ outcome: 'duplicate', changes: [] })
    expect(
      (
        await call(superadmin, settleHeldPostbacks, {
          body: { ids: [retry.id], act: 'count-again', reason: 'No' },
        })
      ).body.items,
    ).toMatchObject([{ state: 'impossible', outcome: 'duplicate' }])
    expect(await eventsOf(third.siteId)).toHaveLength(2)
    expect(await eventsOf(siteId)).toHaveLength(3)
  })

  test('is counted again once, whoever of two people is first', async () => {
    const { report, net } = await shop()
    await report('sale')
    await report('void')
    const { id } = await report('sale')
    const body = { ids: [id], act: 'count-again', reason: 'Asked' }
    const both = await Promise.all([
      call(superadmin, settleHeldPostbacks, { body }),
      call(superadmin, settleHeldPostbacks, { body }),
    ])
    const states = both.map((answer) => answer.body.items[0]?.state)
    expect(states.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
      'impossible',
      'settled',
    ])
    expect(await net()).toBe(500_00)
  })

  test('does not count if a later reversal came first', async () => {
    const { report, net } = await shop()
    await report('sale', { time: '2026-03-02T12:00:00Z' })
    await report('void', { time: '2026-03-03T12:00:00Z' })
    await report('void', { time: '2026-03-08T12:00:00Z' })
    expect(await report('sale', { time: '2026-03-05T12:00:00Z' })).toMatchObject({
      outcome: 'duplicate',
    })
    expect(await net()).toBe(0)
  })
})

test('a late reversal does not take back what a later report has confirmed', async () => {
  const { report, net } = await shop()
  await report('sale', { time: '2026-03-02T12:00:00Z' })
  await report('sale', { time: '2026-03-06T12:00:00Z' })
  expect(await report('void', { time: '2026-03-04T12:00:00Z' })).toMatchObject({
    outcome: 'duplicate',
  })
  expect(await net()).toBe(500_00)
})

describe('a reversal that is dated before all that has come of its order', () => {
  /** A bonus of the 6th has come. A rejection of the whole order on the 5th takes nothing back. */
  async function rejectedBetween() {
    const one = await shop()
    await one.report('bonus', { time: '2026-03-06T12:00:00Z' })
    const rejection = await one.report('void', { time: '2026-03-05T12:00:00Z' })
    expect(rejection).toMatchObject({ status: 409 })
    const sale = { time: '2026-03-04T12:00:00Z' }
    return { ...one, rejection, sale }
  }

  test('holds what comes later and happened before it', async () => {
    const { siteId, report, rejection, sale } = await rejectedBetween()
    const late = await report('sale', sale)
    expect(late).toMatchObject({
      status: 409,
      reason:
        'The merchant rejected it on 2026-03-05, before this report of it came. This may be its first report, delayed.',
    })
    expect(await settle([late.id], 'record')).toMatchObject([{ outcome: 'recorded' }])
    expect((await settle([rejection.id], 'refuse'))[0]?.state).toBe('settled')
    expect((await eventsOf(siteId)).map(({ quantity }) => quantity)).toEqual([1, 1])
    await verified()
  })

  test('holds what comes later of a product that it names', async () => {
    const { siteId, report } = await shop()
    await buildLinkType(db, { site_id: siteId, typealias: 'pro', bonus: true })
    await report('sale', { time: '2026-03-01T12:00:00Z' })
    const ofPro = await report('void', { type: 'pro', time: '2026-03-05T12:00:00Z' })
    expect(ofPro).toMatchObject({
      reason: 'The sale with this transaction id is of another link type.',
    })
    const bonus = { type: 'pro', time: '2026-03-03T12:00:00Z' }
    expect(await report('bonus', bonus)).toMatchObject({ status: 409 })
    expect(await report('bonus', { ...bonus, type: '' })).toMatchObject({ status: 201 })
  })

  test('holds nothing that happened after it', async () => {
    const { report } = await rejectedBetween()
    const after = await report('sale', { time: '2026-03-05T13:00:00Z' })
    expect(after).toMatchObject({ status: 201 })
  })

  test('holds nothing once staff say that it was not meant', async () => {
    const { report, rejection, sale } = await rejectedBetween()
    await settle([rejection.id], 'refuse')
    expect(await report('sale', sale)).toMatchObject({ status: 201 })
  })

  test('holds the bonus of a sale that a later report has confirmed', async () => {
    const { report } = await shop()
    for (const day of ['01', '05']) await report('sale', { time: `2026-03-${day}T12:00:00Z` })
    expect(await report('void', { time: '2026-03-03T12:00:00Z' })).toMatchObject({
      outcome: 'duplicate',
      reason: 'A report with a later time says that the sale counts.',
    })
    const time = '2026-03-02T12:00:00Z'
    expect(await report('bonus', { time })).toMatchObject({ status: 409 })
  })
})

describe('an order with several products', () => {
  test('is held, and counted as another product or refused as a mistake', async () => {
    const { siteId, report, net } = await shop()
    await buildLinkType(db, { site_id: siteId, typealias: 'pro', payout_centavos: 900_00 })
    await report('sale')
    const [held, mistake] = [
      await report('sale', { type: 'pro' }),
      await report('sale', { type: 'pro' }),
    ]
    expect(held).toMatchObject({ status: 409 })
    expect(await settle([mistake.id], 'mistake')).toMatchObject([
      { outcome: 'refused', changes: [] },
    ])
    expect(await settle([held.id], 'another-product')).toMatchObject([
      { outcome: 'recorded', changes: [{ quantity: 1, payout: 900 }] },
    ])
    expect(await report('sale', { type: 'pro' })).toMatchObject({ outcome: 'duplicate' })
    expect(await report('sale')).toMatchObject({ outcome: 'duplicate' })
    expect(await net()).toBe(1_400_00)
  })

  test('counts each once if the site says so, and a reversal takes back all or the named one', async () => {
    const { siteId, report, net } = await shop({ several_products: true })
    await buildLinkType(db, { site_id: siteId, typealias: 'pro', payout_centavos: 900_00 })
    await buildLinkType(db, { site_id: siteId, typealias: 'max', payout_centavos: 50_00 })
    for (const type of ['pro', 'max', 'pro']) await report('sale', { type })
    await report('sale')
    await report('bonus')
    expect(await net()).toBe(1_450_00)
    expect(await report('void', { type: 'pro' })).toMatchObject({ status: 201 })
    expect(await net()).toBe(550_00)
    expect(await report('void')).toMatchObject({ status: 201 })
    expect(await report('void')).toMatchObject({ outcome: 'duplicate' })
    expect(await net()).toBe(0)
  })

  test('of one recorded before the site said so, a retry is still a duplicate', async () => {
    const { siteId, report, net } = await shop()
    await report('sale')
    await db.updateTable('sites').set({ several_products: true }).where('id', '=', siteId).execute()
    await inbound.sites.reload()
    expect(await report('sale')).toMatchObject({ outcome: 'duplicate' })
    expect(await net()).toBe(500_00)
  })
})

test('a reversal is never dated before its sale', async () => {
  const { siteId, report } = await shop()
  // 00:02 on 3 March and 23:58 on the 2nd, in New York.
  await report('sale', { time: '2026-03-03T05:02:00Z' })
  expect((await report('void', { time: '2026-03-03T04:58:00Z' })).status).toBe(201)
  expect((await eventsOf(siteId)).map(({ occurred_at: at }) => at.toISOString())).toEqual([
    '2026-03-03T05:02:00.000Z',
    '2026-03-03T05:02:00.000Z',
  ])
  await verified()
})

describe('a reversal of a part', () => {
  test('is held, and takes back the part, the whole or nothing', async () => {
    const parts = [
      ['in-proportion', 375_00],
      ['reverse', 0],
      ['refuse', 500_00],
    ] as const
    for (const [act, left] of parts) {
      const { report, net } = await shop()
      await report('sale', { amount: '40.00', currency: 'USD' })
      const held = await report('void', { amount: '10.00' })
      expect(held).toMatchObject({ status: 409 })
      await settle([held.id], act)
      expect(await net()).toBe(left)
    }
    await verified()
  })

  test('takes back the same part by the site’s rule, each part once, and what is left as a whole', async () => {
    const { siteId, report, net } = await shop({ part_rule: 'in-proportion' })
    await report('sale', { amount: '40.00' })
    expect(await report('void', { amount: '10.00' })).toMatchObject({ status: 201 })
    const same = await report('void', { amount: '10.00' })
    expect(same).toMatchObject({ status: 409 })
    await settle([same.id], 'was-retry')
    expect(await net()).toBe(375_00)
    expect(await report('chargeback')).toMatchObject({ status: 201 })
    expect(await net()).toBe(0)
    expect((await eventsOf(siteId)).map(({ quantity }) => quantity)).toEqual([1, 0, -1])
    // It comes back whole.
    await report('sale', { status: 'approved' })
    expect(await net()).toBe(500_00)
    await verified()
  })
})

describe('a refund of an order whose events each name its amount', () => {
  const paid = { amount: '49.90', currency: 'USD' }
  const rules = ['ask', 'in-proportion'] as const

  test.each(rules)('of all takes back all: approval and sale, %s', async (part_rule) => {
    const { siteId, report, net } = await shop({ use_approve_sale: true, part_rule })
    await report('approval', paid)
    await report('sale', paid)
    expect(await report('chargeback', paid)).toMatchObject({ status: 201 })
    expect(await net()).toBe(0)
    expect((await eventsOf(siteId)).map(({ quantity }) => quantity)).toEqual([1, 1, -1, -1])
    await verified()
  })

  test.each(rules)('of all takes back all: sale and bonus, %s', async (part_rule) => {
    const { siteId, report } = await shop({ part_rule })
    await report('sale', { amount: '100' })
    await report('bonus', { amount: '100' })
    expect(await report('void', { amount: '100' })).toMatchObject({ status: 201 })
    expect((await eventsOf(siteId)).map(({ quantity }) => quantity)).toEqual([1, 1, -1, -1])
  })

  test('of a half is held as that, and takes back half of each', async () => {
    const { report, net } = await shop({ use_approve_sale: true })
    await report('approval', paid)
    await report('sale', paid)
    const whole = await net()
    const held = await report('chargeback', { ...paid, amount: '24.95' })
    expect(held).toMatchObject({
      status: 409,
      reason: 'It takes back 24.95 USD of the 49.90 USD that the merchant reported for the sale.',
    })
    await settle([held.id], 'in-proportion')
    expect(await net()).toBe(whole / 2)
    await verified()
  })

  test('of one of two products is a part of what both cost', async () => {
    const one = await shop({ several_products: true, part_rule: 'in-proportion' })
    await buildLinkType(db, { site_id: one.siteId, typealias: 'second' })
    for (const event of ['sale', 'bonus']) {
      await one.report(event, { amount: '30' })
      await one.report(event, { amount: '10', type: 'second' })
    }
    const whole = await one.net()
    expect(await one.report('void', { amount: '30' })).toMatchObject({ status: 201 })
    expect(await one.net()).toBe(whole / 4)
    await verified()
  })
})

describe('two parts of the same amount', () => {
  const part = { amount: '10.00' }
  async function sold() {
    const one = await shop({ part_rule: 'in-proportion' })
    await one.report('sale', { amount: '40.00', time: '2026-03-01T12:30:00Z' })
    return one
  }

  test.each([
    ['numbers', { refund_id: 'R:1' }, { refund_id: 'R:2' }],
    ['times', { time: '2026-03-02T12:00:00Z' }, { time: '2026-03-03T12:00:00Z' }],
  ])('are two by their %s, each taken back once', async (_, first, second) => {
    const { report, net } = await sold()
    for (const own of [first, second])
      expect(await report('void', { ...part, ...own })).toMatchObject({ status: 201 })
    for (const own of [first, second])
      expect(await report('void', { ...part, ...own })).toMatchObject({ outcome: 'duplicate' })
    expect(await net()).toBe(250_00)
    await verified()
  })

  test('are held without either, and staff take back the second, once', async () => {
    const { report, net } = await sold()
    expect(await report('void', part)).toMatchObject({ status: 201 })
    const second = await report('void', part)
    expect(second).toMatchObject({ status: 409, reason: expect.stringContaining('refund_id') })
    expect(await net()).toBe(375_00)
    expect(await settle([second.id], 'in-proportion')).toMatchObject([{ outcome: 'recorded' }])
    expect(await net()).toBe(250_00)
    await verified()
  })
})

describe('a reversal whose amount is unclear', () => {
  test.each([
    [
      {},
      { refund_amount: '1,000' },
      'Its amount, 1,000, can’t be read. Does the whole sale go back?',
    ],
    [
      { amount: '5,000' },
      { refund_amount: '1,000' },
      'Its amount, 1,000, can’t be read. Does the whole sale go back?',
    ],
    [
      { amount: '100', currency: 'USD' },
      { amount: '50', currency: 'PHP' },
      'It takes back 50.00 PHP, and the merchant reported 100.00 USD for the sale. These can’t be compared. Does the whole sale go back?',
    ],
  ])('of a sale with %o is held: %o', async (sale, back, reason) => {
    for (const [act, left] of [
      ['reverse', 0],
      ['refuse', 500_00],
    ] as const) {
      const { report, net } = await shop({ part_rule: 'in-proportion' })
      await report('sale', sale)
      const held = await report('void', back)
      expect(held).toMatchObject({ status: 409, reason })
      await settle([held.id], act)
      expect(await net()).toBe(left)
    }
    await verified()
  })

  test('is held when its sale arrives, if it waited for that', async () => {
    const { siteId, report, net } = await shop({ part_rule: 'in-proportion' })
    expect(await report('void', { refund_amount: '1,000' })).toMatchObject({ status: 202 })
    await report('sale', { amount: '5000' })
    clock.advance(5_000)
    await settleWaiting(services)
    expect(await net()).toBe(500_00)
    const held = await db
      .selectFrom('held_postbacks as held')
      .innerJoin('postbacks as postback', 'postback.id', 'held.postback_id')
      .select('held.kind')
      .where('postback.site_id', '=', siteId)
      .execute()
    expect(held).toEqual([{ kind: 'amount' }])
  })

  test('takes back the whole where the site takes back wholes', async () => {
    const { report, net } = await shop({ part_rule: 'whole' })
    await report('sale', { amount: '5,000' })
    expect(await report('void', { refund_amount: '1,000' })).toMatchObject({ status: 201 })
    expect(await net()).toBe(0)
  })
})

test('rebills count as bonuses of the link type, each with its own order number', async () => {
  const { siteId, report, get, cid } = await shop()
  await report('sale')
  expect((await get({ cid, event: 'rebill' })).statusCode).toBe(422)
  for (const tid of ['R-1', 'R-2', 'R-2']) await report('rebill', { tid })
  expect((await eventsOf(siteId)).map((row) => [row.event_type, row.transaction_id])).toEqual([
    [0, 'A'],
    [1, 'R-1'],
    [1, 'R-2'],
  ])
})

test('a sale after the days that the site counts is held; a retry of one in time is a duplicate', async () => {
  const { siteId, report } = await shop({ counts_for_days: 5 })
  await report('sale', { time: '2026-03-06T11:59:59Z' })
  expect(await report('sale')).toMatchObject({ outcome: 'duplicate' })
  const late = await report('sale', { tid: 'B' })
  expect(late).toMatchObject({ status: 409 })
  expect(late.reason).toContain('9 days after its click')
  expect(await settle([late.id], 'record')).toMatchObject([{ outcome: 'recorded' }])
  const later = await report('sale', { tid: 'C' })
  expect(await settle([later.id], 'refuse')).toMatchObject([{ outcome: 'refused' }])
  expect(await eventsOf(siteId)).toHaveLength(2)
})

test('what says that money goes back takes back the sale that staff choose', async () => {
  const { siteId, report, net } = await shop()
  const sale = await report('sale')
  const held = await report('sale', { tid: 'RF-1', amount: '-49.90' })
  expect(held).toMatchObject({ status: 409 })
  const other = await shop()
  const foreign = await other.report('sale')
  const body = { ids: [held.id], act: 'reverse', saleId: foreign.eventId }
  expect((await call(superadmin, previewHeldPostbacks, { body })).status).toBe(422)
  expect(await settle([held.id], 'reverse', { saleId: sale.eventId })).toMatchObject([
    { outcome: 'recorded', changes: [{ quantity: -1, reversal: 'void', payout: -500 }] },
  ])
  expect(await net()).toBe(0)
  expect(await eventsOf(siteId)).toHaveLength(2)
})

test('a sale of an agent who is suspended by now counts, and is marked', async () => {
  const { siteId, report } = await shop()
  await db.updateTable('agents').set({ active: false }).where('id', '=', agentId).execute()
  expect(await report('sale')).toMatchObject({ status: 201 })
  await db.updateTable('agents').set({ active: true }).where('id', '=', agentId).execute()
  expect(await report('sale', { tid: 'B' })).toMatchObject({ status: 201 })
  expect((await eventsOf(siteId)).map((row) => row.agent_suspended)).toEqual([true, false])
})

test('a bonus of an order that was taken back is held, and staff may count it', async () => {
  const { report, siteId } = await shop()
  await report('sale')
  await report('void')
  const held = await report('bonus')
  expect(held).toMatchObject({ status: 409 })
  expect(await settle([held.id], 'record')).toMatchObject([{ outcome: 'recorded' }])
  await settleWaiting(services)
  expect((await eventsOf(siteId)).map((row) => row.event_type)).toEqual([0, 0, 1])
})

test('a bonus that waits for its rates while its order is taken back does not count', async () => {
  const { siteId, typeId, report, net } = await shop({ several_products: true })
  await buildLinkType(db, { site_id: siteId, typealias: 'pro', bonus: true })
  await report('sale', { type: 'pro' })

  const [stopped, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const preview = inTransaction(db, async (tx) => {
    await services.ledger.stopSales(tx, typeId)
    stopped.resolve()
    await released.promise
    throw new Error('Only a preview')
  }).catch((error: unknown) => error)
  await stopped.promise
  const bonus = report('bonus')
  await expect.poll(isSomebodyWaiting, { timeout: 60_000 }).toBe(true)
  expect(await report('void')).toMatchObject({ status: 201 })
  released.resolve()
  await preview

  expect(await bonus).toMatchObject({ status: 409 })
  expect(await net()).toBe(0)
})

async function isSomebodyWaiting(): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_locks
    where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())
  `.execute(db)
  return rows.length > 0
}

test('another product counts once staff say so, also after the days that the site counts', async () => {
  const { siteId, report, net } = await shop({ counts_for_days: 5 })
  await buildLinkType(db, { site_id: siteId, typealias: 'pro', payout_centavos: 900_00 })
  await report('sale', { time: '2026-03-02T12:00:00Z' })
  const { id } = await report('sale', { type: 'pro' })
  expect(await settle([id], 'another-product')).toMatchObject([{ outcome: 'recorded' }])
  expect(await net()).toBe(1_400_00)
})

describe('what was shown is what is done', () => {
  /** A sale that was voided and is reported again, and what counting it again would do. */
  async function heldAgain() {
    const made = await shop()
    await made.report('sale')
    await made.report('void')
    const held = await made.report('sale')
    const asked = { ids: [held.id], act: 'count-again' }
    const { body } = await call(superadmin, previewHeldPostbacks, { body: asked })
    const effect: string = body.items[0].effect
    const confirm = (more: object = {}) =>
      call(superadmin, settleHeldPostbacks, {
        body: { ...asked, reason: 'Paid again', seen: [{ id: held.id, effect }], ...more },
      })
    return { ...made, held, confirm }
  }

  test('a replay, and a second tab, do it once', async () => {
    const { siteId, confirm, net } = await heldAgain()
    const answers = await Promise.all([confirm(), confirm(), confirm()])
    const states: string[] = answers.map(({ body }) => body.items[0].state)
    expect(states.toSorted()).toEqual(['impossible', 'impossible', 'settled'])
    expect((await confirm()).body.items).toMatchObject([
      { state: 'impossible', reason: 'It is already settled: recorded.', changes: [] },
    ])
    expect(await eventsOf(siteId)).toHaveLength(3)
    expect(await net()).toBe(500_00)
  })

  test('nothing is done that would do something else than was shown, or was not shown', async () => {
    const { siteId, report } = await shop()
    const [first, second] = [await report('sale'), await report('sale', { tid: 'B' })]
    const held = await report('sale', { tid: 'RF-1', amount: '-49.90' })
    const asked = { ids: [held.id], act: 'reverse', saleId: first.eventId }
    const { effect } = (await call(superadmin, previewHeldPostbacks, { body: asked })).body.items[0]
    const confirm = async (more: object) => {
      const body = { ...asked, reason: 'Refunded', seen: [{ id: held.id, effect }], ...more }
      return (await call(superadmin, settleHeldPostbacks, { body })).body.items[0]
    }
    for (const other of [{ saleId: second.eventId }, { seen: [] }]) {
      const refused = await confirm(other)
      expect(refused).toMatchObject({ state: 'held', eventId: null, changes: [] })
      expect(refused.reason).toMatch(/^Something has changed since this was shown/)
      expect(await eventsOf(siteId)).toHaveLength(2)
    }
    expect(await confirm({})).toMatchObject({ state: 'settled', effect })
    expect(await eventsOf(siteId)).toHaveLength(3)
  })

  test.each([
    ['nothing that can be seen', '\u200b\u2060', 422],
    ['a control character', 'a\u0000b', 422],
    ['more than 200 characters', 'x'.repeat(10_000), 422],
    ['markup', '<img src=x onerror=alert(1)>', 200],
    ['text from right to left', '\u202e₱1 \u05e9\u05dc\u05d5\u05dd', 200],
  ])('a reason with %s', async (_, reason, status) => {
    const { held, confirm, siteId } = await heldAgain()
    const answer = await confirm({ reason })
    expect(answer.status).toBe(status)
    const settlement = await db
      .selectFrom('postback_settlements')
      .select('note')
      .where('postback_id', '=', held.id)
      .executeTakeFirst()
    expect(settlement?.note).toBe(status === 200 ? reason : undefined)
    expect(await eventsOf(siteId)).toHaveLength(status === 200 ? 3 : 2)
  })
})
