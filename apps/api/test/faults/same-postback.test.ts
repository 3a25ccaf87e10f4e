import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { postbackAnswerSchema } from '@tallyroom/contract/tracking/postbacks'
import { DEFAULT_CLICK_PARAM, trackedLinkPath } from '@tallyroom/domain/tracked-link'
import { afterAll, expect, test } from 'vitest'
import { verifyTotals } from '../../src/totals/index.ts'
import { testDatabase } from '../database.ts'
import { makeApp } from './app-process.ts'
import { buildFaultWorld, makeDataDir } from './fault-world.ts'
import { browser } from './load.ts'

const { db, connection } = await testDatabase()
const home = await makeDataDir('same-postback')
const dataDir = join(home.path, 'data')
const app = await makeApp({ dataDir, databaseUrl: connection.url, processes: 2 })
afterAll(async () => {
  await app.stop()
  await home.remove()
})
await app.start()
const { links } = await buildFaultWorld(app.url, dataDir, connection)

test('the same postback 200 times at once on two processes: one sale, 199 duplicates of it', async () => {
  const [link] = links
  if (!link) throw new Error('there is no link')
  const visit = await fetch(app.url + trackedLinkPath(link), {
    redirect: 'manual',
    headers: { 'user-agent': browser },
  })
  const clickId = new URL(visit.headers.get('location') ?? '').searchParams.get(DEFAULT_CLICK_PARAM)
  const query = new URLSearchParams({
    key: link.key,
    click_id: clickId ?? '',
    transaction_id: randomUUID(),
  })
  const deliver = async () => {
    const answer = await fetch(`${app.url}/api/postback/${link.siteId}?${query.toString()}`)
    return { status: answer.status, ...postbackAnswerSchema.parse(await answer.json()) }
  }

  const answers = await Promise.all(Array.from({ length: 200 }, deliver))

  const first = answers.filter(({ status }) => status === 201)
  expect(first).toEqual([expect.objectContaining({ outcome: 'recorded' })])
  const eventId = first[0]?.eventId
  const repeats = answers.filter(({ status }) => status !== 201)
  expect(
    new Set(repeats.map(({ status, outcome, eventId: of }) => `${status} ${outcome} of ${of}`)),
  ).toEqual(new Set([`200 duplicate of ${eventId}`]))
  expect(new Set(answers.map(({ id }) => id)).size).toBe(200)

  const sales = await db.selectFrom('sale_events').select(['id', 'quantity']).execute()
  expect(sales).toEqual([{ id: eventId, quantity: 1 }])
  expect(await keptOutcomes()).toEqual([
    { outcome: 'duplicate', count: 199 },
    { outcome: 'recorded', count: 1 },
  ])
  expect(await verifyTotals(db)).toEqual([])
  expect(await countedSales()).toBe(1)
})

const keptOutcomes = () =>
  db
    .selectFrom('postbacks')
    .select(['outcome', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy('outcome')
    .orderBy('outcome')
    .execute()

/** Folded or still pending. */
async function countedSales(): Promise<number> {
  const rows = [
    ...(await db.selectFrom('totals_day_office').select('sales').execute()),
    ...(await db.selectFrom('totals_pending').select('sales').execute()),
  ]
  return rows.reduce((sum, { sales }) => sum + sales, 0)
}
