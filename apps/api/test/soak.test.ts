import { statisticsEndpoints, type SiteStats } from '@tallyroom/contract/figures/statistics'
import { dayOf } from '@tallyroom/domain/new-york'
import { trackedLinkPath } from '@tallyroom/domain/tracked-link'
import { afterAll, expect, test, vi } from 'vitest'
import { buildApp } from '../src/app.ts'
import { makeSiteKeys } from '../src/tracking/site-keys/site-keys.ts'
import { verifyTotals } from '../src/totals/index.ts'
import { buildHome, type Caller, signedIn } from './access-matrix-world.ts'
import { buildLinkType, buildSite } from './build-world.ts'
import { testDatabase } from './database.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'

/** The short form of `npm run bench:soak`, without its rates and times: visitors, merchants and readers at once. */

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const siteId = await buildSite(db, { click_param: 'cid', avp: true })
const typeId = await buildLinkType(db, { site_id: siteId })
const { key } = await makeSiteKeys(services).provide(siteId)
const homes = [await buildHome(db, [siteId]), await buildHome(db, [siteId])] as const
const app = await buildApp(services)
afterAll(() => app.close())

const visitors = 8
const clicksOfVisitor = 60
const clicksPerSale = 10
const today = dayOf(services.clock.peek())

const follow = (agentId: number, visitor: number) =>
  app.inject({
    url: trackedLinkPath({ siteId, typeId, agentId }),
    remoteAddress: `198.51.100.${visitor}`,
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' },
  })

/** What was answered so far, by the place of the agent's home. */
const clicks = [0, 0]
const sales = [0, 0]

test('while visitors and merchants are answered, every report has all of it, and nothing is lost', async () => {
  const [first] = homes
  await vi.waitFor(async () => {
    const { statusCode } = await app.inject({
      method: 'HEAD',
      url: trackedLinkPath({ siteId, typeId, agentId: first.agentId }),
    })
    expect(statusCode).toBe(302)
  }, 60_000)

  let isOver = false
  const reading = Promise.all(
    homes.flatMap((_, place) =>
      (['superadmin', 'office', 'agent'] as const).map((caller) =>
        readUntil(() => isOver, caller, place),
      ),
    ),
  )
  await Promise.all(Array.from({ length: visitors }, (_, visitor) => visit(visitor)))
  isOver = true

  const { wrong, reports } = (await reading).reduce((sum, one) => ({
    wrong: [...sum.wrong, ...one.wrong],
    reports: sum.reports + one.reports,
  }))
  expect(wrong).toEqual([])
  expect(reports).toBeGreaterThanOrEqual(2 * 3 * homes.length)
  expect(await countStored()).toEqual({
    clicks: visitors * clicksOfVisitor,
    sales: (visitors * clicksOfVisitor) / clicksPerSale,
  })
  expect(await verifyTotals(db)).toEqual([])
})

/** Follows the links of one agent, and buys now and then. */
async function visit(visitor: number): Promise<void> {
  const place = visitor % homes.length
  const { agentId } = homes[place] ?? homes[0]
  for (let visits = 1; visits <= clicksOfVisitor; visits++) {
    const { statusCode, headers } = await follow(agentId, visitor)
    expect(statusCode).toBe(302)
    add(clicks, place)
    if (visits % clicksPerSale > 0) continue
    const cid = new URL(String(headers.location)).searchParams.get('cid') ?? ''
    const query = { key, cid, txid: `${visitor}-${visits}` }
    const sold = await app.inject({ url: `/api/postback/${siteId}`, query })
    expect(sold.json()).toMatchObject({ outcome: 'recorded' })
    add(sales, place)
  }
}

const add = (counts: number[], place: number) => {
  counts[place] = (counts[place] ?? 0) + 1
}

type Read = { wrong: string[]; reports: number }

/** Asks for one report after the other, and what each lacks of what was answered before it was asked for. */
async function readUntil(isOver: () => boolean, caller: Caller, place: number): Promise<Read> {
  const token = await signedIn(services, caller, homes[place] ?? homes[0])
  const views = caller === 'agent' ? ['date', 'detail'] : ['agent', 'date', 'detail']
  const seen = (counts: readonly number[]) =>
    caller === 'superadmin' ? counts.reduce((sum, count) => sum + count) : (counts[place] ?? 0)
  const read: Read = { wrong: [], reports: 0 }
  while (!isOver() || read.reports < 2) {
    const before = { raws: seen(clicks), sales: seen(sales) }
    const body = { start: today, end: today, groupBy: views[read.reports++ % views.length] }
    const answer = await send(app, statisticsEndpoints.siteStats, { body }, { token })
    expect(answer.statusCode).toBe(200)
    const { overall } = answer.json<SiteStats>()
    for (const count of ['raws', 'sales'] as const)
      if (overall[count] < before[count])
        read.wrong.push(`${caller}: ${overall[count]} of ${before[count]} ${count}`)
  }
  return read
}

async function countStored() {
  const count = async (table: 'clicks' | 'sale_events') => {
    const { rows } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as('rows'))
      .executeTakeFirstOrThrow()
    return rows
  }
  return { clicks: await count('clicks'), sales: await count('sale_events') }
}
