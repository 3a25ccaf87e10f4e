import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { csvText } from '@tallyroom/domain/csv'
import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { announceChange, watchChanges } from '../../db/changes.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { movingClock } from '../../lib/clock.ts'
import { silentLog } from '../../lib/log/log.ts'
import { keepBlacklist } from '../../people/blacklist/blacklist.ts'
import { startCrawlerVisits } from './crawler-visits.ts'
import { findClick, openedLink } from './clicks.queries.ts'
import { makeClickIds } from './click-id-signer.ts'
import { registerGo } from './go.routes.ts'
import { makeTestVisits } from '../test-visits/follow-test.ts'
import { makeTestMarks } from '../test-visits/test-marks.ts'
import { startClicks } from './clicks.ts'
import { buildAgent, buildLinkType, buildOffice, buildSite } from '../../../test/build-world.ts'
import { getAsItStands } from '../../../test/get-as-it-stands.ts'
import { until } from '../../../test/until.ts'
import { trustOf } from '../../lib/net/forwarded-address.ts'
import { mendUrl } from '../../http/mend-url.ts'
import { trustProxies } from '../../http/caller-address.ts'
import { FIRST_UNSTORED_NONCE } from '@tallyroom/domain/click-id'
import { bareHeaders, redirectHeaders } from '../../http/secure-headers.ts'

const { db, connection, clickStore } = await testDatabase()
const office = await buildOffice(db)
const agent = await buildAgent(db, { office_id: office })
const site = await buildSite(db, { click_param: 'cid' })
const type = await buildLinkType(db, {
  site_id: site,
  url: 'https://merchant.example/join?from={sub1}',
})
await db
  .insertInto('ip_blacklist')
  .values({ ip: '203.0.113.0/24', created_at: new Date(0) })
  .execute()

const MOST_A_MINUTE = 120
const dataDir = await mkdtemp(join(tmpdir(), 'tallyroom-clicks-'))
const clock = movingClock('2026-03-08T06:30:00Z')
const clickIds = makeClickIds(Buffer.alloc(32, 7))
const changes = watchChanges(connection, { log: silentLog })
const blacklist = keepBlacklist(db, changes)
const clicks = startClicks({
  connection,
  clickStore,
  db,
  changes,
  blacklist,
  clickIds,
  tests: makeTestVisits({ db, clickIds, testMarks: makeTestMarks(Buffer.alloc(32, 7)) }),
  kept: { keep() {} },
  dataDir,
  clicksAMinute: MOST_A_MINUTE,
  clock,
  log: silentLog,
})
const app = Fastify({
  exposeHeadRoutes: false,
  rewriteUrl: (request) => mendUrl(request.url ?? '/'),
})
trustProxies(app, trustOf(1))
registerGo(app, clicks)

beforeAll(() => until(() => clicks.isReady()))
beforeEach(async () => {
  await emptyTables(connection, ['clicks', 'seen_visitors', 'totals_pending'])
})
afterAll(async () => {
  await app.close()
  await clicks.stop()
  await changes.stop()
  await rm(dataDir, { recursive: true })
})

const LONG_AGO = new Date(0)

const path = `/api/links/go/${site}/${type}/${agent}`

function visit(url = path, { ip = '198.51.100.7', ...headers }: Record<string, string> = {}) {
  return app.inject({ url, headers: { 'user-agent': BROWSER, 'x-forwarded-for': ip, ...headers } })
}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36'

test('a visitor is redirected with an id that leads to the stored click', async () => {
  const answer = await visit(`${path}?sub1=%20green%20&sub3=a%22b%5Cc,%7Bd%7D`, {
    referer: 'https://blog.example/post',
    host: 'whatever.example',
  })
  expect(answer.statusCode).toBe(302)
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', ...redirectHeaders })
  const location = new URL(String(answer.headers.location))
  expect(location.origin + location.pathname).toBe('https://merchant.example/join')
  expect(location.searchParams.get('from')).toBe('green')

  const fields = clickIds.read(location.searchParams.get('cid') ?? '')
  const stored = fields && (await findClick(db, fields))
  const { referrerId, ...rest } = stored ?? {}
  expect(rest).toEqual({
    agentId: agent,
    typeId: type,
    officeId: office,
    clickedAt: new Date('2026-03-08T06:30:00Z'),
    ip: '198.51.100.7',
    isBlacklisted: false,
  })
  expect(
    await db
      .selectFrom('referrers')
      .select('referrer')
      .where('id', '=', referrerId ?? 0)
      .execute(),
  ).toEqual([{ referrer: 'https://blog.example/post' }])
  expect(await db.selectFrom('clicks').select(['subs', 'is_unique']).execute()).toEqual([
    { subs: ['green', null, 'a"b\\c,{d}'], is_unique: true },
  ])
  expect(
    await db.selectFrom('totals_pending').select(['day', 'raws', 'uniques']).execute(),
  ).toEqual([{ day: '2026-03-08', raws: 1, uniques: 1 }])
})

test('an address counts as unique once a day on a link type, in any notation', async () => {
  for (const ip of [
    '2001:db8::1',
    '2001:DB8:0:0::1',
    '2001:db8::9:8:7:6', // of the same /64, so of the same subscriber
    '2001:db8:0:1::1',
    '192.0.2.1',
    '::ffff:192.0.2.1',
  ]) {
    expect((await visit(path, { ip })).statusCode).toBe(302)
  }
  const rows = await db.selectFrom('clicks').select(['ip', 'is_unique']).orderBy('nonce').execute()
  expect(rows).toEqual([
    { ip: '2001:db8::1', is_unique: true },
    { ip: '2001:db8::1', is_unique: false },
    { ip: '2001:db8::9:8:7:6', is_unique: false },
    { ip: '2001:db8:0:1::1', is_unique: true },
    { ip: '192.0.2.1', is_unique: true },
    { ip: '192.0.2.1', is_unique: false },
  ])
})

test('a black-listed visitor is redirected, and the click is stored but not counted', async () => {
  expect((await visit(path, { ip: '203.0.113.9' })).statusCode).toBe(302)
  expect(await db.selectFrom('clicks').select(['uncounted', 'is_unique']).execute()).toEqual([
    { uncounted: 'blacklisted', is_unique: false },
  ])
  expect(await db.selectFrom('totals_pending').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('seen_visitors').selectAll().execute()).toEqual([])
})

describe('redirected with a click id that is not stored as a click:', () => {
  test.each([
    ['a known crawler', { headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' } }],
    ['a HEAD request', { method: 'HEAD' as const, headers: { 'user-agent': BROWSER } }],
  ])('%s', async (_, request) => {
    const answer = await app.inject({ url: path, ...request })
    expect(answer.statusCode).toBe(302)
    const id = /from=&cid=(\w+)$/.exec(String(answer.headers.location))?.[1] ?? ''
    expect(clickIds.read(id)).toMatchObject({ agentId: agent, typeId: type })
    expect(clickIds.read(id)?.nonce).toBeGreaterThanOrEqual(FIRST_UNSTORED_NONCE)
    expect(await db.selectFrom('clicks').selectAll().execute()).toEqual([])
  })
})

test('a crawler increments a count for its link and day', async () => {
  clock.advance(86_400_000) // on another day, because visitors of other tests count too
  for (let visits = 0; visits < 3; visits++) await visit(path, { 'user-agent': 'Googlebot/2.1' })
  const counting = startCrawlerVisits({ db, log: silentLog })
  const seen = { clickedAtMs: clock.peek().getTime(), agentId: agent, typeId: type }
  counting.add({ ...seen, officeId: office, siteId: site })
  counting.add({ ...seen, officeId: office, siteId: site })
  clock.advance(-86_400_000)
  await counting.stop()
  await until(async () => {
    const [row] = await db
      .selectFrom('crawler_visits')
      .select('visits')
      .where('day', '=', '2026-03-09')
      .execute()
    return row?.visits === 5
  }, 20_000)
})

const HEADLESS = 'Mozilla/5.0 HeadlessChrome/150.0.0.0 Safari/537.36'

describe('redirected with a click id and stored, but not counted:', () => {
  test.each<[string, Record<string, string>, string]>([
    ['an older browser’s prefetch', { 'x-moz': 'prefetch' }, 'prefetch'],
    ['a preview', { 'x-purpose': 'preview' }, 'prefetch'],
    ['a browser that says it is headless', { 'user-agent': HEADLESS }, 'headless'],
  ])('%s', async (_, headers, uncounted) => {
    const answer = await visit(path, headers)
    expect(answer.headers.location).toMatch(/cid=[0-9a-v]{32}$/)
    expect(await db.selectFrom('clicks').select(['uncounted', 'is_unique']).execute()).toEqual([
      { uncounted, is_unique: false },
    ])
    expect(await db.selectFrom('totals_pending').selectAll().execute()).toEqual([])
    // It does not take the unique mark from a click that may follow, either.
    await visit()
    expect(
      await db.selectFrom('clicks').select('is_unique').where('uncounted', 'is', null).execute(),
    ).toEqual([{ is_unique: true }])
  })

  test('clicks of one subscriber on one link beyond the limit per minute', async () => {
    const visits = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, number) =>
          visit(path, { ip: `2001:db8:9:9::${number}` }),
        ),
      )
    const reasons = async () =>
      (await db.selectFrom('clicks').select('uncounted').distinct().execute()).map(
        ({ uncounted }) => uncounted,
      )
    await visits(MOST_A_MINUTE)
    expect(await reasons()).toEqual([null])
    await visits(1)
    expect(await reasons()).toContain('too many')
    await emptyTables(connection, ['clicks'])
    await visit(path, { ip: '2001:db8:9:8::1' }) // another subscriber
    clock.advance(60_000)
    await visits(1)
    clock.advance(-60_000)
    expect(await reasons()).toEqual([null])
  })
})

test.each(['prefetch', 'prefetch;prerender', 'prefetch;anonymous-client-ip'])(
  'a browser that speculates (%s) has to ask again at the click, and stores nothing',
  async (purpose) => {
    const answer = await visit(path, { 'sec-purpose': purpose })
    expect(answer.statusCode).toBe(503)
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', ...bareHeaders })
    expect(answer.headers.location).toBeUndefined()
    expect(await db.selectFrom('clicks').selectAll().execute()).toEqual([])
    expect((await visit()).statusCode).toBe(302)
    expect(await db.selectFrom('clicks').select('uncounted').execute()).toEqual([
      { uncounted: null },
    ])
  },
)

test('a crawler on the black list is stored like anybody on it, so that its sales are marked', async () => {
  await visit(path, { ip: '203.0.113.9', 'user-agent': 'Googlebot/2.1' })
  expect(await db.selectFrom('clicks').select('uncounted').execute()).toEqual([
    { uncounted: 'blacklisted' },
  ])
})

test('callers whose proxy adds ports are as many visitors as without', async () => {
  for (const [ip, port] of [
    ['198.51.100.7', 52_311],
    ['198.51.100.7', 52_312],
    ['198.51.100.8', 52_313],
  ]) {
    await visit(path, { ip: `${ip}:${port}` })
  }
  await visit(path, { ip: '203.0.113.200:4711' })
  const rows = await db
    .selectFrom('clicks')
    .select(['ip', 'is_unique', 'uncounted'])
    .orderBy('nonce')
    .execute()
  expect(rows).toEqual([
    { ip: '198.51.100.7', is_unique: true, uncounted: null },
    { ip: '198.51.100.7', is_unique: false, uncounted: null },
    { ip: '198.51.100.8', is_unique: true, uncounted: null },
    { ip: '203.0.113.200', is_unique: false, uncounted: 'blacklisted' },
  ])
})

describe('of a sub id', () => {
  const stored = async () =>
    (await db.selectFrom('clicks').select('subs').execute()).map(({ subs }) => subs?.[0])
  const passed = (location: unknown) => new URL(String(location)).searchParams.get('from')

  test.each([
    ['an ad network’s 310 characters', 'E'.repeat(310), 'E'.repeat(310)],
    ['the first 500 characters', 'x'.repeat(501), 'x'.repeat(500)],
    ['whole characters', `${'x'.repeat(499)}😀y`, 'x'.repeat(499)],
  ])('%s are stored, and the merchant gets all of it', async (_, sub, kept) => {
    const answer = await visit(`${path}?sub1=${encodeURIComponent(sub)}`)
    expect(passed(answer.headers.location)).toBe(sub)
    expect(await stored()).toEqual([kept])
  })
})

test('a click stores its browser, each browser once', async () => {
  const odd = `Odd/1.0 "\\{a,b}'`
  for (const userAgent of [odd, odd, BROWSER]) await visit(path, { 'user-agent': userAgent })
  const kept = await db
    .selectFrom('clicks')
    .innerJoin('user_agents', 'user_agents.id', 'clicks.user_agent_id')
    .select('user_agents.user_agent as name')
    .orderBy('clicks.nonce')
    .execute()
  expect(kept.map(({ name }) => name)).toEqual([odd, odd, BROWSER])
})

test.each([
  'curl/8.5.0',
  'Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; Trident/5.0; chromeframe/12.0.742.112)',
  'MAUI_WAP_Browser',
  'LAVA KKT 34i/MAUI WAP Browser',
  'Dorado WAP-Browser/1.0.0',
  'Nokia6100/1.0 (04.01) Profile/MIDP-1.0 Configuration/CLDC-1.0',
  'SAMSUNG-SGH-E250/1.0 Profile/MIDP-2.0 Configuration/CLDC-1.1 UP.Browser/6.2.3.3.c.1.101 (GUI) MMP/2.0',
  '',
])('a person with %j makes a click', async (userAgent) => {
  await visit(path, { 'user-agent': userAgent })
  expect(await db.selectFrom('clicks').select('uncounted').execute()).toEqual([{ uncounted: null }])
})

test.each([
  'Googlebot/2.1',
  'SAMSUNG-SGH-E250/1.0 Profile/MIDP-2.0 Configuration/CLDC-1.1 (compatible; Googlebot-Mobile/2.1; +http://www.google.com/bot.html)',
  'DoCoMo/2.0 N905i(c100;TB;W24H16) (compatible; Googlebot-Mobile/2.1)',
  'facebookexternalhit/1.1',
  'python-requests/2.32.0',
  'WhatsApp/2.23.20.0',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/123.0.0.0 Safari/537.36 GoogleMessages/15.1',
])('a crawler such as %j makes none', async (userAgent) => {
  await visit(path, { 'user-agent': userAgent })
  expect(await db.selectFrom('clicks').select('nonce').execute()).toEqual([])
})

describe('a damaged link still leads to its merchant:', () => {
  test.each([
    ['a slash at the end', `${path}/`, undefined],
    ['& instead of ?', `${path}&sub1=fb`, 'fb'],
    ['&amp; instead of ?', `${path}&amp;sub1=fb`, 'fb'],
    ['a slash before the query', `${path}/?sub1=fb`, 'fb'],
    ['a parameter of a chat program', `${path}&fbclid=x`, undefined],
    ['a full stop', `${path}.`, undefined],
    ['a comma', `${path},`, undefined],
    ['a bracket', `${path})`, undefined],
    ['a blank', `${path}%20`, undefined],
    ['a zero-width space', `${path}%E2%80%8B`, undefined],
    ['half a character', `${path}%E2`, undefined],
    ['a line feed', `${path}%0d%0ax:y`, undefined],
    ['doubled slashes', `/${path}`, undefined],
    ['capitals', path.toUpperCase(), undefined],
    ['escaped ampersands', `${path}?x=1&amp;sub1=fb`, 'fb'],
  ])('%s', async (_, url, sub1) => {
    const answer = await visit(url)
    expect(answer.headers.location).toMatch(
      new RegExp(String.raw`^https://merchant\.example/join\?from=${sub1 ?? ''}&cid=\w{32}$`),
    )
    const stored = await db.selectFrom('clicks').select(['agent_id', 'subs']).execute()
    expect(stored).toEqual([{ agent_id: agent, subs: sub1 === undefined ? null : [sub1] }])
  })
})

describe('no such link', () => {
  test.each([
    ['an unknown site', `/api/links/go/999/${type}/${agent}`],
    ['an unknown link type', `/api/links/go/${site}/999/${agent}`],
    ['an unknown agent', `/api/links/go/${site}/${type}/999`],
    ['an id that is no number', `/api/links/go/${site}/${type}/x`],
    ['a negative id', `/api/links/go/${site}/${type}/-1`],
    ['an id past 2^31', `/api/links/go/${site}/${type}/2147483648`],
    ['an id past 2^53', `/api/links/go/${site}/${type}/9007199254740993`],
    ['a NUL in an id', `/api/links/go/${site}/${type}/%00`],
    ['two numbers', `/api/links/go/${site}/${type}`],
    ['no number', '/API/links/go/'],
    ['another path', '/api/links/went'],
    ['a byte that is not UTF-8', '/api/links/%E2'],
  ])('%s', async (_, url) => {
    const answer = await visit(url)
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.body).toContain('This link leads nowhere')
    expect(answer.headers.location).toBeUndefined()
    expect(answer.headers['strict-transport-security']).toMatch(/^max-age=/)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })
})

test('a query of a megabyte is refused', async () => {
  expect((await visit(`${path}?sub1=${'x'.repeat(2 ** 20)}`)).statusCode).toBe(414)
  expect(await db.selectFrom('clicks').selectAll().execute()).toEqual([])
})

test('no parameter can break out of the header', async () => {
  const answer = await visit(`${path}?sub1=a%0d%0aset-cookie:%20x%00%ED%A0%80&sub1=b`)
  expect(answer.statusCode).toBe(302)
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(answer.headers.location).toMatch(/^[\x21-\x7e]+$/)
})

describe('what a browser may send as its referrer', () => {
  /** Sent as raw bytes, because a client library would refuse half of it. */
  async function visitFrom(referer: string): Promise<string> {
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
    const address = app.server.address()
    if (address === null || typeof address === 'string') throw new Error('it does not listen')
    return getAsItStands(address.port, path, `user-agent: ${BROWSER}\r\nreferer: ${referer}\r\n`)
  }

  const location = (answer: string) => /^location: (.*)\r$/im.exec(answer)?.[1]

  /** What is stored of the only click, and how an export shows it to a spreadsheet. */
  async function kept() {
    const [click, ...others] = await db
      .selectFrom('clicks')
      .leftJoin('referrers', 'referrers.id', 'clicks.referrer_id')
      .select('referrers.referrer')
      .execute()
    expect(others).toEqual([])
    return { referrer: click?.referrer, csv: csvText([[click?.referrer]]) }
  }

  const formula = `=cmd|' /C calc'!A0`
  test.each([
    ['Latin-1', 'https://caf\xe9.example/\xff', 'https://café.example/ÿ', 'https://café.example/ÿ'],
    ['UTF-8 in bytes', 'https://x/\xe2\x82\xac', 'https://x/â¬', 'https://x/â¬'],
    ['C1 controls', 'a\x85\x9bb', 'ab', 'ab'],
    ['8 kB', 'https://x/'.padEnd(8_192, 'y'), 'https://x/'.padEnd(500, 'y'), undefined],
    ['a formula', formula, formula, `'${formula}`],
    ['a formula behind a tab', `\t${formula}`, formula, `'${formula}`],
    ['a formula behind what is not kept', `\x85@SUM(1)`, '@SUM(1)', "'@SUM(1)"],
    ['another formula', '+1+1', '+1+1', "'+1+1"],
    ['script', '<script>alert(1)</script>', '<script>alert(1)</script>', undefined],
    ['nothing but blanks', '  \t ', null, ''],
  ])('%s', async (_, sent, stored, inCsv) => {
    const answer = await visitFrom(sent)
    expect(answer).toMatch(/^HTTP\/1\.1 302 /)
    expect(location(answer)).toMatch(/^https:\/\/merchant\.example\/join\?from=&cid=[0-9a-v]{32}$/)
    const { referrer, csv } = await kept()
    expect(referrer).toBe(stored)
    expect(csv).toBe(`${inCsv ?? stored}\r\n`)
  })

  test.each([
    ['NUL', 'https://x/\0'],
    ['a carriage return', 'https://x/\rset-cookie: a=b'],
    ['escape', 'https://x/\x1b[31m'],
    ['delete', 'https://x/\x7f'],
  ])('%s is not a header: nobody is redirected, nothing is stored', async (_, sent) => {
    const answer = await visitFrom(sent)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).not.toContain('set-cookie')
    expect(await db.selectFrom('clicks').selectAll().execute()).toEqual([])
  })

  test('a line feed ends the header, and what follows is not one of ours', async () => {
    const answer = await visitFrom('https://x/\r\nset-cookie: a=b')
    expect(answer).toMatch(/^HTTP\/1\.1 302 /)
    expect(answer).not.toContain('set-cookie')
    expect(await kept()).toMatchObject({ referrer: 'https://x/' })
  })
})

/** Commits a change and returns the link's new status, which must take effect within a second. */
async function statusAfter(change: (tx: Tx) => Promise<unknown>, expected: number) {
  await inTransaction(db, async (tx) => {
    await change(tx)
    await announceChange(tx, 'destinations')
  })
  await until(
    async () => (await app.inject({ method: 'HEAD', url: path })).statusCode === expected,
    1_000,
  )
  return (await visit()).statusCode
}

describe('within a second of the commit, a link stops and works again when', () => {
  test.each([
    ['the site is suspended', 'sites', { active: false }, { active: true }, 410],
    ['the link type is suspended', 'link_types', { active: false }, { active: true }, 410],
    ['the office is suspended', 'offices', { active: false }, { active: true }, 410],
    ['the agent is suspended', 'agents', { active: false }, { active: true }, 410],
    ['the agent is not approved', 'agents', { approved_at: null }, { approved_at: LONG_AGO }, 410],
    ['the site is deleted', 'sites', { deleted_at: LONG_AGO }, { deleted_at: null }, 404],
    ['the link type is deleted', 'link_types', { deleted_at: LONG_AGO }, { deleted_at: null }, 404],
  ] as const)('%s', async (_, table, off, on, status) => {
    expect(await statusAfter((tx) => tx.updateTable(table).set(off).execute(), status)).toBe(status)
    expect(await db.selectFrom('clicks').selectAll().execute()).toEqual([])
    expect(await statusAfter((tx) => tx.updateTable(table).set(on).execute(), 302)).toBe(302)
  })

  test('the office may not sell the site', async () => {
    const withdraw = (tx: Tx) => tx.deleteFrom('office_sites').execute()
    const grant = (tx: Tx) =>
      tx.insertInto('office_sites').values({ office_id: office, site_id: site }).execute()
    expect(await statusAfter(withdraw, 410)).toBe(410)
    expect(await statusAfter(grant, 302)).toBe(302)
  })

  test('the site is switched off for the agent', async () => {
    const switchOff = (tx: Tx) =>
      tx.insertInto('agent_sites_off').values({ agent_id: agent, site_id: site }).execute()
    expect(await statusAfter(switchOff, 410)).toBe(410)
    expect(await statusAfter((tx) => tx.deleteFrom('agent_sites_off').execute(), 302)).toBe(302)
  })
})

describe('visitors of a link that is suspended go where its site says instead', () => {
  let [otherSite, otherType] = [0, 0]
  beforeAll(async () => {
    otherSite = await buildSite(db, { click_param: 'ref' })
    otherType = await buildLinkType(db, {
      site_id: otherSite,
      url: 'https://other.example/start?s={site_id}.{type_id}',
      forward_params: true,
    })
    await change((tx) => sends(tx, otherType))
  })
  afterAll(() => change((tx) => sends(tx, null)))

  type Change = (tx: Tx) => Promise<unknown>
  const sends = (tx: Tx, instead_type_id: number | null) =>
    tx.updateTable('sites').set({ instead_type_id }).where('id', '=', site).execute()
  const isLive =
    (active: boolean, id = type) =>
    (tx: Tx) =>
      tx.updateTable('link_types').set({ active }).where('id', '=', id).execute()
  const isSiteLive =
    (active: boolean, id = site) =>
    (tx: Tx) =>
      tx.updateTable('sites').set({ active }).where('id', '=', id).execute()

  const change = (work: Change) =>
    inTransaction(db, async (tx) => {
      await work(tx)
      await announceChange(tx, 'destinations')
    })
  /** Status and host. */
  const ends = async () => {
    const { statusCode, headers } = await app.inject({ method: 'HEAD', url: path })
    return [statusCode, headers.location && new URL(headers.location).host].join(' ')
  }
  const untilEnds = (expected: string) => until(async () => (await ends()) === expected, 2_000)
  const working = '302 merchant.example'

  test.each([
    ['the link type', isLive],
    ['the site', isSiteLive],
  ])('%s: the click is one of the new link type, and says of which link it was', async (_, set) => {
    await change(set(false))
    await untilEnds('302 other.example')
    const answer = await visit(`${path}?sub1=x&gclid=g&to=/product/7`)
    const location = new URL(String(answer.headers.location))
    expect(location.href.replace(/[0-9a-v]{32}/, 'ID')).toBe(
      `https://other.example/start?s=${otherSite}.${otherType}&ref=ID&gclid=g`,
    )
    const fields = clickIds.read(location.searchParams.get('ref') ?? '')
    expect(fields).toMatchObject({ agentId: agent, typeId: otherType })
    const stored = await db.selectFrom('clicks').select(['type_id', 'office_id', 'subs']).execute()
    expect(stored).toEqual([
      {
        type_id: otherType,
        office_id: office,
        subs: ['x', null, null, null, null, `instead of ${site}/${type}`],
      },
    ])
    const seen = { siteId: otherSite, typeId: otherType, agentId: agent }
    expect(openedLink({ ...seen, subs: stored[0]?.subs ?? null })).toEqual({
      link: { siteId: site, typeId: type, agentId: agent },
      subs: { sub1: 'x' },
      note: 'offer ended',
    })
    expect(
      await db.selectFrom('totals_pending').select(['site_id', 'type_id', 'raws']).execute(),
    ).toEqual([{ site_id: otherSite, type_id: otherType, raws: 1 }])
    await change(set(true))
    await untilEnds(working)
  })

  test('nobody is sent on who may not sell there, nor from link type to link type', async () => {
    await change(isLive(false))
    await untilEnds('302 other.example')
    const faults: [off: Change, on: Change][] = [
      [isLive(false, otherType), isLive(true, otherType)],
      [isSiteLive(false, otherSite), isSiteLive(true, otherSite)],
      [
        (tx: Tx) =>
          tx
            .insertInto('agent_sites_off')
            .values({ agent_id: agent, site_id: otherSite })
            .execute(),
        (tx: Tx) => tx.deleteFrom('agent_sites_off').execute(),
      ],
      [
        (tx: Tx) => tx.updateTable('agents').set({ active: false }).execute(),
        (tx: Tx) => tx.updateTable('agents').set({ active: true }).execute(),
      ],
      // Each the other's.
      [
        async (tx: Tx) => {
          await isLive(false, otherType)(tx)
          await tx
            .updateTable('sites')
            .set({ instead_type_id: type })
            .where('id', '=', otherSite)
            .execute()
        },
        isLive(true, otherType),
      ],
    ]
    for (const [off, on] of faults) {
      await change(off)
      await untilEnds('410 ')
      expect((await visit()).statusCode).toBe(410)
      await change(on)
      await untilEnds('302 other.example')
    }
    await change((tx) => sends(tx, null))
    await untilEnds('410 ')
    await change(async (tx) => {
      await sends(tx, otherType)
      await isLive(true)(tx)
    })
    await untilEnds(working)
  })

  test('a link that the agent may not sell, while its offer goes on, stays inactive', async () => {
    const forbid = (tx: Tx) =>
      tx.insertInto('agent_sites_off').values({ agent_id: agent, site_id: site }).execute()
    await change(forbid)
    await untilEnds('410 ')
    expect((await visit()).statusCode).toBe(410)
    await change((tx) => tx.deleteFrom('agent_sites_off').execute())
    await untilEnds(working)
  })
})

describe('what a link carries besides sub ids', () => {
  /** Sets a switch or the hosts, and waits until links go by it. */
  async function set(change: (tx: Tx) => Promise<unknown>, url: string, expected: string) {
    await inTransaction(db, async (tx) => {
      await change(tx)
      await announceChange(tx, 'destinations')
    })
    await until(async () => (await leads(url)) === expected, 1_000)
  }

  /** Where a link leads, with `ID` for the click id. */
  const leads = async (url: string) =>
    String((await app.inject({ method: 'HEAD', url })).headers.location).replace(
      /(?<==)[0-9a-v]{32}/,
      'ID',
    )

  const forward = (forward_params: boolean) => (tx: Tx) =>
    tx.updateTable('link_types').set({ forward_params }).where('id', '=', type).execute()
  const allow = (deep_hosts: string[]) => (tx: Tx) =>
    tx.updateTable('sites').set({ deep_hosts }).where('id', '=', site).execute()

  const carrying = `${path}?utm_source=a%20b&sub1=x&gclid=1&gclid=2&CID=mine&from=me&fbclid=`

  test('goes to the merchant, if the link type forwards it', async () => {
    const own = 'https://merchant.example/join?from=x&cid=ID'
    expect(await leads(carrying)).toBe(own)
    const all = `${own}&utm_source=a%20b&gclid=1&gclid=2&fbclid=`
    await set(forward(true), carrying, all)
    expect(String((await visit(carrying)).headers.location)).toMatch(/&cid=[0-9a-v]{32}&utm_source/)
    // The click is stored as ever: with its sub ids alone.
    expect(await db.selectFrom('clicks').select('subs').execute()).toEqual([{ subs: ['x'] }])
    await set(forward(false), carrying, own)
  })

  test('a page of the merchant takes the place of the link type’s, with all that belongs to the click', async () => {
    const page = 'https://merchant.example/product/7?color=red&from=x&cid=ID'
    for (const to of [
      '/product/7?color=red',
      '%2Fproduct%2F7%3Fcolor%3Dred',
      'https://merchant.example/product/7?color=red',
    ])
      expect(await leads(`${path}?sub1=x&to=${to}`)).toBe(page)
    await set(forward(true), `${path}?sub1=x&to=/product/7?color=red&gclid=g`, `${page}&gclid=g`)
    await set(forward(false), `${path}?sub1=x&to=/product/7?color=red&gclid=g`, page)
    await visit(`${path}?to=/product/7`)
    expect(await db.selectFrom('clicks').select('subs').execute()).toEqual([{ subs: null }])
  })

  test('a page on a further host of the site, until the host is removed: then the link type’s own, and the click says so', async () => {
    const shared = `${path}?sub2=b&to=https%3A%2F%2Fshop.example%2Fp`
    const own = 'https://merchant.example/join?from=&cid=ID'
    await set(allow(['shop.example']), shared, 'https://shop.example/p?from=&cid=ID')
    expect(await leads(`${path}?to=https://shop.example.evil.example/p`)).toBe(own)
    await set(allow([]), shared, own)
    expect((await visit(shared)).statusCode).toBe(302)
    const [click] = await db.selectFrom('clicks').select(['subs', 'uncounted']).execute()
    expect(click).toEqual({
      subs: [null, 'b', null, null, null, 'page elsewhere'],
      uncounted: null,
    })
    const link = { siteId: site, typeId: type, agentId: agent }
    expect(openedLink({ ...link, subs: click?.subs ?? null })).toEqual({
      link,
      subs: { sub2: 'b' },
      note: 'page elsewhere',
    })
  })
})

test('before the links are loaded, visitors are asked to come back', async () => {
  const early = Fastify()
  registerGo(early, { ...clicks, isReady: () => false })
  const answer = await early.inject(path)
  expect(answer.statusCode).toBe(503)
  expect(answer.headers['retry-after']).toBe('5')
})
