import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clickLogsEndpoints } from '@tallyroom/contract/desk/click-logs'
import { saleLogsEndpoints } from '@tallyroom/contract/desk/sale-logs'
import { dayOf } from '@tallyroom/domain/new-york'
import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  buildAccount,
  buildAgent,
  buildClick,
  buildLinkType,
  buildOffice,
  buildSite,
} from '../../../test/build-world.ts'
import { addToTotals } from '../../../test/add-to-totals.ts'
import { ownLayout, testDatabase } from '../../../test/database.ts'
import { execute } from '../../../test/test-server.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { buildApp } from '../../app.ts'
import { openDatabase } from '../../db/database.ts'
import { movingClock } from '../../lib/clock.ts'
import { archiveClicks } from '../../tracking/archive/archive-clicks.ts'
import { restoreArchive } from '../../tracking/archive/restore-archive.ts'
import { ensurePartitions } from '../../tracking/clicks/partitions.queries.ts'
import type { Uncounted } from '../../tracking/clicks/click.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: { PUBLIC_URL: 'https://office.example' } })
const { clock } = services
const app = await buildApp(services)
afterAll(() => app.close())

const { searchClickLogs } = clickLogsEndpoints

const ids = {
  manila: 0,
  cebu: 0,
  maria: 0,
  mark: 0,
  carlo: 0,
  lantern: 0,
  copper: 0,
  credits: 0,
  deposit: 0,
}

type Known = { name: string; office: string; agent: string; site: string; at: Date; ip: string }
/** Every click of the world, unordered. */
const clicks: Known[] = []

beforeAll(async () => {
  const owner = openDatabase(database.connection, {
    max: 1,
    applicationName: 'owner',
    asOwner: true,
  })
  await ensurePartitions(owner.db, clock, { from: '2025-12-01', to: '2026-03-01' })
  ids.lantern = await buildSite(db, { sitename: 'Lantern' })
  ids.copper = await buildSite(db, { sitename: 'Copper' })
  ids.credits = await buildLinkType(db, { site_id: ids.lantern, typename: 'Credits' })
  ids.deposit = await buildLinkType(db, { site_id: ids.copper, typename: 'Deposit' })
  const { id: domain } = await db
    .insertInto('preferred_domains')
    .values({ domain: 'https://go.example', created_at: clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  ids.manila = await buildOffice(db, {
    name: 'Manila',
    username: 'manila',
    preferred_domain_id: domain,
  })
  ids.cebu = await buildOffice(db, { name: 'Cebu', username: 'cebu' })
  ids.maria = await buildAgent(db, { office_id: ids.manila, username: 'maria' })
  ids.mark = await buildAgent(db, { office_id: ids.manila, username: 'mark' })
  ids.carlo = await buildAgent(db, { office_id: ids.cebu, username: 'carlo' })
  await buildAccount(db, { username: 'Root' })
  await buildAccount(db, { username: 'plain', role: roleNumber('admin') })

  await click('last year', 'maria', 'lantern', '2025-12-31T12:00:00Z')
  await click('28 February', 'maria', 'lantern', '2026-03-01T04:59:59.999Z', { ip: '198.51.100.1' })
  await click('midnight', 'carlo', 'lantern', '2026-03-01T05:00:00Z')
  await click('marked', 'maria', 'copper', '2026-03-01T06:00:00Z', { isMarked: true })
  await click('black-listed', 'mark', 'lantern', '2026-03-01T07:00:00Z', {
    uncounted: 'blacklisted',
    is_unique: false,
    ip: '2001:db8::7',
  })
  await click('again', 'maria', 'copper', '2026-03-01T08:00:00Z', { is_unique: false })
  await owner.db
    .updateTable('clicks')
    .set({ subs: sql`'{banner,null,x y}'` })
    .where('nonce', '=', MARKED)
    .execute()
  await owner.close()
})

const MARKED = 77

const newestFirst = ['again', 'black-listed', 'marked', 'midnight', '28 February', 'last year']

test('staff see every click, newest first, including black-listed ones', async () => {
  expect(await search('Root', {})).toEqual({ names: newestFirst, total: 6, totalIsMore: false })
  expect(await search('Root', { sortAsc: true })).toMatchObject({ names: newestFirst.toReversed() })
})

test('a sub id narrows the list to its exact value, or to clicks without it', async () => {
  expect(await search('Root', { sub: 'sub1', subId: 'banner' })).toMatchObject({
    names: ['marked'],
    total: 1,
  })
  for (const asked of [{ subId: 'Banner' }, { subId: 'banne' }]) {
    expect((await search('Root', { sub: 'sub1', ...asked })).names).toEqual([])
  }
  expect((await search('Root', { sub: 'sub2', subId: 'banner' })).names).toEqual([])
  expect((await search('carlo', { sub: 'sub1', subId: 'banner' })).names).toEqual([])
  expect((await search('manila', { sub: 'sub1', subId: 'banner' })).names).toEqual(['marked'])
  const others = newestFirst.filter((name) => name !== 'marked')
  expect(await search('Root', { sub: 'sub3' })).toMatchObject({ names: others, total: 5 })
  expect(
    (await search('maria', { sub: 'sub3', sortAsc: true, pageSize: 1, page: 2 })).names,
  ).toEqual(['28 February'])
  expect(
    (await search('Root', { sub: 'sub1', subId: 'banner', ipAddress: '203.0.113.7' })).names,
  ).toEqual(['marked'])
})

test('a value without the name of its sub id is refused', async () => {
  const token = await tokenOf(services, 'Root')
  const { statusCode, body } = await send(app, searchClickLogs, { body: { subId: 'x' } }, { token })
  expect([statusCode, body]).toEqual([422, expect.stringContaining('needs sub')])
})

test('an item has everything that the table shows', async () => {
  const { items } = await answer('Root', { agentId: ids.maria, start: '2026-03-01' })
  expect(items[1]).toEqual({
    id: expect.stringMatching(/^[0-9a-v]{32}$/),
    companyId: ids.manila,
    agentId: ids.maria,
    siteId: ids.copper,
    officeName: 'Manila',
    agentUsername: 'maria',
    sitename: 'Copper',
    typename: 'Deposit',
    url: `https://go.example/api/links/go/${ids.copper}/${ids.deposit}/${ids.maria}?sub1=banner&sub3=x%20y`,
    note: null,
    sub1: 'banner',
    sub3: 'x y',
    clickTime: '2026-03-01T06:00:00.000Z',
    sales: 0,
    counted: true,
    uncounted: null,
    userAgent: null,
    fromIp: '203.0.113.7',
    uniques: true,
  })
  const [other] = (await answer('Root', { agentId: ids.mark })).items
  expect(other).toMatchObject({
    counted: false,
    uncounted: 'blacklisted',
    uniques: false,
    fromIp: '2001:db8::7',
  })
  const [foreign] = (await answer('Root', { companyId: ids.cebu })).items
  expect(foreign?.url).toMatch(/^https:\/\/office\.example\/api\/links\/go\//)
})

test.each<[string, () => object, string[]]>([
  ['an office', () => ({ companyId: ids.cebu }), ['midnight']],
  ['an agent', () => ({ agentId: ids.mark }), ['black-listed']],
  ['a site', () => ({ siteId: ids.copper }), ['again', 'marked']],
  ['a site of an agent', () => ({ siteId: ids.copper, agentId: ids.mark }), []],
  ['a day in New York', () => ({ start: '2026-02-28', end: '2026-02-28' }), ['28 February']],
  ['days since', () => ({ start: '2026-03-01' }), newestFirst.slice(0, 4)],
  ['days until', () => ({ end: '2025-12-31' }), ['last year']],
  [
    'a range that begins and ends in mid-month',
    () => ({ start: '2025-12-20', end: '2026-03-01' }),
    newestFirst,
  ],
  [
    'a range of weeks over the end of a month',
    () => ({ start: '2026-02-20', end: '2026-03-10' }),
    newestFirst.slice(0, 5),
  ],
  ['days before all', () => ({ end: '1999-01-01' }), []],
  ['days that are to come', () => ({ start: '2026-04-01', end: '9999-12-31' }), []],
  ['an address', () => ({ ipAddress: ' 198.51.100.1 ' }), ['28 February']],
  ['an address in another spelling', () => ({ ipAddress: '2001:DB8:0::7' }), ['black-listed']],
  [
    'an address, from day to day',
    () => ({ ipAddress: '203.0.113.7', start: '2026-03-01' }),
    ['again', 'marked', 'midnight'],
  ],
  ['an address that nobody has', () => ({ ipAddress: '192.0.2.200' }), []],
  ['empty fields', () => ({ ipAddress: ' ', siteId: null }), newestFirst],
])('they can be searched by %s', async (_, criteria, expected) => {
  expect(await search('Root', criteria())).toEqual({
    names: expected,
    total: expected.length,
    totalIsMore: false,
  })
})

test.each([
  ['part of an address', { ipAddress: '203.0.113.' }, 'ipAddress'],
  ['a network', { ipAddress: '203.0.113.0/24' }, 'ipAddress'],
  ['days in the wrong order', { start: '2026-03-02', end: '2026-03-01' }, 'start'],
  ['an order by address', { sortField: 'fromIp' }, 'sortField'],
])('%s is refused', async (_, criteria, field) => {
  const token = await tokenOf(services, 'Root')
  const refused = await send(app, searchClickLogs, { body: criteria }, { token })
  expect([refused.statusCode, Object.keys(refused.json().data)]).toEqual([422, [field]])
})

describe('an office', () => {
  test('sees the clicks of its agents, whatever it asks for', async () => {
    const own = newestFirst.filter((name) => name !== 'midnight')
    expect(await search('manila', {})).toMatchObject({ names: own, total: 5 })
    for (const others of [{ companyId: ids.cebu }, { agentId: ids.carlo }]) {
      expect(await search('manila', others)).toMatchObject({ names: [], total: 0 })
    }
    expect(await search('cebu', { ipAddress: '198.51.100.1' })).toMatchObject({ total: 0 })
  })

  test('keeps the clicks of an agent who left; the agent keeps them, too', async () => {
    await db.updateTable('agents').set({ office_id: ids.cebu }).where('id', '=', ids.mark).execute()
    expect(await search('cebu', {})).toMatchObject({ names: ['midnight'] })
    expect(await search('manila', { agentId: ids.mark })).toMatchObject({ names: ['black-listed'] })
    expect(await search('mark', {})).toMatchObject({ names: ['black-listed'] })
    await db
      .updateTable('agents')
      .set({ office_id: ids.manila })
      .where('id', '=', ids.mark)
      .execute()
  })
})

test('an agent sees only their own clicks', async () => {
  expect(await search('carlo', {})).toMatchObject({ names: ['midnight'], total: 1 })
  expect(await search('carlo', { agentId: ids.maria })).toMatchObject({ names: [], total: 0 })
  expect(await search('carlo', { ipAddress: '2001:db8::7' })).toMatchObject({ total: 0 })
})

test('for any search, the pages together are the whole list', async () => {
  const criteria: Partial<Record<string, number | string>>[] = [
    {},
    { companyId: ids.manila },
    { agentId: ids.maria },
    { siteId: ids.lantern },
    { companyId: ids.manila, siteId: ids.lantern },
    { ipAddress: '203.0.113.7' },
  ]
  for (const body of criteria) {
    for (const sortAsc of [true, false]) {
      const whole = (await search('Root', { ...body, sortAsc })).names
      for (const pageSize of [1, 2, 3]) {
        const pages: string[] = []
        for (let page = 1; page <= Math.ceil(whole.length / pageSize) + 1; page++) {
          pages.push(...(await search('Root', { ...body, sortAsc, page, pageSize })).names)
        }
        expect(pages).toEqual(whole)
      }
    }
  }
})

test('a brand that hides addresses reveals none, not even by searching; one that shows referrers sends them', async () => {
  expect(JSON.stringify(await answer('Root', {}))).not.toContain('referer')
  const plumfield = await buildApp(testServices(database, { environment: { BRAND: 'plumfield' } }))
  const token = await tokenOf(services, 'Root')
  const found = await send(plumfield, searchClickLogs, { body: {} }, { token })
  expect(found.json().total).toBe(6)
  expect(found.body).not.toMatch(/fromIp|uniques|203\.0\.113\.7/)
  const refused = await send(
    plumfield,
    searchClickLogs,
    { body: { ipAddress: '203.0.113.7' } },
    { token },
  )
  expect(refused.statusCode).toBe(422)
  await plumfield.close()
})

test('a click says why it was not counted and, to staff, which browser made it', async () => {
  const place = {
    agent_id: ids.maria,
    office_id: ids.manila,
    site_id: ids.lantern,
    type_id: ids.credits,
    is_unique: false,
    clicked_at: new Date('2026-01-15T12:00:00Z'),
  }
  await db.insertInto('user_agents').values({ id: 7, user_agent: 'Browser/7.0' }).execute()
  await buildClick(db, { ...place, uncounted: 'prefetch', user_agent_id: 7 })
  const day = { start: '2026-01-15', end: '2026-01-15' }
  expect((await answer('Root', day)).items).toMatchObject([
    { counted: false, uncounted: 'prefetch', userAgent: 'Browser/7.0' },
  ])
  for (const username of ['manila', 'maria']) {
    const [own] = (await answer(username, day)).items
    expect(own).toMatchObject({ uncounted: 'prefetch' })
    expect(own).not.toHaveProperty('userAgent')
  }
  await execute(database.connection, `delete from clicks where uncounted = 'prefetch'`)
})

test('a click that was led elsewhere says why, and shows the link that was opened', async () => {
  const place = {
    agent_id: ids.maria,
    office_id: ids.manila,
    site_id: ids.lantern,
    type_id: ids.credits,
    is_unique: false,
  }
  const opened = async (at: string, note: string) => {
    await buildClick(db, {
      ...place,
      clicked_at: new Date(at),
      uncounted: 'headless',
      subs: ['a', '', '', '', '', note],
    })
  }
  await opened('2026-01-16T12:00:00Z', `instead of ${ids.copper}/${ids.deposit}`)
  await opened('2026-01-16T12:01:00Z', 'page elsewhere')
  await opened('2026-01-16T12:02:00Z', 'of a later version')
  const day = { start: '2026-01-16', end: '2026-01-16', sortAsc: true }
  const link = (site: number, type: number) =>
    `https://go.example/api/links/go/${site}/${type}/${ids.maria}?sub1=a`
  expect((await answer('Root', day)).items).toMatchObject([
    { note: 'offer ended', siteId: ids.lantern, url: link(ids.copper, ids.deposit) },
    { note: 'page elsewhere', url: link(ids.lantern, ids.credits) },
    { note: null, url: link(ids.lantern, ids.credits) },
  ])
  await execute(
    database.connection,
    `delete from clicks where clicked_at between '2026-01-16' and '2026-01-17'`,
  )
})

test('a click is found by its id, with its sales, within the scope', async () => {
  const [marked] = (await answer('Root', { siteId: ids.copper, sortAsc: true })).items
  const clickId = marked?.id ?? ''
  const sold = { agent_id: ids.maria, office_id: ids.manila, site_id: ids.copper }
  const event = {
    ...sold,
    type_id: ids.deposit,
    event_type: 0,
    occurred_at: clock.now(),
    recorded_at: clock.now(),
    earning_cents: 0,
    payout_centavos: 0,
    lpp: 0,
    avp: false,
    rate_source: 'default',
    fraud: false,
    click_id: clickId,
  }
  const adjusts = randomUUID()
  const difference = { ...event, quantity: 0, adjusts, backdating_id: 1 }
  const differences = [
    { ...difference, id: randomUUID(), earning_cents: 5 },
    { ...difference, id: randomUUID(), payout_centavos: 7 },
  ]
  await db
    .insertInto('sale_events')
    .values([
      { ...event, id: randomUUID(), quantity: 1 },
      { ...event, id: randomUUID(), quantity: -1, reverses: randomUUID(), reversal: 'void' },
      { ...event, id: randomUUID(), quantity: 1, click_id: 'another' },
      ...differences,
    ])
    .execute()
  // A difference that changes only amounts hidden from the viewer is not counted, because the sale
  // log omits it.
  const salesSeen = { Root: 4, plain: 3, manila: 2, maria: 2 }
  for (const [username, sales] of Object.entries(salesSeen)) {
    const token = await tokenOf(services, username)
    const log = await send(app, saleLogsEndpoints.searchSaleLogs, { body: { clickId } }, { token })
    expect([username, log.json().items.total]).toEqual([username, sales])
    const { items, total } = await answer(username, { clickId: ` ${clickId.toUpperCase()} ` })
    expect([username, total, items.map((item) => [item.id, item.sales])]).toEqual([
      username,
      1,
      [[clickId, sales]],
    ])
  }
  const none = { names: [], total: 0 }
  for (const username of ['cebu', 'carlo', 'mark'])
    expect(await search(username, { clickId })).toMatchObject(none)
  const forged = `${clickId.slice(0, -1)}${clickId.endsWith('0') ? '1' : '0'}`
  for (const body of [
    { clickId: forged },
    { clickId: 'no click' },
    { clickId, siteId: ids.lantern },
    { clickId, start: '2026-03-02' },
    { clickId, ipAddress: '198.51.100.1' },
    { clickId, page: 2 },
  ])
    expect((await search('Root', body)).names).toEqual([])
  await execute(database.connection, 'delete from sale_events')
})

test('crawler visits are counted within the scope, by days and by the search', async () => {
  const visits = (day: string, agent: number, office: number, type: number, count: number) => ({
    day,
    agent_id: agent,
    office_id: office,
    type_id: type,
    site_id: type === ids.credits ? ids.lantern : ids.copper,
    visits: count,
  })
  await db
    .insertInto('crawler_visits')
    .values([
      visits('2026-02-01', ids.maria, ids.manila, ids.credits, 1),
      visits('2026-02-02', ids.maria, ids.cebu, ids.deposit, 2), // before they moved
      visits('2026-02-02', ids.mark, ids.manila, ids.credits, 4),
      visits('2026-02-03', ids.carlo, ids.cebu, ids.credits, 8),
      visits('2025-06-01', ids.carlo, ids.cebu, ids.credits, 16), // long before
    ])
    .execute()
  const count = async (username: string, body: object) =>
    (await answer(username, body)).crawlers.visits
  expect(await count('Root', {})).toBe(15)
  expect(await count('Root', { start: '2026-02-02', end: '2026-02-02' })).toBe(6)
  expect(await count('Root', { siteId: ids.copper })).toBe(2)
  expect(await count('Root', { companyId: ids.cebu })).toBe(10)
  expect(await count('Root', { agentId: ids.maria })).toBe(3)
  expect(await count('Root', { start: '2025-06-01', end: '2025-06-01' })).toBe(16)
  expect(await count('manila', {})).toBe(5)
  expect(await count('manila', { companyId: ids.cebu })).toBe(0)
  expect(await count('cebu', {})).toBe(10)
  expect(await count('maria', {})).toBe(3)
  expect((await answer('Root', { start: '2020-01-01' })).crawlers).toMatchObject({
    start: '2025-11-30', // 92 days
    end: '2026-03-01',
  })
})

test('if an address has more clicks than are counted, the total says so', async () => {
  const flood = {
    agent_id: ids.carlo,
    office_id: ids.cebu,
    type_id: ids.credits,
  }
  await db
    .insertInto('clicks')
    .values(
      Array.from({ length: 1_000 }, (_, nonce) => ({
        ...flood,
        nonce,
        clicked_at: new Date('2026-02-10T12:00:00Z'),
        ip: '192.0.2.66',
        is_unique: false,
        uncounted: 'too many',
      })),
    )
    .execute()
  expect(await answer('Root', { ipAddress: '192.0.2.66' })).toMatchObject({
    total: 1_000,
    totalIsMore: false,
  })
  for (let more = 1; more <= 10; more++) {
    await db
      .insertInto('clicks')
      .columns([
        'agent_id',
        'office_id',
        'type_id',
        'nonce',
        'clicked_at',
        'ip',
        'is_unique',
        'uncounted',
      ])
      .expression((query) =>
        query
          .selectFrom('clicks')
          .select(({ eb }) => [
            'agent_id',
            'office_id',
            'type_id',
            eb('nonce', '+', more * 1_000).as('nonce'),
            'clicked_at',
            'ip',
            'is_unique',
            'uncounted',
          ])
          .where('ip', '=', '192.0.2.66')
          .where('nonce', '<', 1_000),
      )
      .execute()
  }
  const last = await answer('Root', { ipAddress: '192.0.2.66', page: 200 })
  expect([last.items.length, last.total, last.totalIsMore]).toEqual([50, 10_000, true])
  const beyond = await answer('Root', { ipAddress: '192.0.2.66', page: 201 })
  expect([beyond.items.length, beyond.total]).toEqual([0, 10_000])
})

// A plain server cannot archive what the test distributes only in name.
test.skipIf(database.layout !== ownLayout())(
  'clicks of archived months are not listed, and the answer says since when there are details',
  async () => {
    const at = movingClock('2026-03-10T16:00:00Z')
    const owner = openDatabase(database.connection, {
      max: 2,
      applicationName: 'a',
      asOwner: true,
      clock: at,
    })
    const folder = await mkdtemp(join(tmpdir(), 'tallyroom-archive-'))
    const archives = {
      ...database,
      db: owner.db,
      clock: at,
      folder,
    }
    try {
      expect((await answer('Root', {})).detailsSince).toBeNull()
      await archiveClicks(archives, { before: '2026-01-01' })
      for (const username of ['Root', 'manila', 'maria']) {
        expect(await answer(username, { end: '2026-01-10' })).toMatchObject({
          items: [],
          total: 0,
          detailsSince: '2026-01-01',
        })
      }
      const asked = { siteId: ids.lantern, start: '2025-12-01', end: '2026-03-01' }
      expect(await search('maria', asked)).toMatchObject({ names: ['28 February'], total: 1 })
      await restoreArchive(archives, '2025-12-01')
      expect((await search('maria', asked)).names).toEqual(['28 February', 'last year'])
      expect((await answer('maria', asked)).detailsSince).toBeNull()
    } finally {
      await owner.close()
      await rm(folder, { recursive: true })
    }
  },
)

type Answer = {
  items: Item[]
  total: number
  totalIsMore: boolean
  detailsSince: string | null
  crawlers: { visits: number; start: string; end: string }
}
type Item = { id: string; sales: number; clickTime: string; url?: string }

async function answer(username: string, body: object): Promise<Answer> {
  const token = await tokenOf(services, username)
  const response = await send(app, searchClickLogs, { body: { ...body } }, { token })
  expect([response.statusCode, response.statusCode === 200 ? '' : response.body]).toEqual([200, ''])
  return response.json()
}

/** The clicks, by their names in this world. */
async function search(username: string, body: object) {
  const { items, crawlers: _, detailsSince: __, ...totals } = await answer(username, body)
  const names = items.map(
    ({ clickTime }) => clicks.find(({ at }) => at.toISOString() === clickTime)?.name ?? '',
  )
  return { names, ...totals }
}

/** A click as the redirect stores it: its row, and what it adds to the totals. */
async function click(
  name: string,
  agent: 'maria' | 'mark' | 'carlo',
  site: 'lantern' | 'copper',
  time: string,
  more: { ip?: string; uncounted?: Uncounted; is_unique?: boolean; isMarked?: boolean } = {},
): Promise<void> {
  const office = agent === 'carlo' ? 'cebu' : 'manila'
  const { ip = '203.0.113.7', uncounted, is_unique = true, isMarked } = more
  const at = new Date(time)
  const key = {
    agent_id: ids[agent],
    office_id: ids[office],
    site_id: ids[site],
    type_id: site === 'lantern' ? ids.credits : ids.deposit,
  }
  await buildClick(db, {
    ...key,
    ...(uncounted && { uncounted }),
    is_unique,
    ip,
    clicked_at: at,
    ...(isMarked && { nonce: MARKED }),
  })
  if (!uncounted)
    await addToTotals(db, [{ ...key, day: dayOf(at), raws: 1, uniques: Number(is_unique) }])
  clicks.push({ name, office, agent, site, at, ip })
}
