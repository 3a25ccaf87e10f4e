import { saleLogsEndpoints } from '@tallyroom/contract/desk/sale-logs'
import { postbacksEndpoints } from '@tallyroom/contract/tracking/postbacks'
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { openDatabase } from '../../db/database.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { saleLogsRoutes } from './sale-logs.routes.ts'
import { findTierPay } from '../../pay/index.ts'
import { postbacksRoutes } from '../../tracking/index.ts'

const { app, db, connection, clock, services, inbound, merchant, agentId, officeId } =
  await postbackWorld()
const call = await callRoutes([
  ...saleLogsRoutes(services),
  ...postbacksRoutes(services, inbound, findTierPay),
])

const MINUTE = 60_000

type Answer = { orders: string[]; next: string }
type Row = { transactionId: string }

/** Either log, from a place on. */
const logs = {
  async 'sale log'(body: object, of = viewer()): Promise<Answer> {
    const answer = await call(of, saleLogsEndpoints.searchSaleLogs, { body })
    const { items, next } = answer.body
    expect(items.total).toBe(items.items.length)
    return { orders: items.items.map((row: Row) => row.transactionId), next }
  },
  async 'log of postbacks'(body: object, of = viewer()): Promise<Answer> {
    const answer = await call(of, postbacksEndpoints.searchPostbacks, { body })
    const { items, total, next } = answer.body
    expect(total).toBe(items.length)
    return { orders: items.map((row: Row) => row.transactionId), next }
  },
}
const both = Object.entries(logs)

test.each(both)('%s: who reads each minute gets each row once, in order', async (_, read) => {
  const { siteId, click, get } = await merchant()
  const after = clock.peek().toISOString()
  const got: string[] = []
  let next = after
  for (let minute = 0; minute < 8; minute++) {
    for (const part of minute < 5 ? ['a', 'b', 'c'] : []) {
      // What happened long ago is recorded now.
      const time = part === 'b' ? { time: '2026-03-09T12:00:00Z' } : {}
      const clicked_at = new Date('2026-03-08T12:00:00Z')
      await get({ cid: await click({ clicked_at }), tid: `${minute}${part}`, ...time })
    }
    clock.advance(MINUTE)
    for (let pages = 0; ; pages++) {
      const page = await read({ siteId, after: next, pageSize: 2 })
      got.push(...page.orders)
      next = page.next
      if (page.orders.length < 2) break
    }
  }
  expect(got).toEqual([0, 1, 2, 3, 4].flatMap((minute) => ['a', 'b', 'c'].map((p) => minute + p)))
  expect((await read({ siteId, after: next })).orders).toEqual([])
  // From an instant, it is read again, whole.
  expect((await read({ siteId, after })).orders).toEqual(got)
})

test.each(both)('%s: rows of one instant are cut by pages like others', async (_, read) => {
  const { siteId, click, url, key } = await merchant()
  const after = clock.peek().toISOString()
  const orders = ['1', '2', '3', '4', '5']
  const payload = await Promise.all(orders.map(async (tid) => ({ key, tid, cid: await click() })))
  expect((await app.inject({ method: 'POST', url, payload })).statusCode).toBe(200)
  const { instants } = await db
    .selectFrom('sale_events')
    .select((eb) => eb.fn.count<number>('recorded_at').distinct().as('instants'))
    .where('site_id', '=', siteId)
    .executeTakeFirstOrThrow()
  expect(instants).toBe(1)
  clock.advance(3 * MINUTE)
  const got: string[] = []
  let next = after
  for (let pages = 0; pages < 3; pages++) {
    const page = await read({ siteId, after: next, pageSize: 2 })
    got.push(...page.orders)
    next = page.next
  }
  expect(got.toSorted()).toEqual(orders)
})

test.each(both)('%s: what is younger than two minutes is held back', async (_, read) => {
  const { siteId, click, get } = await merchant()
  const after = clock.peek().toISOString()
  await get({ cid: await click(), tid: 'now' })
  clock.advance(110_000)
  const early = await read({ siteId, after })
  expect(early.orders).toEqual([])
  clock.advance(15_000)
  expect((await read({ siteId, after: early.next })).orders).toEqual(['now'])
})

test('a row whose transaction ends after that of a later one is not skipped', async () => {
  const { siteId, click, get } = await merchant()
  const read = logs['log of postbacks']
  await get({ cid: await click(), tid: 'first' })
  const { id: _id, ...first } = await db
    .selectFrom('postbacks')
    .selectAll()
    .where('site_id', '=', siteId)
    .executeTakeFirstOrThrow()
  const after = clock.peek().toISOString()
  const at = clock.now()
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  onTestFinished(() => end())
  const { promise: isWritten, resolve: written } = Promise.withResolvers<void>()
  const late = db.transaction().execute(async (tx) => {
    // oxlint-disable-next-line tallyroom/one-instant -- that its instant is earlier is the point
    const row = { ...first, params: '{}', id: randomUUIDv7(), received_at: at }
    await tx
      .insertInto('postbacks')
      .values({ ...row, transaction_id: 'slow' })
      .execute()
    written()
    await mayEnd
  })
  await isWritten
  await get({ cid: await click(), tid: 'quick' })
  // By the clock alone, both would be old enough by now.
  await sleep(1_000)
  clock.set(new Date(at.getTime() + 2 * MINUTE + 500).toISOString())
  const early = await read({ siteId, after })
  expect(early.orders).toEqual([])
  end()
  await late
  clock.advance(MINUTE)
  expect((await read({ siteId, after: early.next })).orders).toEqual(['slow', 'quick'])
})

test('while another login writes, what is younger than an hour is held back', async () => {
  const { siteId, click, get } = await merchant()
  const read = logs['log of postbacks']
  const after = clock.peek().toISOString()
  await get({ cid: await click(), tid: 'old' })
  clock.advance(70 * MINUTE)
  await get({ cid: await click(), tid: 'young' })
  clock.advance(3 * MINUTE)
  const owner = openDatabase(connection, {
    max: 1,
    applicationName: 'tallyroom cli',
    asOwner: true,
  })
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: isWriting, resolve: writing } = Promise.withResolvers<void>()
  const other = owner.db.transaction().execute(async (tx) => {
    await sql`select pg_current_xact_id()`.execute(tx)
    writing()
    await mayEnd
  })
  onTestFinished(async () => {
    end()
    await other
    await owner.close()
  })
  await isWriting
  const meanwhile = await read({ siteId, after })
  end()
  await other
  expect(meanwhile.orders).toEqual(['old'])
  expect((await read({ siteId, after: meanwhile.next })).orders).toEqual(['young'])
})

test('an agent reads their own sales on, from long ago', async () => {
  const { siteId, click, get } = await merchant()
  await get({ cid: await click(), tid: 'own' })
  clock.advance(3 * MINUTE)
  const read = logs['sale log']
  const from = { siteId, after: '2020-01-01T00:00:00.000Z' }
  const own = viewer({ role: 'agent', officeId, agentId })
  expect((await read(from, own)).orders).toEqual(['own'])
  const other = viewer({ role: 'agent', officeId, agentId: agentId + 1 })
  const { orders, next } = await read(from, other)
  expect(orders).toEqual([])
  // They need not look there again.
  expect(next > clock.peek().toISOString().slice(0, 13)).toBe(true)
})

test('a filter goes with it, and what is no place is refused', async () => {
  const { siteId, click, get } = await merchant()
  const after = clock.peek().toISOString()
  const cid = await click()
  await get({ cid, tid: '1' })
  await get({ cid, tid: '1', event: 'void' })
  clock.advance(3 * MINUTE)
  const read = logs['sale log']
  expect((await read({ siteId, after, recordType: 'reversal' })).orders).toEqual(['1'])
  for (const wrong of ['', 'x', '2026-13-10T16:00:00.000Z', '2026-03-10', `${after}_1`]) {
    const body = { siteId, after: wrong }
    for (const endpoint of [saleLogsEndpoints.searchSaleLogs, postbacksEndpoints.searchPostbacks]) {
      const answer = await call(viewer(), endpoint, { body })
      expect([wrong, answer.status]).toEqual([wrong, 422])
      expect(answer.body.data).toHaveProperty('after')
    }
  }
})
