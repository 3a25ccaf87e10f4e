import { endOfDayExclusive, startOfDay } from '@tallyroom/domain/new-york'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildAgent, buildCoupon, buildLinkType, buildOffice } from '../../../test/build-world.ts'
import { ownLayout } from '../../../test/database.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { findReadings } from '../postbacks/readings.ts'
import { receivePostback } from '../postbacks/receive-postback.ts'
import { isOpenOrder } from '../postbacks/open-postbacks.queries.ts'
import { settleWaiting } from '../postbacks/settle-waiting.ts'
import { makeTestClick } from '../postbacks/test-postback.ts'
import type { Field } from '../reading/field.ts'

const world = await postbackWorld()
const { app, db, clock, inbound, officeId, agentId: ann, merchant, kept, eventsOf } = world
const cebu = await buildOffice(db)
const ben = await buildAgent(db, { office_id: cebu })

beforeEach(() => clock.set('2026-03-10T16:00:00Z'))

/** A site where `ANNA10` is Ann's for all link types, and `BEN10` Ben's. */
async function shop(site: Parameters<typeof merchant>[0] = {}) {
  const made = await merchant(site)
  const { siteId, get } = made
  const coupon = (code: string, agent_id: number, values: object = {}) =>
    buildCoupon(db, { site_id: siteId, agent_id, code, ...values })
  const anna10 = await coupon('ANNA10', ann)
  await coupon('BEN10', ben)
  await inbound.sites.reload()
  return {
    ...made,
    coupon,
    anna10,
    report: async (fields: Record<string, string>) => {
      clock.advance(1_000)
      const answer = await get(fields)
      const body = answer.json<{ id: string; outcome: string; reason?: string; data?: object }>()
      return { ...body, status: answer.statusCode }
    },
    /** What counts of each agent. */
    net: async () => {
      const of = { [ann]: 'ann', [ben]: 'ben' }
      const net: Record<string, number> = {}
      for (const { agent_id, quantity } of await eventsOf(siteId)) {
        const name = of[agent_id] ?? String(agent_id)
        net[name] = (net[name] ?? 0) + quantity
      }
      return net
    },
  }
}

describe('a code in place of a click', () => {
  test('is a sale of its agent and their office, once for each order', async () => {
    const { siteId, typeId, report } = await shop()
    const first = await report({ coupon: 'anna10', transaction_id: 'A1' })
    expect([first.status, first.outcome]).toEqual([201, 'recorded'])
    const again = await report({ coupon: 'Anna10', transaction_id: 'A1' })
    expect([again.status, again.outcome]).toEqual([200, 'duplicate'])
    expect((await report({ coupon: 'ANNA10', transaction_id: 'A2' })).outcome).toBe('recorded')
    const events = await eventsOf(siteId)
    expect(
      events.map((event) => [event.agent_id, event.office_id, event.type_id, event.transaction_id]),
    ).toEqual([
      [ann, officeId, typeId, 'A1'],
      [ann, officeId, typeId, 'A2'],
    ])
    expect(new Set(events.map(({ click_id }) => click_id)).size).toBe(2)
    expect((await kept(first.id)).reason).toBe('By the coupon code ANNA10.')
    expect(await db.selectFrom('clicks').select('agent_id').execute()).toEqual([])
    const pending = await world.pendingOf(siteId)
    expect(pending.map(({ sales, raws, uniques }) => [sales, raws, uniques])).toEqual([
      [1, 0, 0],
      [1, 0, 0],
    ])
  })

  test('without an order number is refused: a retry would be another sale', async () => {
    const { siteId, report } = await shop()
    const { status, reason, id } = await report({ coupon: 'ANNA10' })
    expect([status, (await kept(id)).reason ?? reason]).toEqual([
      422,
      'transaction_id is required with a coupon code instead of a click id',
    ])
    expect(await eventsOf(siteId)).toEqual([])
  })

  test('is reversed, refunded in part and reported again by its order number', async () => {
    const { siteId, report, net } = await shop({ part_rule: 'in-proportion' })
    await report({ coupon: 'ANNA10', transaction_id: 'A1', amount: '100.00' })
    await report({ event: 'void', transaction_id: 'A1', amount: '25.00', refund_id: 'R1' })
    expect((await eventsOf(siteId)).map(({ quantity, part_ppm }) => [quantity, part_ppm])).toEqual([
      [1, null],
      [0, 250_000],
    ])
    await report({ event: 'chargeback', transaction_id: 'A1' })
    expect(await net()).toEqual({ ann: 0 })
    const late = await report({ coupon: 'ANNA10', transaction_id: 'A1', status: 'approved' })
    expect([late.outcome, await net()]).toEqual(['recorded', { ann: 1 }])
  })

  test.each([
    ['recorded', {}],
    ['pending', { status: 'pending' }],
    ['refused', { type: 'nope' }],
    ['conflict', { amount: '-49.90' }],
  ])('keeps its click id with the order, also if it is %s', async (outcome, more) => {
    const { siteId, report, anna10 } = await shop()
    const first = await report({ coupon: 'ANNA10', transaction_id: 'A1', ...more })
    const postback = await kept(first.id)
    expect(postback.outcome).toBe(outcome)
    const claims = await db
      .selectFrom('coupon_orders')
      .select(['transaction_id', 'coupon_id', 'agent_id', 'click_id'])
      .where('site_id', '=', siteId)
      .execute()
    const { click_id } = postback
    expect(claims).toEqual([{ transaction_id: 'A1', coupon_id: anna10, agent_id: ann, click_id }])
  })

  test('waits for the approval of its order, which needs no code', async () => {
    const { report, net, anna10 } = await shop()
    const first = await report({ coupon: 'ANNA10', transaction_id: 'A1', status: 'pending' })
    expect([first.outcome, await net()]).toEqual(['pending', {}])
    await db
      .updateTable('coupons')
      .set({ ends_at: clock.peek() })
      .where('id', '=', anna10)
      .execute()
    clock.advance(86_400_000)
    const approved = await report({ transaction_id: 'A1', status: 'approved' })
    expect([approved.outcome, await net()]).toEqual(['recorded', { ann: 1 }])
  })

  test('brings the bonus of its order to the same agent, and further products', async () => {
    const { siteId, report, net } = await shop({ several_products: true })
    const other = await buildLinkType(db, { site_id: siteId, typealias: 'pro' })
    await report({ coupon: 'ANNA10', transaction_id: 'A1', type: 'pro' })
    expect((await eventsOf(siteId)).map(({ type_id }) => type_id)).toEqual([other])
    expect((await report({ coupon: 'ANNA10', transaction_id: 'A1', event: 'bonus' })).outcome).toBe(
      'recorded',
    )
    expect(await net()).toEqual({ ann: 2 })
  })

  test('for one link type counts for that one alone', async () => {
    const { siteId, typeId, coupon, report, net } = await shop()
    await buildLinkType(db, { site_id: siteId, typealias: 'pro' })
    const unclear = await report({ coupon: 'ANNA10', transaction_id: 'A1' })
    expect([unclear.status, (await kept(unclear.id)).reason]).toEqual([
      422,
      'type is required: the coupon code is for all link types of the site',
    ])
    await coupon('ONE', ann, { type_id: typeId })
    const wrong = await report({ coupon: 'ONE', transaction_id: 'A2', type: 'pro' })
    expect([wrong.status, (await kept(wrong.id)).reason]).toEqual([
      422,
      'type is not the one that the coupon code is for',
    ])
    const made_up = await report({ coupon: 'ANNA10', transaction_id: 'A3', type: 'nothing' })
    expect((await kept(made_up.id)).reason).toMatch(/^type is not a link type of this site/)
    expect((await report({ coupon: 'ONE', transaction_id: 'A4' })).outcome).toBe('recorded')
    expect(await net()).toEqual({ ann: 1 })
  })
})

describe('a code that does not count', () => {
  const refused = async (
    { report }: Awaited<ReturnType<typeof shop>>,
    fields: Record<string, string>,
  ) => {
    const { status, id } = await report({ transaction_id: 'A1', ...fields })
    return [status, (await kept(id)).reason]
  }

  test('is refused by its reason, and visible', async () => {
    const made = await shop()
    await made.coupon('OLD10', ann, { ends_at: endOfDayExclusive('2026-03-07') })
    await made.coupon('NEW10', ann, { starts_at: startOfDay('2026-03-20') })
    expect(await refused(made, { coupon: 'NOBODY10' })).toEqual([
      422,
      'coupon is not a code of one of our agents for this site',
    ])
    expect(await refused(made, { coupon: 'OLD10' })).toEqual([422, 'coupon ended on 2026-03-07'])
    expect(await refused(made, { coupon: 'NEW10' })).toEqual([
      422,
      'coupon counts from 2026-03-20 on',
    ])
    // Nothing that could be a code.
    expect(await refused(made, { coupon: 'АNNA10' })).toEqual([422, 'click_id is required'])
    // Of another site.
    const other = await shop()
    await other.coupon('THERE10', ann)
    expect((await refused(made, { coupon: 'THERE10' }))[0]).toBe(422)
    expect(await made.net()).toEqual({})
  })

  test('or whose agent’s links do not work', async () => {
    const made = await shop()
    const suspended = await buildAgent(db, { office_id: officeId, active: false })
    await made.coupon('CARL10', suspended)
    const reason = 'coupon is of an agent whose links for this site do not work now'
    expect(await refused(made, { coupon: 'CARL10' })).toEqual([422, reason])
    await db.insertInto('agent_sites_off').values({ agent_id: ann, site_id: made.siteId }).execute()
    expect(await refused(made, { coupon: 'ANNA10' })).toEqual([422, reason])
    // The next code of the same order does.
    expect((await made.report({ coupon: 'ANNA10,BEN10', transaction_id: 'A1' })).outcome).toBe(
      'recorded',
    )
    expect(await made.net()).toEqual({ ben: 1 })
  })

  test('beside a click changes nothing', async () => {
    const { click, report, net } = await shop({ coupon_wins: true })
    const { outcome } = await report({
      click_id: await click(),
      coupon: 'NOBODY10',
      transaction_id: 'A1',
    })
    expect([outcome, await net()]).toEqual(['recorded', { ann: 1 }])
  })
})

describe('a code that passes to another agent', () => {
  test('counts for who had it when the order was made', async () => {
    const { coupon, anna10, report, net } = await shop()
    const noon = new Date('2026-03-10T17:00:00Z')
    await report({ coupon: 'ANNA10', transaction_id: 'A1' })
    await db.updateTable('coupons').set({ ends_at: noon }).where('id', '=', anna10).execute()
    await coupon('anna10', ben, { starts_at: noon })
    clock.set('2026-03-10T18:00:00Z')
    // On its way while it passed: the merchant says when it was made.
    await report({ coupon: 'ANNA10', transaction_id: 'A2', time: '2026-03-10T16:59:59Z' })
    await report({ coupon: 'ANNA10', transaction_id: 'A3', time: '2026-03-10T17:00:00Z' })
    await report({ coupon: 'ANNA10', transaction_id: 'A4' })
    expect(await net()).toEqual({ ann: 2, ben: 2 })
    // A late retry is one.
    expect((await report({ coupon: 'ANNA10', transaction_id: 'A1' })).outcome).toBe('duplicate')
    expect(await net()).toEqual({ ann: 2, ben: 2 })
  })
})

describe('a click and a code of one order', () => {
  test.each([
    { coupon_wins: false, counts: { ben: 1 } },
    { coupon_wins: true, counts: { ann: 1 } },
  ])('of two agents, in one postback: code first $coupon_wins', async ({ coupon_wins, counts }) => {
    const { click, report, net } = await shop({ coupon_wins })
    const click_id = await click({ agent_id: ben, office_id: cebu })
    const both = { click_id, coupon: 'ANNA10', transaction_id: 'A1' }
    expect((await report(both)).outcome).toBe('recorded')
    expect((await report(both)).outcome).toBe('duplicate')
    expect(await net()).toEqual(counts)
  })

  test('counts for nobody if the click is a test’s, also where the code comes first', async () => {
    for (const coupon_wins of [false, true]) {
      const { typeId, report, net, siteId } = await shop({ coupon_wins })
      const click_id = makeTestClick(inbound.clickIds, typeId, clock.peek())
      const { outcome } = await report({ click_id, coupon: 'ANNA10', transaction_id: 'A1' })
      expect([outcome, await net()]).toEqual(['recorded', {}])
      const claims = db.selectFrom('coupon_orders').selectAll().where('site_id', '=', siteId)
      expect(await claims.execute()).toEqual([])
      // The order itself still counts.
      await report({ coupon: 'ANNA10', transaction_id: 'A1' })
      expect(await net()).toEqual({ ann: 1 })
    }
  })

  test.each([{ status: 'pending' }, { status: 'rejected' }])(
    'counts also if a test has said $status of its number',
    async (said) => {
      for (const coupon_wins of [false, true]) {
        const { typeId, report, net } = await shop({ coupon_wins })
        const click_id = makeTestClick(inbound.clickIds, typeId, clock.peek())
        await report({ click_id, transaction_id: '1001', ...said })
        await report({ coupon: 'ANNA10', transaction_id: '1001' })
        expect(await net()).toEqual({ ann: 1 })
      }
    },
  )

  test.each(['void', 'fraud'])('is not taken back by the %s of a test', async (event) => {
    const { typeId, report, net } = await shop()
    await report({ coupon: 'ANNA10', transaction_id: 'A1' })
    const click_id = makeTestClick(inbound.clickIds, typeId, clock.peek())
    await report({ click_id, transaction_id: 'A1', event })
    expect(await net()).toEqual({ ann: 1 })
    const { fraud_flagged_at } = await db
      .selectFrom('agents')
      .select('fraud_flagged_at')
      .where('id', '=', ann)
      .executeTakeFirstOrThrow()
    expect(fraud_flagged_at).toBeNull()
  })

  test('in two postbacks, the click first: its setting says what the code does', async () => {
    for (const coupon_wins of [false, true]) {
      const { click, report, net } = await shop({ coupon_wins })
      const click_id = await click({ agent_id: ben, office_id: cebu })
      await report({ click_id, transaction_id: 'A1' })
      const second = await report({ coupon: 'ANNA10', transaction_id: 'A1' })
      expect([second.outcome, await net()]).toEqual([
        coupon_wins ? 'conflict' : 'duplicate',
        { ben: 1 },
      ])
    }
  })

  test('in two postbacks, the code first', async () => {
    for (const coupon_wins of [false, true]) {
      const { click, report, net } = await shop({ coupon_wins })
      const click_id = await click({ agent_id: ben, office_id: cebu })
      await report({ coupon: 'ANNA10', transaction_id: 'A1' })
      const second = await report({ click_id, transaction_id: 'A1' })
      expect([second.outcome, await net()]).toEqual([
        coupon_wins ? 'duplicate' : 'conflict',
        { ann: 1 },
      ])
    }
  })

  test('of the same agent are one sale, whatever the setting', async () => {
    for (const coupon_wins of [false, true]) {
      const { click, report, net } = await shop({ coupon_wins })
      await report({ coupon: 'ANNA10', transaction_id: 'A1' })
      expect((await report({ click_id: await click(), transaction_id: 'A1' })).outcome).toBe(
        'duplicate',
      )
      await report({ click_id: await click(), transaction_id: 'A2' })
      expect((await report({ coupon: 'ANNA10', transaction_id: 'A2' })).outcome).toBe('duplicate')
      expect(await net()).toEqual({ ann: 2 })
    }
  })

  test('two codes of two agents for one order are asked about', async () => {
    const { report, net } = await shop()
    await report({ coupon: 'ANNA10', transaction_id: 'A1' })
    const second = await report({ coupon: 'BEN10', transaction_id: 'A1' })
    expect([second.status, second.outcome, await net()]).toEqual([409, 'conflict', { ann: 1 }])
  })

  test('a click id that is none of ours does not stand in the way of a code', async () => {
    const { report, net } = await shop()
    await report({ click_id: 'GA1.2.345.678', coupon: 'ANNA10', transaction_id: 'A1' })
    const { status } = await report({ click_id: 'GA1.2', coupon: 'NOBODY', transaction_id: 'A2' })
    expect([status, await net()]).toEqual([422, { ann: 1 }])
    // Nor does it become one by the number of an order.
    const known = await report({ click_id: 'GA1.2', transaction_id: 'A1' })
    const unknown = await report({ click_id: 'GA1.2', coupon: 'NOBODY', transaction_id: 'A1' })
    expect([known.status, unknown.status, await net()]).toEqual([422, 422, { ann: 1 }])
  })
})

describe('what takes an order of a code back, with the click id of its sale,', () => {
  test('finds it by its number, if the click id is none of ours', async () => {
    const { siteId, report, net } = await shop({ part_rule: 'in-proportion' })
    const foreign = { click_id: 'GA1.2', transaction_id: 'A1' }
    await report({ ...foreign, coupon: 'ANNA10', amount: '100.00' })
    const part = { event: 'void', amount: '25.00', refund_id: 'R1' }
    expect((await report({ ...foreign, ...part })).outcome).toBe('recorded')
    expect((await eventsOf(siteId)).map(({ quantity, part_ppm }) => [quantity, part_ppm])).toEqual([
      [1, null],
      [0, 250_000],
    ])
    const whole = await report({ ...foreign, event: 'void' })
    expect([whole.outcome, await net()]).toEqual(['recorded', { ann: 0 }])
    expect((await report({ ...foreign, event: 'void' })).outcome).toBe('duplicate')
    const back = await report({ ...foreign, status: 'approved' })
    expect([back.outcome, await net()]).toEqual(['recorded', { ann: 1 }])
    const coupon = await report({ ...foreign, event: 'chargeback', coupon: 'ANNA10' })
    expect([coupon.outcome, await net()]).toEqual(['recorded', { ann: 0 }])
    const { items } = await findReadings(inbound, siteId, undefined)
    expect(items.map(({ problem }) => problem)).toEqual(items.map(() => null))
  })

  test('finds it where the code wins, and brings it back', async () => {
    const { click, report, net } = await shop({ coupon_wins: true })
    const order = {
      click_id: await click({ agent_id: ben, office_id: cebu }),
      transaction_id: 'A1',
    }
    await report({ ...order, coupon: 'ANNA10' })
    const taken = await report({ ...order, event: 'void' })
    expect([taken.outcome, await net()]).toEqual(['recorded', { ann: 0 }])
    expect((await kept(taken.id)).reason).toBe('By the coupon code ANNA10.')
    const back = await report({ ...order, status: 'approved' })
    expect([back.outcome, await net()]).toEqual(['recorded', { ann: 1 }])
    const again = await report({ ...order, event: 'chargeback', coupon: 'ANNA10' })
    expect([again.outcome, await net()]).toEqual(['recorded', { ann: 0 }])
  })

  test('closes it while it is pending', async () => {
    for (const foreign of [false, true]) {
      const { siteId, click, report, net } = await shop({ coupon_wins: true })
      const order = {
        click_id: foreign ? 'GA1.2' : await click({ agent_id: ben, office_id: cebu }),
        transaction_id: 'A1',
      }
      await report({ ...order, coupon: 'ANNA10', status: 'pending' })
      expect((await report({ ...order, status: 'rejected' })).outcome).toBe('rejected')
      const open = db.selectFrom('pending_postbacks').select('order_key')
      expect(await open.where('site_id', '=', siteId).execute()).toEqual([])
      const other = { ...order, transaction_id: 'A2' }
      await report({ ...other, coupon: 'ANNA10', status: 'pending' })
      const approved = await report({ ...other, status: 'approved' })
      expect([approved.outcome, await net()]).toEqual(['recorded', { ann: 1 }])
    }
  })

  test('waits for it, if it comes first', async () => {
    const { click, report, net } = await shop({ coupon_wins: true })
    const click_id = await click({ agent_id: ben, office_id: cebu })
    for (const order of [
      { click_id, transaction_id: 'A1' },
      { click_id: 'GA1.2', coupon: 'ANNA10', transaction_id: 'A2' },
    ]) {
      expect((await report({ ...order, event: 'void' })).outcome).toBe('waiting')
      await report({ ...order, coupon: 'ANNA10' })
    }
    clock.advance(600_000)
    await settleWaiting(world.services)
    expect(await net()).toEqual({ ann: 0 })
  })

  test('waits for it without its code, if its click id is none of ours, and so do its retries', async () => {
    const { siteId, report, net } = await shop()
    const refund = { click_id: 'GA1.2', event: 'void', transaction_id: 'A1' }
    const [first, retry] = [await report(refund), await report(refund)]
    expect([first.status, first.outcome, retry.outcome]).toEqual([202, 'waiting', 'waiting'])
    const { items } = await findReadings(inbound, siteId, undefined)
    expect(items.map(({ problem }) => problem)).toEqual([null, null])
    await report({ click_id: 'GA1.2', coupon: 'ANNA10', transaction_id: 'A1' })
    clock.advance(600_000)
    await settleWaiting(world.services)
    const { settled_outcome } = await settledOf(retry.id)
    expect([await net(), settled_outcome]).toEqual([{ ann: 0 }, 'duplicate'])
    expect((await report(refund)).outcome).toBe('duplicate')
  })

  test('waits for the order of its own site, and is refused if none comes in three days', async () => {
    const [one, other, plain] = [await shop(), await shop(), await merchant()]
    const refund = { click_id: 'GA1.2', event: 'void', transaction_id: 'A1' }
    const { id } = await one.report(refund)
    await other.report({ coupon: 'ANNA10', transaction_id: 'A1' })
    clock.advance(600_000)
    await settleWaiting(world.services)
    expect(await other.net()).toEqual({ ann: 1 })
    clock.advance(4 * 86_400_000)
    await settleWaiting(world.services)
    const waiting = db.selectFrom('waiting_postbacks').select('postback_id')
    expect(await waiting.where('postback_id', '=', id).execute()).toEqual([])
    expect(await settledOf(id)).toEqual({
      settled_outcome: 'refused',
      reason: 'click_id is not one of our click ids, and no order of a code came',
    })
    const order = { siteId: one.siteId, transactionId: 'A1', clickId: undefined }
    expect(await isOpenOrder(db, order)).toBe(false)
    // Nothing can come by a code without one on the site, nor without a number.
    expect((await plain.get(refund)).statusCode).toBe(422)
    expect((await one.report({ click_id: 'GA1.2', event: 'void' })).status).toBe(422)
  })

  test('does not take back an order that comes by a click then', async () => {
    const { click, report, net } = await shop()
    const { id } = await report({ click_id: 'GA1.2', event: 'void', transaction_id: 'A1' })
    await report({ click_id: await click(), transaction_id: 'A1' })
    clock.advance(600_000)
    await settleWaiting(world.services)
    expect([await net(), await settledOf(id)]).toEqual([
      { ann: 1 },
      {
        settled_outcome: 'refused',
        reason: 'click_id is not one of our click ids, and its order came by a click',
      },
    ])
  })

  test('does not take back an order that comes by a click while it is settled', async () => {
    const { click, report, net } = await shop()
    const { id } = await report({ click_id: 'GA1.2', event: 'void', transaction_id: 'A1' })
    const clickId = await click()
    clock.advance(600_000)
    const { ledger } = world.services
    const locking = Promise.withResolvers<void>()
    // Outside the transaction that it comes into.
    const sale = locking.promise.then(() => report({ click_id: clickId, transaction_id: 'A1' }))
    const lockOrder: typeof ledger.lockOrder = async (tx, key) => {
      locking.resolve()
      await sale
      await ledger.lockOrder(tx, key)
    }
    await settleWaiting({ ...world.services, ledger: { ...ledger, lockOrder } })
    expect([await net(), (await settledOf(id)).settled_outcome]).toEqual([{ ann: 1 }, 'refused'])
  })

  test('waits for it also if the order was tried out before', async () => {
    const { typeId, report } = await shop()
    const click_id = makeTestClick(inbound.clickIds, typeId, clock.peek())
    await report({ click_id, transaction_id: 'A1', status: 'pending' })
    const refund = await report({ click_id: 'GA1.2', event: 'void', transaction_id: 'A1' })
    expect([refund.status, refund.outcome]).toEqual([202, 'waiting'])
  })

  test('is remembered as a rejection of an order of a code alone, if it is one', async () => {
    const { click, report, net } = await shop()
    const rejection = { click_id: 'GA1.2', status: 'rejected' }
    const time = () => new Date(clock.peek().getTime() - 60_000).toISOString()
    for (const transaction_id of ['A1', 'A2'])
      expect((await report({ ...rejection, transaction_id })).outcome).toBe('rejected')
    const byCode = { click_id: 'GA1.2', coupon: 'ANNA10', transaction_id: 'A1' }
    const sale = await report({ ...byCode, time: time() })
    expect([sale.status, sale.outcome, await net()]).toEqual([409, 'conflict', {}])

    const byClick = { click_id: await click(), transaction_id: 'A2' }
    expect((await report({ ...byClick, time: time() })).outcome).toBe('recorded')
    // It said nothing about this order, so what takes back the order is no retry of it.
    await report({ event: 'void', transaction_id: 'A2' })
    expect(await net()).toEqual({ ann: 0 })
  })

  test('is a retry of that rejection only if it has its click id, while no order came by a code', async () => {
    const { click, report, net } = await shop()
    const order = { transaction_id: 'A1', event: 'void' }
    const foreign = { ...order, click_id: 'GA1.2' }
    const rejection = { click_id: 'GA1.2', transaction_id: 'A1', status: 'rejected' }
    expect((await report(rejection)).outcome).toBe('rejected')
    expect((await report(foreign)).outcome).toBe('rejected')
    expect((await report(order)).outcome).toBe('waiting')
    await report({ click_id: await click(), transaction_id: 'A1' })
    clock.advance(600_000)
    await settleWaiting(world.services)
    expect(await net()).toEqual({ ann: 0 })
  })

  test('is held under a name that is not read', async () => {
    const { report, net } = await shop()
    const foreign = { click_id: 'GA1.2', transaction_id: 'A1' }
    await report({ ...foreign, coupon: 'ANNA10' })
    const held = await report({ ...foreign, refunded: 'true' })
    expect([held.status, held.outcome, await net()]).toEqual([409, 'conflict', { ann: 1 }])
  })

  test('leaves an order of a click alone, and one that somebody is asked about', async () => {
    const { click, report, net } = await shop()
    const click_id = await click({ agent_id: ben, office_id: cebu })
    await report({ click_id, transaction_id: 'A1', coupon: 'ANNA10' })
    expect((await report({ click_id: 'GA1.2', transaction_id: 'A1', event: 'void' })).status).toBe(
      422,
    )
    await report({ coupon: 'ANNA10', transaction_id: 'A2' })
    expect((await report({ click_id, transaction_id: 'A2' })).outcome).toBe('conflict')
    const unclear = await report({ click_id, transaction_id: 'A2', event: 'void' })
    expect([unclear.outcome, await net()]).toEqual(['conflict', { ann: 1, ben: 1 }])
    const own = await report({ click_id, transaction_id: 'A1', event: 'void' })
    expect([own.outcome, await net()]).toEqual(['recorded', { ann: 1, ben: 0 }])
  })
})

describe('what shops send', () => {
  test.each([
    ['Shopify', 'shopify', { discount_codes: [{ code: 'ANNA10', amount: '10.00' }] }],
    ['WooCommerce', 'woocommerce', { coupon_lines: [{ id: 1, code: 'anna10', discount: '1' }] }],
    ['a form', '', { promo_code: 'anna10' }],
    ['another form', '', { 'Discount-Code': 'FREESHIP, ANNA10' }],
  ])('%s', async (_, tracker, codes) => {
    const { url, key, net } = await shop({ tracker })
    const payload = { key, id: 901, number: '1001', order_number: '1001', total: '90.00', ...codes }
    const answer = await app.inject({ method: 'POST', url, payload })
    expect([answer.statusCode, await net()]).toEqual([201, { ann: 1 }])
  })

  test('is shown in the Integration drawer as it would be read', async () => {
    const { siteId, report } = await shop()
    await report({ coupon: 'ANNA10', transaction_id: 'A1' })
    await report({ coupon: 'NOBODY10', transaction_id: 'A2' })
    const { items } = await findReadings(inbound, siteId, undefined)
    expect(items.map(({ problem }) => problem?.reason ?? null)).toEqual([
      'coupon is not a code of one of our agents for this site',
      null,
    ])
    expect(items[0]?.parameters.find(({ name }) => name === 'coupon')?.readAs).toBe('coupon')
    // Reading them again takes nothing for a code.
    expect(
      await db
        .selectFrom('coupon_orders')
        .select('transaction_id')
        .where('site_id', '=', siteId)
        .execute(),
    ).toEqual([{ transaction_id: 'A1' }])
  })
})

test('a site without codes reads a coupon as before, with no further query', async () => {
  const plain = await merchant()
  const without = await plain.get({ coupon: 'ANNA10', transaction_id: 'A1' })
  expect([without.statusCode, without.json().data ?? without.json().reason]).toEqual([
    422,
    expect.objectContaining({ click_id: ['is required'] }),
  ])
  expect(await statementsOfClick(plain, [['coupon', 'ANNA10']])).toBe(
    await statementsOfClick(plain),
  )
  const made = await shop()
  // The lock of the order, and the code by which it is known.
  expect(await statementsOfClick(made)).toBe((await statementsOfClick(plain)) + 2)
})

test('a sale by code takes three statements more than one of a click', async () => {
  const plain = await merchant()
  const { siteId, typeId, coupon } = await shop()
  await coupon('ANNA20', ann, { type_id: typeId })
  await statementsOfClick(plain)
  const ofClick = await statementsOfClick(plain)
  // On a cluster, what is sealed of the day, and the claim, are statements of their own.
  const more = ownLayout() === 'distributed' ? 5 : 3
  for (const [index, code] of ['ANNA10', 'ANNA20', 'BEN10'].entries()) {
    const fields: Field[] = [
      ['coupon', code],
      ['transaction_id', `A${index}`],
    ]
    // The lock of the order, all that was said of it and who has the code, and what was counted of it.
    expect(await statementsOf(siteId, fields)).toBe(ofClick + more)
  }
})

/** What became of a postback that waited. */
async function settledOf(id: string) {
  const settled = await db
    .selectFrom('postback_settlements')
    .select(['outcome as settled_outcome', 'reason'])
    .where('postback_id', '=', id)
    .executeTakeFirst()
  return settled ?? { settled_outcome: null, reason: null }
}

/** How many statements a sale of a click takes. */
async function statementsOfClick(
  { siteId, click }: { siteId: number; click: () => Promise<string> },
  more: Field[] = [],
): Promise<number> {
  const clickId = await click()
  return statementsOf(siteId, [['click_id', clickId], ['transaction_id', clickId], ...more])
}

/** How many statements it takes to record a sale. */
async function statementsOf(siteId: number, fields: Field[]): Promise<number> {
  let statements = 0
  const counted = db.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  const site = await inbound.sites.find(siteId)
  if (!site) throw new Error('the site is there')
  const arrival = { method: 'GET', ip: '192.0.2.1', receivedAt: clock.now() }
  const { outcome } = await receivePostback(
    { ...inbound, db: counted as typeof db },
    site,
    arrival,
    fields,
  )
  expect(outcome).toBe('recorded')
  return statements
}
