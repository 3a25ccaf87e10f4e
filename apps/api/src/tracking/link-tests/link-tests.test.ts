import { linkTestsEndpoints as endpoints, MOST_TESTS } from '@tallyroom/contract/desk/link-tests'
import { TEST_PARAM } from '@tallyroom/domain/tracked-link'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildAgent, buildLinkType, buildOffice, buildSite } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import type { Viewer } from '../../access/viewer.ts'
import { buildApp } from '../../app.ts'
import { announceChange } from '../../db/changes.ts'
import { inTransaction } from '../../db/transaction.ts'
import { makeSiteKeys } from '../site-keys/site-keys.ts'
import { forgetTests } from '../test-visits/test-visits.queries.ts'
import { linkTestsRoutes } from './link-tests.routes.ts'

const services = testServices(await testDatabase(), {
  environment: { PUBLIC_URL: 'https://office.example' },
})
const { db, clock } = services
const call = await callRoutes(linkTestsRoutes(services))

const siteId = await buildSite(db, { click_param: 'cid' })
const officeId = await buildOffice(db)
const agentId = await buildAgent(db, { office_id: officeId })
const typeId = await buildLinkType(db, {
  site_id: siteId,
  url: 'https://shop.example/join?from={sub1}',
  forward_params: true,
})
const app = await buildApp(services)
afterAll(() => app.close())

const agent: Viewer = { ...viewer({ role: 'agent', officeId, agentId }), accountId: 7 }
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

beforeAll(() =>
  vi.waitFor(async () => expect((await app.inject('/api/health')).statusCode).toBe(200), 60_000),
)

async function make(body: object = {}) {
  const { body: made } = await call(agent, endpoints.createLinkTest, { body: { typeId, ...body } })
  const { pathname, search } = new URL(made.url)
  return { ...made, path: pathname + search }
}
const shown = async (id: string, who = agent) =>
  (await call(who, endpoints.linkTest, { params: { id } })).body
const open = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { 'user-agent': BROWSER, ...headers } })

/** Everything that a click would leave behind. */
async function counted() {
  const rows = await Promise.all([
    db.selectFrom('clicks').selectAll().execute(),
    db.selectFrom('seen_visitors').selectAll().execute(),
    db.selectFrom('totals_pending').selectAll().execute(),
    db.selectFrom('crawler_visits').selectAll().execute(),
  ])
  return rows.flat()
}

test('a test shows what arrived, what the merchant was handed and where it ended, and counts nowhere', async () => {
  const { id, path, url } = await make({ sub1: 'flyer', to: '/p/7' })
  expect(new URL(url).origin).toBe('https://office.example')
  expect(await shown(id)).toMatchObject({ visit: null, postbacks: [] })
  const answer = await open(`${path}&utm_source=fb`)
  expect(answer.statusCode).toBe(302)
  const location = String(answer.headers.location)
  expect(location).not.toContain(TEST_PARAM)
  const clickId = new URL(location).searchParams.get('cid')
  expect(location).toBe(`https://shop.example/p/7?from=flyer&cid=${clickId}&utm_source=fb`)
  expect((await shown(id)).visit).toEqual({
    at: expect.any(String),
    outcome: 'sent on',
    uncounted: null,
    note: null,
    sub1: 'flyer',
    to: '/p/7',
    others: [{ name: 'utm_source', value: 'fb' }],
    forwards: true,
    userAgent: BROWSER,
    fromIp: '127.0.0.1',
    url: location,
    clickId,
  })
  await open(path, { 'user-agent': 'Googlebot/2.1' })
  expect((await shown(id)).visit).toMatchObject({ outcome: 'sent on', uncounted: 'crawler' })
  await open(`${path}&to=%00`)
  expect(await counted()).toEqual([])
})

test('a postback with its click id shows, and counts nowhere', async () => {
  const { id, path } = await make()
  await open(path)
  const { clickId } = (await shown(id)).visit
  const { key } = await makeSiteKeys(services).provide(siteId)
  clock.advance(1_000) // what the server knows of keys is old by then
  const query = `key=${encodeURIComponent(key)}&cid=${clickId}&transaction_id=t-1`
  expect((await app.inject(`/api/postback/${siteId}?${query}`)).statusCode).toBe(201)
  expect((await shown(id)).postbacks).toEqual([
    { receivedAt: expect.any(String), outcome: 'recorded', event: 'sale', reason: null },
  ])
  expect(await db.selectFrom('sale_events').selectAll().execute()).toEqual([])
  expect(await counted()).toEqual([])
})

test.each([
  ['harborline', ['fromIp', 'referer']],
  ['copperleaf', ['fromIp']],
  ['northlane', []],
] as const)(
  'a test in the brand %s shows of its visitor what the click log would',
  async (brand, shownFields) => {
    const { id, path } = await make()
    const [from, referer] = ['127.0.0.1', 'https://forum.example/post/7']
    await open(path, { referer })
    const own = await callRoutes(
      linkTestsRoutes({ ...services, config: { ...services.config, brand } }),
    )
    const { body } = await own(agent, endpoints.linkTest, { params: { id } })
    const seen = { fromIp: from, referer }
    expect(body.visit).toMatchObject(
      Object.fromEntries(shownFields.map((field) => [field, seen[field]])),
    )
    expect(Object.keys(body.visit).filter((field) => field in seen)).toEqual(shownFields)
  },
)

test('a link that does not work ends on the page that its visitors get', async () => {
  const { id, path } = await make()
  const set = (active: boolean) =>
    inTransaction(db, async (tx) => {
      await tx.updateTable('agents').set({ active }).where('id', '=', agentId).execute()
      await announceChange(tx, 'destinations')
    })
  await set(false)
  await vi.waitFor(async () => expect((await open(path)).statusCode).toBe(410), 5_000)
  expect((await shown(id)).visit).toMatchObject({ outcome: 'inactive', url: null, clickId: null })
  await set(true)
  await vi.waitFor(async () => expect((await open(path)).statusCode).toBe(302), 5_000)
})

test('visits that come at once are led on, and wait for one another in no queue', async () => {
  const { id, path } = await make()
  const answers = await Promise.all(Array.from({ length: 40 }, () => open(path)))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([302]))
  const { clickId } = (await shown(id)).visit
  const handed = answers.map(({ headers }) =>
    new URL(String(headers.location)).searchParams.get('cid'),
  )
  expect(handed).toContain(clickId)
})

test('an agent’s links are tested so many times in an hour, whoever does it', async () => {
  const other = await buildAgent(db, { office_id: officeId })
  const body = { typeId, agentId: other }
  const tested = () => call(viewer(), endpoints.createLinkTest, { body })
  const answers = await Promise.all(Array.from({ length: MOST_TESTS + 2 }, tested))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(MOST_TESTS)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
  await make()
  const before = clock.peek()
  clock.advance(61 * 60_000)
  expect((await tested()).status).toBe(200)
  clock.set(before.toISOString())
})

test('tests are kept for a day', async () => {
  const { id } = await make()
  await forgetTests(db, new Date(clock.peek().getTime() + 23 * 3_600_000))
  expect((await shown(id)).visit).toBeNull()
  await forgetTests(db, new Date(clock.peek().getTime() + 25 * 3_600_000))
  expect((await call(agent, endpoints.linkTest, { params: { id } })).status).toBe(404)
})

test('only who made it sees a test', async () => {
  const { id } = await make()
  const none = await call(agent, endpoints.linkTest, { params: { id: 'x'.repeat(16) } })
  expect([none.status, none.body.message]).toEqual([
    404,
    'This test was not found. It may have been deleted, or you may not see it.',
  ])
  expect(await call(viewer(), endpoints.linkTest, { params: { id } })).toEqual(none)
})

test('an office sees the tests that it made of its own agents', async () => {
  const office = viewer({ role: 'company', officeId, agentId: undefined })
  const moving = await buildAgent(db, { office_id: officeId })
  const { id } = (
    await call(office, endpoints.createLinkTest, { body: { typeId, agentId: moving } })
  ).body
  expect(await shown(id, office)).toMatchObject({ visit: null })
  const elsewhere = await buildOffice(db)
  await db.updateTable('agents').set({ office_id: elsewhere }).where('id', '=', moving).execute()
  expect((await call(office, endpoints.linkTest, { params: { id } })).status).toBe(404)
})

test('a mark that is altered, of another link or too old is none: the click counts, and the merchant does not get it', async () => {
  const { id, path } = await make()
  const other = await buildLinkType(db, { site_id: siteId, url: 'https://shop.example/other' })
  await inTransaction(db, (tx) => announceChange(tx, 'destinations'))
  const moved = path.replace(`/${siteId}/${typeId}/`, `/${siteId}/${other}/`)
  await vi.waitFor(async () => expect((await open(moved)).statusCode).toBe(302), 5_000)
  const altered = path.replace(/.{3}$/, 'zzz')
  const before = clock.peek()
  clock.advance(11 * 60_000)
  const late = await open(path)
  clock.set(before.toISOString())
  for (const answer of [late, await open(altered), await open(moved)]) {
    expect(answer.statusCode).toBe(302)
    expect(String(answer.headers.location)).not.toContain(TEST_PARAM)
  }
  expect((await shown(id)).visit).toBeNull()
  expect((await db.selectFrom('clicks').select('nonce').execute()).length).toBeGreaterThan(2)
})
