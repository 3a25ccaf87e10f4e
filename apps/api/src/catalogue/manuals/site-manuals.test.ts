import { siteManualsEndpoints } from '@tallyroom/contract/catalogue/manuals'
import { beforeEach, expect, test } from 'vitest'
import { buildAgent, buildManual, buildOffice, buildSite } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { siteManualsRoutes } from './site-manuals.routes.ts'

const database = await testDatabase()
const { db } = database
const call = await callRoutes(siteManualsRoutes(testServices(database)))

const officeId = await buildOffice(db)
const agentId = await buildAgent(db, { office_id: officeId })
const beta = await buildSite(db, { sitename: 'beta' })
const alpha = await buildSite(db, { sitename: 'Alpha' })
const suspended = await buildSite(db, { sitename: 'Suspended', active: false })
const hidden = await buildSite(db, { sitename: 'Hidden', hidden: true })
const gone = await buildSite(db, { sitename: 'Gone', deleted_at: new Date() })
const foreign = await buildSite(db, { sitename: 'Foreign' })
const switchedOff = await buildSite(db, { sitename: 'Off' })
await db.deleteFrom('office_sites').where('site_id', '=', foreign).execute()
await db.insertInto('agent_sites_off').values({ agent_id: agentId, site_id: switchedOff }).execute()

const superadmin = viewer()
const admin = viewer({ role: 'admin', officeId: undefined, agentId: undefined })
const office = viewer({ role: 'company', officeId, agentId: undefined })
const agent = viewer({ role: 'agent', officeId, agentId })

const everySite = [beta, alpha, suspended, hidden, gone, foreign, switchedOff]
const form = { title: 'How to sell', html: '<p>Smile.</p>' }

beforeEach(async () => {
  await db.deleteFrom('site_manuals').execute()
})

test('each role lists the manuals of the sites it may sell; superadmins list those of every site', async () => {
  for (const siteId of everySite) await buildManual(db, { site_id: siteId })
  expect(await sitesListed(agent)).toEqual(['Alpha', 'beta'])
  expect(await sitesListed(office)).toEqual(['Alpha', 'beta', 'Off'])
  expect(await sitesListed(admin)).toEqual(['Alpha', 'beta', 'Foreign', 'Off'])
  const all = ['Alpha', 'beta', 'Foreign', 'Hidden', 'Off', 'Suspended']
  expect(await sitesListed(superadmin)).toEqual(all)
  expect(await sitesListed(superadmin, { sortAsc: 'false' })).toEqual(all.toReversed())
})

test('the list can be sorted by title and leaves out the texts', async () => {
  const one = await buildManual(db, { site_id: alpha, title: 'b' })
  const two = await buildManual(db, { site_id: beta, title: 'A' })
  const { body } = await call(agent, siteManualsEndpoints.siteManuals, {
    query: { sortField: 'title' },
  })
  expect(body).toEqual([
    { id: two, siteId: beta, sitename: 'beta', title: 'A' },
    { id: one, siteId: alpha, sitename: 'Alpha', title: 'b' },
  ])
})

test('manuals of sites the viewer may not sell get the same answer as missing ones', async () => {
  const missing = await read(agent, 2_000_000_000)
  expect(missing).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  for (const siteId of [suspended, hidden, gone, foreign, switchedOff]) {
    const id = await buildManual(db, { site_id: siteId })
    expect(await read(agent, id)).toEqual(missing)
    const isGone = siteId === gone
    expect((await read(superadmin, id)).status).toBe(isGone ? 404 : 200)
  }
})

test('a new manual is sanitized and readable by the agents of its site', async () => {
  const html = '<h2>Smile</h2><script>alert(1)</script><p onclick="x()">always</p>'
  const { status, body } = await create({ siteId: alpha, title: '  Alpha  ', html })
  expect(status).toBe(200)
  expect((await read(agent, body.id)).body).toEqual({
    id: body.id,
    siteId: alpha,
    sitename: 'Alpha',
    title: 'Alpha',
    html: '<h2>Smile</h2><p>always</p>',
    version: 1,
  })
})

test('a site has at most one manual and is offered only while it has none', async () => {
  const offered = async () =>
    (await call(superadmin, siteManualsEndpoints.availableSites)).body.map(
      (site: { sitename: string }) => site.sitename,
    )
  expect(await offered()).toEqual(['Alpha', 'beta', 'Foreign', 'Hidden', 'Off', 'Suspended'])
  const both = await Promise.all([create({ siteId: alpha }), create({ siteId: alpha })])
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 422]))
  expect((await create({ siteId: alpha })).body.data).toEqual({ siteId: ['already has a manual'] })
  expect(await offered()).toEqual(['beta', 'Foreign', 'Hidden', 'Off', 'Suspended'])
})

test.each([
  [{ title: ' ' }, { title: ['Enter a title'] }],
  [{ title: 'x'.repeat(129) }, { title: ['must have at most 128 characters'] }],
  [{ html: '<p> </p><p></p>' }, { html: ['Enter a text'] }],
  [{ html: '<script>alert(1)</script>' }, { html: ['Enter a text'] }],
  [{ html: '<img src="https://elsewhere.example/a.png">' }, { html: ['Enter a text'] }],
  [{ html: `<p>${'<'.repeat(100_000)}</p>` }, { html: ['must have at most 150000 characters'] }],
  [{ html: 'x'.repeat(150_001) }, { html: ['must have at most 150000 characters'] }],
  [{ siteId: 2_000_000_000 }, { siteId: ['does not exist'] }],
  [{ siteId: gone }, { siteId: ['does not exist'] }],
])('a manual with %o is refused', async (values, data) => {
  const { status, body } = await create(values)
  expect([status, body.data]).toEqual([422, data])
})

test('the form changes title and text; saving a stale form is refused', async () => {
  const id = await buildManual(db, { site_id: alpha })
  expect((await update(id, { title: 'Mine', version: 1 })).status).toBe(200)
  const second = await update(id, { title: 'Theirs', version: 1 })
  expect([second.status, second.body.code]).toEqual([409, 'CONFLICT'])
  expect((await read(superadmin, id)).body).toMatchObject({ title: 'Mine', version: 2 })
})

test('removing a manual makes its site available again', async () => {
  const id = await buildManual(db, { site_id: alpha })
  const remove = () => call(superadmin, siteManualsEndpoints.deleteSiteManual, { params: { id } })
  expect((await remove()).body).toEqual({ ok: true })
  expect((await remove()).status).toBe(404)
  expect((await create({ siteId: alpha })).status).toBe(200)
})

test('only superadmins may write manuals', async () => {
  const id = await buildManual(db, { site_id: alpha })
  for (const who of [admin, office, agent]) {
    for (const [endpoint, input] of [
      [siteManualsEndpoints.availableSites, {}],
      [siteManualsEndpoints.createSiteManual, { body: { siteId: beta, ...form } }],
      [siteManualsEndpoints.updateSiteManual, { params: { id }, body: form }],
      [siteManualsEndpoints.deleteSiteManual, { params: { id } }],
    ] as const) {
      expect((await call(who, endpoint, input)).status).toBe(403)
    }
  }
})

const sitesListed = async (who: typeof agent, query: Record<string, string> = {}) => {
  const { body } = await call(who, siteManualsEndpoints.siteManuals, { query })
  return body.map((manual: { sitename: string }) => manual.sitename)
}

const read = (who: typeof agent, id: number) =>
  call(who, siteManualsEndpoints.siteManual, { params: { id } })

const create = (values: object) =>
  call(superadmin, siteManualsEndpoints.createSiteManual, {
    body: { siteId: alpha, ...form, ...values },
  })

const update = (id: number, values: object) =>
  call(superadmin, siteManualsEndpoints.updateSiteManual, {
    params: { id },
    body: { ...form, ...values },
  })

test('where the brand has no manuals, nobody finds any of their addresses', async () => {
  const id = await buildManual(db, { site_id: alpha })
  const environment = { BRAND: 'copperleaf' }
  const without = await callRoutes(siteManualsRoutes(testServices(database, { environment })))
  const params = { id }
  for (const [endpoint, input] of [
    [siteManualsEndpoints.siteManuals, {}],
    [siteManualsEndpoints.availableSites, {}],
    [siteManualsEndpoints.siteManual, { params }],
    [siteManualsEndpoints.createSiteManual, { body: { ...form, siteId: beta } }],
    [siteManualsEndpoints.updateSiteManual, { params, body: form }],
    [siteManualsEndpoints.deleteSiteManual, { params }],
  ] as const) {
    expect((await without(superadmin, endpoint, input)).status).toBe(404)
  }
  expect(await db.selectFrom('site_manuals').select('id').execute()).toEqual([{ id }])
})
