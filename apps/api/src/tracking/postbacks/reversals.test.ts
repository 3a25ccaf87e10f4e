import { expect, test } from 'vitest'
import { countChanges } from '../../../test/count-changes.ts'
import { buildAgent, buildClick } from '../../../test/build-world.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { about } from '../../../test/test-clock.ts'

const { db, clock, inbound, officeId, merchant, eventsOf, pendingOf } = await postbackWorld()

test('a reversal is a new event with negated amounts, on its own day, and removes its sale from its week', async () => {
  const { siteId, click, get } = await merchant({ avp: true })
  const clickId = await click({ clicked_at: new Date('2026-03-01T11:00:00Z') })
  const sale = await get({ cid: clickId, tid: '1', time: '2026-03-01T12:00:00Z' })
  const reversal = await get({ tid: '1', event: 'chargeback', time: '2026-03-09T12:00:00Z' })
  expect(reversal.statusCode).toBe(201)
  expect(await eventsOf(siteId)).toMatchObject([
    { quantity: 1, earning_cents: 25_00 },
    {
      id: reversal.json().eventId,
      quantity: -1,
      event_type: 0,
      earning_cents: -25_00,
      payout_centavos: -500_00,
      lpp: -1,
      reverses: sale.json().eventId,
      reversal: 'chargeback',
      occurred_at: new Date('2026-03-09T12:00:00Z'),
    },
  ])
  const pending = await pendingOf(siteId)
  expect(pending).toHaveLength(3)
  expect(pending).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ day: '2026-03-01', sales: 1, avp_sales: 1, earning_cents: 25_00 }),
      expect.objectContaining({ day: '2026-03-01', sales: 0, avp_sales: -1, earning_cents: 0 }),
      expect.objectContaining({
        day: '2026-03-09',
        sales: -1,
        avp_sales: 0,
        earning_cents: -25_00,
      }),
    ]),
  )
})

test('a repeat changes nothing; another kind of reversal is told that the sale was already reversed', async () => {
  const { siteId, click, get } = await merchant()
  await get({ cid: await click(), tid: '1' })
  const first = await get({ tid: '1', event: 'void' })
  for (const event of ['void', 'chargeback', 'chargeback']) {
    const repeat = await get({ tid: '1', event })
    expect(repeat.statusCode).toBe(200)
    expect(repeat.json()).toMatchObject({ outcome: 'duplicate', eventId: first.json().eventId })
  }
  expect(await eventsOf(siteId)).toHaveLength(2)
})

test('a reversal takes back whatever counts of its order, once', async () => {
  const { siteId, click, get } = await merchant()
  const clickId = await click()
  await get({ cid: clickId, tid: '1' })
  await get({ cid: clickId, tid: '1', event: 'bonus' })
  await get({ tid: '1', event: 'void' })
  await get({ tid: '1', event: 'void' })
  expect((await eventsOf(siteId)).map((row) => [row.event_type, row.quantity])).toEqual([
    [0, 1],
    [1, 1],
    [0, -1],
    [1, -1],
  ])
})

test('a reversal takes back only what the merchant says', async () => {
  const { siteId, click, get } = await merchant()
  const clickId = await click()
  await get({ cid: clickId, tid: '1' })
  await get({ cid: clickId, tid: '1', event: 'bonus' })
  await get({ tid: '1', event: 'void', reverses: 'sale' })
  await get({ tid: '1', event: 'void', reverses: 'sale' })
  expect((await eventsOf(siteId)).map((row) => [row.event_type, row.quantity])).toEqual([
    [0, 1],
    [1, 1],
    [0, -1],
  ])
  expect((await get({ tid: '1', event: 'void', reverses: 'bonus' })).statusCode).toBe(201)
  expect(await eventsOf(siteId)).toHaveLength(4)
})

test('what comes of an order after it was taken back is held, and the reversal’s repeat is still a repeat', async () => {
  const { siteId, click, get } = await merchant()
  const clickId = await click()
  await get({ cid: clickId, tid: '1', event: 'bonus' })
  await get({ tid: '1', event: 'void' })
  expect((await get({ cid: clickId, tid: '1' })).statusCode).toBe(409)
  expect((await get({ tid: '1', event: 'void' })).json().outcome).toBe('duplicate')
  expect(await eventsOf(siteId)).toHaveLength(2)
})

test('without a transaction id, the click identifies its sale if it has only one', async () => {
  const { siteId, click, get } = await merchant()
  const clickId = await click()
  await get({ cid: clickId, tid: '1' })
  expect((await get({ cid: clickId, event: 'void' })).statusCode).toBe(201)
  expect(await eventsOf(siteId)).toHaveLength(2)

  const busy = await click()
  await get({ cid: busy, tid: '2' })
  await get({ cid: busy, tid: '3' })
  expect((await get({ cid: busy, event: 'void' })).statusCode).toBe(409)
})

test('a reversal that names another click than its sale is a conflict', async () => {
  const { click, get } = await merchant()
  await get({ cid: await click(), tid: '1' })
  expect((await get({ cid: await click(), tid: '1', event: 'void' })).statusCode).toBe(409)
})

test("nobody reverses another merchant's sale", async () => {
  const [one, other] = [await merchant(), await merchant()]
  const clickId = await one.click()
  await one.get({ cid: clickId, tid: '1' })
  expect((await other.get({ tid: '1', event: 'void' })).statusCode).toBe(202)
  expect((await other.get({ cid: clickId, event: 'void' })).statusCode).toBe(422)
  expect((await other.get({ cid: clickId, tid: '1', event: 'void' })).statusCode).toBe(422)
  expect(await eventsOf(one.siteId)).toHaveLength(1)
})

test('fraud flags the agent, and suspends them if the option is on', async () => {
  const { siteId, typeId, get } = await merchant()
  const agentOf = (id: number) =>
    db
      .selectFrom('agents')
      .select(['active', 'fraud_flagged_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const defrauded = async (tid: string, reversedBefore: boolean) => {
    const agent = await buildAgent(db, { office_id: officeId })
    const click = { agent_id: agent, office_id: officeId, site_id: siteId, type_id: typeId }
    await get({ cid: inbound.clickIds.sign(await buildClick(db, click)), tid })
    if (reversedBefore) await get({ tid, event: 'void' })
    await get({ tid, event: 'fraud' })
    return agent
  }
  const changes = () => countChanges(db, 'destinations')
  expect(await agentOf(await defrauded('1', false))).toEqual({
    active: true,
    fraud_flagged_at: about(clock.peek()),
  })
  expect(await changes()).toBe(0)

  await db
    .updateTable('options')
    .set({ value: '1' })
    .where('name', '=', 'auto_block_account')
    .execute()
  const suspended = { active: false, fraud_flagged_at: about(clock.peek()) }
  const blocked = await defrauded('2', false)
  expect(await agentOf(blocked)).toEqual(suspended)
  expect(await agentOf(await defrauded('3', true))).toEqual(suspended)
  expect(await changes()).toBe(2)

  // Somebody has reviewed the case and reactivated the agent: the merchant's retry must not undo
  // that.
  await db
    .updateTable('agents')
    .set({ active: true, fraud_flagged_at: null })
    .where('id', '=', blocked)
    .execute()
  expect((await get({ tid: '2', event: 'fraud' })).json().outcome).toBe('duplicate')
  expect(await agentOf(blocked)).toEqual({ active: true, fraud_flagged_at: null })
  await db.updateTable('options').set({ value: '0' }).execute()
})
