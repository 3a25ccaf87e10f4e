import { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { postbacksEndpoints } from '@tallyroom/contract/tracking/postbacks'
import { siteWordsEndpoints } from '@tallyroom/contract/tracking/site-words'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { statisticsEndpoints } from '@tallyroom/contract/figures/statistics'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildApp } from '../src/app.ts'
import { foldTotals, verifyTotals } from '../src/totals/index.ts'
import { settleWaiting } from '../src/tracking/postbacks/settle-waiting.ts'
import { execute } from './test-server.ts'
import { buildHome, signedIn } from './access-matrix-world.ts'
import type { Sent } from './access-matrix.ts'
import { buildFee } from './build-world.ts'
import { testDatabase } from './database.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'
import { until } from './until.ts'

// The whole server as merchants, visitors and staff experience it: public endpoints follow the
// changes made in the back office.
const database = await testDatabase()
const { db } = database
const services = testServices(database)
const home = await buildHome(db)
const { agentId, officeId } = home
const app = await buildApp(services)
afterAll(() => app.close())

let token: string | undefined

beforeAll(async () => {
  await vi.waitFor(
    async () => expect((await app.inject('/api/health')).statusCode).toBe(200),
    60_000,
  )
  token = await signedIn(services, 'superadmin who may delete', home)
})

const siteForm = {
  shortname: 'shop',
  abbr: 'SHP',
  url: 'https://shop.example',
  type: 'DATING',
  clickParam: 'cid',
}
const typeForm = {
  typename: 'Member',
  typealias: 'member',
  url: 'https://shop.example/join',
  payout: 500,
  earning: 25.5,
  bonus: true,
  bonusPayout: 100,
  bonusEarning: 5.25,
  bonusLpp: 1,
}

async function call(endpoint: Endpoint, sent: Sent) {
  const answer = await send(app, endpoint, sent, { token })
  if (answer.statusCode !== 200) throw new Error(`${endpoint.path}: ${answer.body}`)
  return answer.json()
}

/**
 * A site with one link type that every office may sell, and functions to use its links and its
 * postback endpoint.
 */
async function openShop(sitename: string, site: object = {}, type: object = {}) {
  const { id: siteId } = await call(sitesEndpoints.createSite, {
    body: { ...siteForm, ...site, sitename },
  })
  const { id: typeId } = await call(linkTypesEndpoints.createLinkType, {
    body: { ...typeForm, ...type, siteId },
  })
  await call(sitesEndpoints.enableSiteForAllOffices, { params: { id: siteId } })
  const { key } = await call(postbacksEndpoints.sitePostback, { params: { siteId } })

  const visit = (query = '', method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({
      method,
      url: `/api/links/go/${siteId}/${typeId}/${agentId}${query}`,
      headers: { 'user-agent': 'Mozilla/5.0 (X11) Chrome/150.0.0.0' },
    })
  /** Requested with HEAD, which counts no click. */
  const follows = (status: number) =>
    until(async () => (await visit('', 'HEAD')).statusCode === status)
  const report = (query: Record<string, string>) =>
    app.inject({ url: `/api/postback/${siteId}`, query: { key, ...query } })
  await follows(302)
  const click = async () => {
    const { location } = (await visit()).headers
    return new URL(String(location)).searchParams.get('cid') ?? ''
  }
  return { siteId, typeId, visit, follows, report, click }
}

const eventsOf = (siteId: number) =>
  db
    .selectFrom('sale_events')
    .select(['event_type', 'earning_cents', 'payout_centavos', 'lpp', 'rate_source'])
    .where('site_id', '=', siteId)
    .orderBy('recorded_at')
    .orderBy('id')
    .execute()

const statistics = async (criteria: object) => {
  const { overall, types } = await call(statisticsEndpoints.siteStats, {
    body: { start: '2026-03-01', end: '2026-03-01', ...criteria },
  })
  return { raws: overall.raws, sales: overall.sales, earning: overall.earning, types }
}

test('a changed rate applies to later sales only', async () => {
  const shop = await openShop('Rates')
  const [first, second, third] = [await shop.click(), await shop.click(), await shop.click()]
  const sale = async (clickId: string, event = 'sale') =>
    expect((await shop.report({ cid: clickId, event })).statusCode).toBe(201)

  await sale(first)
  await sale(first, 'bonus')
  const before = await eventsOf(shop.siteId)
  expect(before).toEqual([
    { event_type: 0, earning_cents: 2550, payout_centavos: 50_000, lpp: 1, rate_source: 'default' },
    { event_type: 1, earning_cents: 525, payout_centavos: 10_000, lpp: 1, rate_source: 'default' },
  ])
  const figures = await statistics({ siteId: shop.siteId })

  await call(linkTypesEndpoints.updateLinkType, {
    params: { id: shop.typeId },
    body: {
      ...typeForm,
      payout: 999.99,
      earning: 0.01,
      lpp: 7,
      bonus: false,
      bonusPayout: 3,
      active: true,
    },
  })
  expect(await eventsOf(shop.siteId)).toEqual(before)
  expect(await statistics({ siteId: shop.siteId })).toMatchObject({ earning: figures.earning })

  await sale(second)
  await sale(second, 'bonus')
  await buildFee(db, { type_id: shop.typeId, office_id: officeId })
  await sale(third)
  expect((await eventsOf(shop.siteId)).slice(2)).toEqual([
    { event_type: 0, earning_cents: 1, payout_centavos: 99_999, lpp: 7, rate_source: 'default' },
    { event_type: 1, earning_cents: 0, payout_centavos: 0, lpp: 0, rate_source: 'default' },
    { event_type: 0, earning_cents: 3500, payout_centavos: 70_000, lpp: 2, rate_source: 'office' },
  ])
  // The second delivery of the first sale is a duplicate; it is not priced again.
  expect((await shop.report({ cid: first })).json()).toMatchObject({ outcome: 'duplicate' })
  expect(await verifyTotals(db)).toEqual([])
})

describe('a link’s own URL survives the redirect unchanged', () => {
  test.each([
    [
      'its own query and fragment',
      'https://shop.example/join?from=a%20b&x=1#plans?y=2',
      /^https:\/\/shop\.example\/join\?from=a%20b&x=1&cid=(\w{32})#plans\?y=2$/,
    ],
    [
      'a click parameter that is there already, twice',
      'https://shop.example/?cid=OLD&a=1&cid=OLDER#cid=kept',
      /^https:\/\/shop\.example\/\?cid=(\w{32})&a=1#cid=kept$/,
    ],
    [
      'macros in path, query and fragment',
      'https://shop.example/{office_id}/{agent_id}?s={sub1}&c={click_id}#{type_id}',
      /^https:\/\/shop\.example\/\d+\/\d+\?s=%D0%B6%20%26%23&c=(\w{32})#\d+$/,
    ],
    [
      'other scripts in host, path, query and fragment',
      'https://пример.рф/путь/日本?имя=é#ой',
      /^https:\/\/xn--e1afmkfd\.xn--p1ai\/%D0%BF%D1%83%D1%82%D1%8C\/%E6%97%A5%E6%9C%AC\?%D0%B8%D0%BC%D1%8F=%C3%A9&cid=(\w{32})#%D0%BE%D0%B9$/,
    ],
    [
      'odd but lawful bytes',
      'https://shop.example/p%2f;x?a=%zz&&b=+%20&=c',
      /^https:\/\/shop\.example\/p%2f;x\?a=%zz&&b=\+%20&=c&cid=(\w{32})$/,
    ],
  ])('%s', async (name, url, expected) => {
    const shop = await openShop(name, {}, { url })
    const answer = await shop.visit('?sub1=%D0%B6%20%26%23')
    expect(answer.statusCode).toBe(302)
    const [, clickId = ''] = expected.exec(String(answer.headers.location)) ?? []
    expect(String(answer.headers.location)).toMatch(expected)
    expect((await shop.report({ cid: clickId })).statusCode).toBe(201)
  })

  test('a changed URL and a changed click parameter take effect at once', async () => {
    const shop = await openShop('Moves')
    await call(linkTypesEndpoints.updateLinkType, {
      params: { id: shop.typeId },
      body: { ...typeForm, url: 'https://new.example/', active: true },
    })
    await call(sitesEndpoints.updateSite, {
      params: { id: shop.siteId },
      body: { ...siteForm, sitename: 'Moves', clickParam: 'ref', active: true },
    })
    await until(async () =>
      /^https:\/\/new\.example\/\?ref=\w{32}$/.test(String((await shop.visit()).headers.location)),
    )
    const { location } = (await shop.visit()).headers
    const ref = new URL(String(location)).searchParams.get('ref') ?? ''
    expect((await shop.report({ ref })).statusCode).toBe(201)
  })
})

test('a site’s postback settings take effect without a restart', async () => {
  const shop = await openShop('Speaks')
  const clickId = await shop.click()
  expect((await shop.report({ cid: clickId, event: 'ftd' })).statusCode).toBe(422)
  await call(sitesEndpoints.updateSite, {
    params: { id: shop.siteId },
    body: {
      ...siteForm,
      clickParam: '',
      sitename: 'Speaks',
      active: true,
      transactionIdIsClick: true,
      alwaysOkText: 'OK',
      eventWords: [{ word: 'FTD', event: 'bonus' }],
    },
  })
  await until(async () => {
    const { statusCode, body } = await shop.report({ transaction_id: clickId, event: 'Ftd' })
    return statusCode === 200 && body === 'OK'
  })
  expect(await eventsOf(shop.siteId)).toMatchObject([{ event_type: 1, earning_cents: 525 }])
})

test('a suspended site’s links stop while its postbacks still count; activating restores the links', async () => {
  const shop = await openShop('Rests')
  const clickId = await shop.click()
  await call(sitesEndpoints.sitesStatus, { body: { ids: [shop.siteId], status: 0 } })
  await shop.follows(410)
  expect((await shop.report({ cid: clickId })).statusCode).toBe(201)
  await call(sitesEndpoints.sitesStatus, { body: { ids: [shop.siteId], status: 1 } })
  await shop.follows(302)
  // Activating has set approve-sale, so what the merchant calls a sale is now that of Day#2.
  await shop.report({ cid: clickId, event: 'approval', transaction_id: 'A' })
  await shop.report({ cid: clickId, event: 'sale', transaction_id: 'A' })
  expect((await eventsOf(shop.siteId)).map(({ event_type }) => event_type)).toEqual([0, 0, 1])
})

test('a deleted link type’s links stop, but its clicks still become sales at its last rates', async () => {
  const shop = await openShop('Ends a link')
  const [first, second] = [await shop.click(), await shop.click()]
  await shop.report({ cid: first })
  const before = await statistics({ siteId: shop.siteId })
  await call(linkTypesEndpoints.deleteLinkType, { params: { id: shop.typeId } })
  await shop.follows(404)

  expect(await statistics({ siteId: shop.siteId })).toEqual(before)
  expect(before.types).toMatchObject([{ id: shop.typeId, typename: 'Member' }])
  const late = await shop.report({ cid: second, type: 'MEMBER' })
  expect([late.statusCode, late.json().outcome]).toEqual([201, 'recorded'])
  expect(await eventsOf(shop.siteId)).toMatchObject([
    { earning_cents: 2550 },
    { earning_cents: 2550 },
  ])

  // Its alias is available for another one.
  const { id: heir } = await call(linkTypesEndpoints.createLinkType, {
    body: { ...typeForm, siteId: shop.siteId, earning: 1 },
  })
  const third = await shop.report({ cid: second, type: 'member', transaction_id: 'other' })
  expect(third.statusCode).toBe(201)
  const { types } = await statistics({ siteId: shop.siteId })
  expect(new Set(types.map(({ id }: { id: number }) => id))).toEqual(new Set([shop.typeId, heir]))
  expect(await verifyTotals(db)).toEqual([])
})

describe('a deleted site', () => {
  test('disappears from lists, links and postbacks; what was counted and paid stays', async () => {
    const shop = await openShop('Ends')
    const [first, second] = [await shop.click(), await shop.click()]
    await shop.report({ cid: first })
    await foldTotals(db)
    await shop.report({ cid: first, event: 'bonus' }) // still pending
    const before = [await statistics({}), await statistics({ siteId: shop.siteId })]
    const events = await eventsOf(shop.siteId)
    await db
      .insertInto('site_manuals')
      .values({ site_id: shop.siteId, title: 'Ends', html: '', updated_at: new Date(0) })
      .execute()

    await call(sitesEndpoints.deleteSite, { params: { id: shop.siteId } })
    await shop.follows(404)
    expect((await shop.report({ cid: second })).statusCode).toBe(401)
    expect((await shop.report({ cid: first, event: 'chargeback' })).statusCode).toBe(401)

    const { items } = await call(sitesEndpoints.searchSites, { body: { pageSize: 500 } })
    expect(items.map(({ id }: { id: number }) => id)).not.toContain(shop.siteId)
    const choices = await call(sitesEndpoints.sites, { query: { withSuspended: '1' } })
    expect(choices.map(({ id }: { id: number }) => id)).not.toContain(shop.siteId)
    for (const [endpoint, sent] of callsAbout(shop)) {
      const { statusCode } = await send(app, endpoint, sent, { token })
      expect([endpoint.path, statusCode]).toEqual([endpoint.path, 404])
    }

    for (const table of ['office_sites', 'agent_sites_off', 'site_keys', 'site_manuals'] as const) {
      const rows = await db
        .selectFrom(table)
        .select('site_id')
        .where('site_id', '=', shop.siteId)
        .execute()
      expect([table, rows]).toEqual([table, []])
    }
    expect(await eventsOf(shop.siteId)).toEqual(events)
    expect([await statistics({}), await statistics({ siteId: shop.siteId })]).toEqual(before)
    expect(await verifyTotals(db)).toEqual([])
    const entries = await db
      .selectFrom('audit_log')
      .select('get_params')
      .where('action_name', '=', 'DELETE /api/sites/:id')
      .where('response_code', '=', 200)
      .execute()
    expect(entries.map(({ get_params }) => JSON.parse(get_params))).toContainEqual({
      id: shop.siteId,
    })
  })

  test('frees its name for a new site', async () => {
    const shop = await openShop('Phoenix')
    const clickId = await shop.click()
    await shop.report({ cid: clickId })
    await call(sitesEndpoints.deleteSite, { params: { id: shop.siteId } })
    const heir = await openShop('Phoenix')
    expect(heir.siteId).not.toBe(shop.siteId)
    expect(await statistics({ siteId: heir.siteId })).toMatchObject({ sales: 0 })
    expect(await statistics({ siteId: shop.siteId })).toMatchObject({ sales: 1 })
    expect((await heir.report({ cid: clickId })).statusCode).toBe(422)
  })

  test('is deleted only once on a double submit', async () => {
    const shop = await openShop('Once')
    const sent = { params: { id: shop.siteId } }
    const both = await Promise.all(
      [1, 2].map(() => send(app, sitesEndpoints.deleteSite, sent, { token })),
    )
    expect(new Set(both.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 404]))
  })

  test('still gets the sale of a postback that was waiting for its click', async () => {
    const shop = await openShop('Late')
    const clickId = await shop.click()
    const ofShop = db.selectFrom('clicks').selectAll().where('type_id', '=', shop.typeId)
    const clicks = await ofShop.execute()
    await execute(database.connection, `delete from clicks where type_id = ${shop.typeId}`)
    expect((await shop.report({ cid: clickId, type: 'member' })).json().outcome).toBe('waiting')

    await call(sitesEndpoints.deleteSite, { params: { id: shop.siteId } })
    await db.insertInto('clicks').values(clicks).execute()
    services.clock.set('2026-03-01T15:00:10Z')
    await settleWaiting(services)
    expect(await eventsOf(shop.siteId)).toMatchObject([{ earning_cents: 2550 }])
    expect(await verifyTotals(db)).toEqual([])
  })

  test('loses no click or sale that arrives during the deletion', async () => {
    const shop = await openShop('Busy')
    const clickIds = await Promise.all(Array.from({ length: 10 }, () => shop.click()))
    const answers = await Promise.all([
      ...clickIds.map((cid) => shop.report({ cid })),
      ...Array.from({ length: 10 }, () => shop.visit()),
      send(app, sitesEndpoints.deleteSite, { params: { id: shop.siteId } }, { token }),
      foldTotals(db),
    ])
    const recorded = answers.filter(
      (answer) => typeof answer === 'object' && answer.statusCode === 201,
    )
    expect(await eventsOf(shop.siteId)).toHaveLength(recorded.length)
    await foldTotals(db)
    expect(await verifyTotals(db)).toEqual([])
  })
})

const callsAbout = ({ siteId, typeId }: { siteId: number; typeId: number }): [Endpoint, Sent][] => [
  [sitesEndpoints.site, { params: { id: siteId } }],
  [sitesEndpoints.siteAgents, { params: { id: siteId } }],
  [
    sitesEndpoints.updateSite,
    { params: { id: siteId }, body: { ...siteForm, sitename: 'Back', active: true } },
  ],
  [sitesEndpoints.sitesStatus, { body: { ids: [siteId], status: 1 } }],
  [sitesEndpoints.enableSiteForAllOffices, { params: { id: siteId } }],
  [sitesEndpoints.deleteSite, { params: { id: siteId } }],
  [linkTypesEndpoints.typesBySite, { params: { siteId } }],
  [linkTypesEndpoints.linkType, { params: { id: typeId } }],
  [
    linkTypesEndpoints.updateLinkType,
    { params: { id: typeId }, body: { ...typeForm, active: true } },
  ],
  [linkTypesEndpoints.deleteLinkType, { params: { id: typeId } }],
  [linkTypesEndpoints.createLinkType, { body: { ...typeForm, siteId } }],
  [postbacksEndpoints.sitePostback, { params: { siteId } }],
  [postbacksEndpoints.postbackReadings, { params: { siteId }, query: {} }],
  [siteWordsEndpoints.siteWords, { params: { siteId } }],
  [postbacksEndpoints.rotatePostbackKey, { params: { siteId } }],
]
