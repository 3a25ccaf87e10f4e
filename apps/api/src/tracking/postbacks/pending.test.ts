import { beforeEach, describe, expect, test } from 'vitest'
import { postbackWorld } from '../../../test/postback-world.ts'
import { about } from '../../../test/test-clock.ts'

const world = await postbackWorld()
const { clock, db, inbound } = world

let shop: Awaited<ReturnType<typeof world.merchant>>
let click: string

beforeEach(async () => {
  clock.set('2026-03-10T16:00:00Z')
  shop = await world.merchant()
  click = await shop.click({ clicked_at: new Date('2026-03-10T08:00:00Z') })
})

/** Sends a postback of the click, an hour after the last one. */
async function send(params: Record<string, string>) {
  await inbound.sites.reload()
  const answer = await shop.get({ click_id: click, order_id: 'A-1', ...params })
  clock.advance(3_600_000)
  return {
    status: answer.statusCode,
    ...answer.json<{ id: string; outcome: string; eventId?: string; reason?: string }>(),
  }
}

const counted = async () => {
  const events = await world.eventsOf(shop.siteId)
  return events.reduce((sum, { quantity }) => sum + quantity, 0)
}

const stillPending = () =>
  db
    .selectFrom('pending_postbacks')
    .select('order_key')
    .where('site_id', '=', shop.siteId)
    .execute()

const settled = (id: string) =>
  db
    .selectFrom('postback_settlements')
    .select(['outcome', 'event_id', 'reason'])
    .where('postback_id', '=', id)
    .executeTakeFirst()

test('a pending order is kept and counts nothing', async () => {
  expect(await send({ status: 'pending' })).toMatchObject({
    status: 202,
    outcome: 'pending',
    reason: 'The merchant has not approved it yet.',
  })
  expect(await counted()).toBe(0)
})

test('its approval counts it when it was first reported, and settles every report of it', async () => {
  const first = await send({ status: 'pending' })
  const second = await send({ status: 'pending' })
  const approved = await send({ status: 'approved' })
  expect(approved).toMatchObject({ status: 201, outcome: 'recorded' })
  const [sale] = await world.eventsOf(shop.siteId)
  expect(sale).toMatchObject({ occurred_at: about('2026-03-10T16:00:00Z'), quantity: 1 })
  for (const { id } of [first, second]) {
    expect(await settled(id)).toEqual({
      outcome: 'recorded',
      event_id: approved.eventId,
      reason: 'The merchant approved it later.',
    })
  }
  expect(await stillPending()).toEqual([])
})

test('so does a sale without a status', async () => {
  const { id } = await send({ status: 'pending' })
  expect(await send({})).toMatchObject({ status: 201 })
  expect(await settled(id)).toMatchObject({ outcome: 'recorded' })
  const [sale] = await world.eventsOf(shop.siteId)
  expect(sale?.occurred_at).toEqual(about('2026-03-10T16:00:00Z'))
})

test('an approval of another order, event or click leaves it pending', async () => {
  await send({ status: 'pending' })
  await send({ status: 'approved', order_id: 'A-2' })
  await send({ status: 'approved', event: 'bonus', order_id: 'A-1' })
  await send({ status: 'approved', order_id: 'A-3', click_id: await shop.click() })
  expect(await stillPending()).toEqual([{ order_key: `${shop.siteId}:t:A-1` }])
})

test('its rejection closes it', async () => {
  const { id } = await send({ status: 'pending' })
  expect(await send({ status: 'rejected' })).toMatchObject({
    status: 200,
    outcome: 'rejected',
    reason: 'The merchant rejected it. Nothing was counted.',
  })
  expect(await settled(id)).toMatchObject({ outcome: 'rejected', event_id: null })
  expect(await counted()).toBe(0)
})

test('a reversal of a pending order rejects it, and does not wait for its sale', async () => {
  const { id } = await send({ status: 'pending' })
  expect(await send({ event: 'void' })).toMatchObject({ status: 200, outcome: 'rejected' })
  expect(await settled(id)).toMatchObject({ outcome: 'rejected' })
})

describe('a reversal that is itself pending', () => {
  test('needs no click id if it names its order, and takes back once it is decided', async () => {
    await send({})
    const order = { order_id: 'A-1', event: 'void' }
    const back = { ...order, status: 'pending' }
    expect((await shop.get(back)).json()).toMatchObject({ outcome: 'pending' })
    expect(await counted()).toBe(1)
    const decided = { ...order, status: 'approved' }
    expect((await shop.get(decided)).json()).toMatchObject({ outcome: 'recorded' })
    expect([await counted(), await stillPending()]).toEqual([0, []])
  })

  test('may say how much goes back', async () => {
    await send({ amount: '100' })
    expect(await send({ event: 'void', status: 'pending', refund_amount: '100' })).toMatchObject({
      status: 202,
      outcome: 'pending',
    })
  })

  test('needs one of the two', async () => {
    const answer = await shop.get({ event: 'void', status: 'pending' })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      { data: { click_id: ['is required'] } },
    ])
  })
})

test('an order that is rejected first counts once it is approved', async () => {
  expect(await send({ status: 'rejected' })).toMatchObject({ outcome: 'rejected' })
  expect(await send({ status: 'approved' })).toMatchObject({ outcome: 'recorded' })
  expect(await counted()).toBe(1)
})

test('a recorded sale that is rejected is reversed', async () => {
  await send({ status: 'approved' })
  expect(await send({ status: 'rejected' })).toMatchObject({ status: 201, outcome: 'recorded' })
  expect(await counted()).toBe(0)
  expect(await send({ status: 'rejected' })).toMatchObject({ status: 200, outcome: 'duplicate' })
})

test('the goal that a rejection names is the one that is taken back', async () => {
  await send({ event: 'sale' })
  await send({ event: 'bonus' })
  await send({ event: 'bonus', status: 'rejected' })
  expect(
    (await world.eventsOf(shop.siteId)).map(({ quantity, event_type: type }) => [type, quantity]),
  ).toEqual([
    [0, 1],
    [1, 1],
    [1, -1],
  ])
})

test('a late pending report of a recorded sale is a duplicate', async () => {
  await send({ status: 'approved' })
  expect(await send({ status: 'pending' })).toMatchObject({ status: 200, outcome: 'duplicate' })
})

test('a pending report for a click of another site is refused', async () => {
  const other = await world.merchant()
  expect(await send({ status: 'pending', click_id: await other.click() })).toMatchObject({
    status: 422,
    outcome: 'refused',
    reason: 'click_id belongs to another site',
  })
})

test('what says under another name that money goes back is held, and delivering it again changes nothing', async () => {
  const held = await send({ event_type: 'refund' })
  expect(held).toMatchObject({
    status: 409,
    outcome: 'conflict',
    reason:
      'event_type=refund says that money goes back, but not as an event that we read. Somebody has to decide.',
  })
  expect(await counted()).toBe(0)
  expect(await world.kept(held.id)).toMatchObject({
    takes_back: 'event_type=refund',
    event: 'sale',
  })
})

test('a postback without an order number says so, with what was not read', async () => {
  const { id } = await send({ order_id: '', bestellnr: '7', total: '5' })
  expect(await world.kept(id)).toMatchObject({
    outcome: 'recorded',
    reason: 'No order number was recognised. Not read: bestellnr, total.',
  })
})

test('approvals and pending reports at the same time count once', async () => {
  await send({ status: 'pending' })
  await Promise.all(
    ['approved', 'pending', 'approved', 'pending', 'approved'].map((status) => send({ status })),
  )
  expect(await counted()).toBe(1)
  expect(await stillPending()).toEqual([])
})

describe('a sale of an order that was rejected before anything was counted', () => {
  const heldKind = (id: string) =>
    db.selectFrom('held_postbacks').select('kind').where('postback_id', '=', id).executeTakeFirst()

  test('is held if it says no time, or one before the rejection', async () => {
    await send({ status: 'rejected', time: '2026-03-10T15:00:00Z' })
    const undated = await send({})
    const earlier = await send({ time: '2026-03-10T14:00:00Z' })
    const same = await send({ time: '2026-03-10T15:00:00Z' })
    for (const { id, status, reason } of [undated, earlier, same]) {
      expect(status).toBe(409)
      expect(reason).toBe(
        'The merchant rejected it on 2026-03-10, before this report of it came. This may be its first report, delayed.',
      )
      expect(await heldKind(id)).toEqual({ kind: 'rejected' })
    }
    expect(await counted()).toBe(0)
  })

  test('counts if its time is after the rejection, once', async () => {
    await send({ status: 'rejected', time: '2026-03-10T15:00:00Z' })
    const sale = { time: '2026-03-10T15:30:00Z' }
    expect(await send(sale)).toMatchObject({ status: 201 })
    expect(await send(sale)).toMatchObject({ outcome: 'duplicate' })
    expect(await counted()).toBe(1)
  })

  test('counts if it is of what the rejection did not name', async () => {
    await send({ status: 'rejected', event: 'bonus' })
    expect(await send({ event: 'sale' })).toMatchObject({ status: 201 })
    expect(await send({ event: 'bonus' })).toMatchObject({ status: 409 })
    expect(await send({ order_id: 'A-2' })).toMatchObject({ status: 201 })
  })

  test('is held, too, if it was pending and then voided', async () => {
    await send({ status: 'pending' })
    await send({ event: 'void' })
    expect(await send({})).toMatchObject({ status: 409 })
    expect(await send({ status: 'approved' })).toMatchObject({ status: 201 })
    expect(await counted()).toBe(1)
  })

  test('is held in a test, too', async () => {
    const id = inbound.clickIds.sign({
      agentId: 0,
      typeId: shop.typeId,
      clickedAtMs: clock.peek().getTime(),
      nonce: 1,
    })
    await send({ click_id: id, status: 'rejected' })
    expect(await send({ click_id: id })).toMatchObject({ status: 409 })
    expect(await send({ click_id: id, status: 'approved' })).toMatchObject({ status: 201 })
    // The test says nothing about the real order.
    expect(await send({})).toMatchObject({ status: 201 })
  })
})

test('a retry of what was approved, after its rejection, does not bring it back by a retry of what was pending', async () => {
  const pending = { status: 'pending', time: '2026-03-10T10:00:00Z' }
  const approved = { status: 'approved', time: '2026-03-10T12:00:00Z' }
  await send(pending)
  await send(approved)
  await send({ status: 'rejected', time: '2026-03-10T13:00:00Z' })
  await send(pending)
  expect(await send(approved)).toMatchObject({ outcome: 'duplicate' })
  expect(await counted()).toBe(0)
})

test('an approval with the very time of the reversal is held, a sale with it is a retry', async () => {
  const time = '2026-03-10T15:00:00Z'
  await send({ time })
  await send({ time, status: 'rejected' })
  expect(await send({ time, status: 'approved' })).toMatchObject({ status: 409 })
  expect(await send({ time })).toMatchObject({ outcome: 'duplicate' })
  expect(await counted()).toBe(0)
})

describe('an approval without a click id', () => {
  test('is about the click of the pending order', async () => {
    await send({ status: 'pending' })
    const approved = await send({ status: 'approved', click_id: '' })
    expect(approved).toMatchObject({ status: 201, outcome: 'recorded' })
    expect(await world.kept(approved.id)).toMatchObject({ click_id: click })
    const [sale] = await world.eventsOf(shop.siteId)
    expect(sale).toMatchObject({ click_id: click, occurred_at: about('2026-03-10T16:00:00Z') })
    expect(await stillPending()).toEqual([])
    expect(await send({ status: 'approved', click_id: '' })).toMatchObject({ outcome: 'duplicate' })
  })

  test('is about the click of an order that was rejected, whether it counted before or not', async () => {
    await send({ status: 'rejected' })
    expect(await send({ status: 'approved', click_id: '' })).toMatchObject({ status: 201 })
    await send({ status: 'rejected', click_id: '' })
    expect(await counted()).toBe(0)
    expect(await send({ status: 'approved', click_id: '' })).toMatchObject({ status: 201 })
    expect(await counted()).toBe(1)
  })

  test('is refused if its order is not known, or of several clicks', async () => {
    const refused = { status: 422, reason: 'click_id is required' }
    expect(await send({ status: 'approved', click_id: '' })).toMatchObject(refused)
    await send({ status: 'pending' })
    await send({ status: 'pending', click_id: await shop.click() })
    expect(await send({ status: 'approved', click_id: '' })).toMatchObject(refused)
    // Without a status that approves it, nothing is guessed.
    expect(await send({ click_id: '' })).toMatchObject(refused)
  })
})
