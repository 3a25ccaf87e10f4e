import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { buildDomain, buildLinkType, buildSite } from '../../../test/build-world.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { loopbackAt } from '../../../test/loopback-at.ts'
import { testServices } from '../../../test/services.ts'
import { makeSafeFetch, type SafeFetch } from '../../lib/net/safe-fetch.ts'
import { unknownPage } from '../../tracking/clicks/go.pages.ts'
import { makeClickIds } from '../../tracking/index.ts'
import { watchLinks } from './watch-links.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock } = services

/** What the merchant was asked, and how it answers now. */
const asked: { url: string; userAgent: string | undefined }[] = []
let answer: { status: number; location?: string; body?: string } = { status: 200 }
const merchant = await listen(() => answer)
const elsewhere = await listen(() => ({ status: 200 }))
const ports = [merchant, elsewhere].map((url) => Number(new URL(url).port))
const fetch = makeSafeFetch(loopbackAt(...ports), { longestMs: 2_000 })

const site = await buildSite(db, { sitename: 'Lantern' })
const type = await buildLinkType(db, { site_id: site, typename: 'Credits' })

beforeEach(async () => {
  clock.set('2026-06-17T16:10:00Z')
  asked.length = 0
  answer = { status: 200 }
  await emptyTables(database.connection, [
    'alarms',
    'link_checks',
    'hourly_figures',
    'preferred_domains',
  ])
  await targets(`${merchant}/join?cid={click_id}&s={sub1}`)
  await db
    .insertInto('hourly_figures')
    .values({
      day: '2026-06-17',
      watched: 'type',
      id: type,
      clicks: Array.from({ length: 24 }, (_, hour) => Number(hour === 9)),
      sales: Array.from({ length: 24 }, () => 0),
      refused: Array.from({ length: 24 }, () => 0),
    })
    .execute()
})

test('a target with clicks is asked once an hour, as a visitor with the click id of a test', async () => {
  await watch()
  await watch()
  expect(asked).toHaveLength(1)
  const { url = '', userAgent } = asked[0] ?? {}
  expect(userAgent).toContain('Tallyroom')
  const params = new URL(url, merchant).searchParams
  expect(params.get('s')).toBe('')
  expect(makeClickIds(services.secret).read(params.get('cid') ?? '')).toMatchObject({
    agentId: 0,
    typeId: type,
  })
  clock.advance(3_600_000)
  await watch()
  expect(asked).toHaveLength(2)
})

test('a merchant is told the network’s brand, not the product', async () => {
  await watchLinks({ ...services, fetch, config: { ...services.config, brand: 'harborline' } })
  expect(asked.map(({ userAgent }) => userAgent)).toEqual([
    'Mozilla/5.0 (compatible; Harborline link check)',
  ])
})

test('what was asked while the clock was ahead is asked once it is right', async () => {
  clock.set('2026-06-18T16:10:00Z')
  await watch()
  clock.set('2026-06-17T16:10:00Z')
  await watch()
  expect(asked).toHaveLength(2)
})

test('a link type without clicks in the last day is not asked', async () => {
  clock.set('2026-06-19T16:10:00Z')
  await watch()
  expect(asked).toEqual([])
})

test('a target that fails twice is told, and once it works the alarm ends', async () => {
  answer = { status: 500 }
  await watch()
  expect(await open()).toEqual([])
  await later(5)
  expect(await open()).toEqual([['target-fails', 'It answered with status 500.']])
  await later(5)
  expect(await open()).toHaveLength(1)
  answer = { status: 200 }
  await later(5)
  expect(await open()).toEqual([])
})

test('a merchant who keeps programs out is no failure', async () => {
  answer = { status: 403 }
  await watch()
  await later(60)
  await later(60)
  expect(await open()).toEqual([])
})

test('a target that ends at another host than before is told, until it is back or a week has passed', async () => {
  await watch()
  answer = { status: 302, location: `${elsewhere}/parked` }
  await later(60)
  const moved = `It ends at ${hostOf(elsewhere)} now, and ended at ${hostOf(merchant)} before.`
  expect(await open()).toEqual([['target-moved', moved]])
  answer = { status: 200 }
  await later(60)
  expect(await open()).toEqual([])

  answer = { status: 302, location: `${elsewhere}/parked` }
  await later(60)
  await clicksOn('2026-06-24')
  await later(7 * 24 * 60)
  expect(await open()).toEqual([])
  await later(60)
  expect(await open()).toEqual([])
})

test('another URL is not compared with the one before', async () => {
  await watch()
  await targets(`${elsewhere}/new`)
  await watch()
  expect(await open()).toEqual([])
})

test('more than five redirects fail, and none leads inward', async () => {
  answer = { status: 302, location: `${merchant}/again` }
  await watch()
  await later(5)
  expect(await open()).toEqual([['target-fails', 'It redirects more than 5 times.']])
  answer = { status: 302, location: 'http://10.0.0.1/' }
  await later(5)
  await later(5)
  expect(asked.some(({ url }) => url.includes('10.0.0.1'))).toBe(false)
  expect(await open()).toHaveLength(1)
})

test('a certificate that ends within two weeks is told', async () => {
  const ends =
    (days: number): SafeFetch =>
    async (url) => ({
      status: 200,
      headers: {},
      body: Buffer.alloc(0),
      url,
      certificateEnds: new Date(clock.now().getTime() + days * 86_400_000),
    })
  await watch(ends(15))
  expect(await open()).toEqual([])
  await later(60, ends(13))
  expect(await open()).toEqual([['certificate', '127.0.0.1, until 2026-06-30']])
  await later(60, ends(90))
  expect(await open()).toEqual([])
})

test('a preferred domain has to answer with our page', async () => {
  await db.deleteFrom('hourly_figures').execute()
  await buildDomain(db, { domain: merchant })
  answer = { status: unknownPage.status, body: unknownPage.html }
  await watch()
  await later(60)
  expect(asked.map(({ url }) => url)).toEqual(Array(2).fill('/api/links/go/0/0/0'))
  expect(await open()).toEqual([])
  answer = { status: 200, body: 'This domain is for sale' }
  await later(60)
  await later(5)
  expect((await open()).map(([kind]) => kind)).toEqual(['domain-fails'])
  await db.updateTable('preferred_domains').set({ hidden: true }).execute()
  await later(5)
  expect(await open()).toEqual([])
})

test('a name that is reserved for examples is not asked', async () => {
  await targets('https://lantern.example/join?cid={click_id}')
  await watch()
  await later(60)
  expect(await open()).toEqual([])
})

const watch = (by: SafeFetch = fetch) => watchLinks({ ...services, fetch: by })

async function later(minutes: number, by?: SafeFetch): Promise<void> {
  clock.advance(minutes * 60_000)
  await watch(by)
}

const targets = (url: string) =>
  db.updateTable('link_types').set({ url }).where('id', '=', type).execute()

const clicksOn = (day: string) => db.updateTable('hourly_figures').set({ day }).execute()

const open = async () => {
  const rows = await db
    .selectFrom('alarms')
    .select(['kind', 'detail'])
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ kind, detail }) => [kind, detail])
}

const hostOf = (origin: string) => new URL(origin).host

async function listen(answerNow: () => typeof answer): Promise<string> {
  const server = createServer((request, reply) => {
    if (answerNow() === answer)
      asked.push({ url: request.url ?? '', userAgent: request.headers['user-agent'] })
    const { status, location, body = '' } = answerNow()
    reply.writeHead(status, location === undefined ? {} : { location }).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  afterAll(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP server has such an address
}
