import { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { expect, test } from 'vitest'
import { buildAgent, buildLinkType, buildOffice, buildSite } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { linkTypesRoutes } from '../link-types/link-types.routes.ts'
import { sitesRoutes } from './sites.routes.ts'

const services = testServices(await testDatabase())
const { db } = services
const call = await callRoutes([...sitesRoutes(services), ...linkTypesRoutes(services)])

const officeId = await buildOffice(db)
const agentId = await buildAgent(db, { office_id: officeId })
const beta = await buildSite(db, { sitename: 'beta', use_approve_sale: true })
const alpha = await buildSite(db, { sitename: 'Alpha' })
const suspended = await buildSite(db, { sitename: 'Suspended', active: false })
const hidden = await buildSite(db, { sitename: 'Hidden', hidden: true })
const gone = await buildSite(db, { sitename: 'Gone', deleted_at: new Date() })
const foreign = await buildSite(db, { sitename: 'Foreign' })
const switchedOff = await buildSite(db, { sitename: 'Switched off' })
await db.deleteFrom('office_sites').where('site_id', '=', foreign).execute()
await db.insertInto('agent_sites_off').values({ agent_id: agentId, site_id: switchedOff }).execute()

const superadmin = viewer()
const office = viewer({ role: 'company', officeId, agentId: undefined })
const agent = viewer({ role: 'agent', officeId, agentId })

const names = async (who: typeof agent, query?: Record<string, string>) => {
  const { body } = await call(who, sitesEndpoints.sites, query && { query })
  return body.map((site: { sitename: string }) => site.sitename)
}

test('staff choose from every site by name, except hidden and deleted ones', async () => {
  expect(await names(superadmin)).toEqual(['Alpha', 'beta', 'Foreign', 'Switched off'])
  const admin = viewer({ role: 'admin', officeId: undefined, agentId: undefined })
  expect(await names(admin)).toEqual(await names(superadmin))
})

test('an office chooses from the sites it may sell, an agent from those that are not switched off', async () => {
  expect(await names(office)).toEqual(['Alpha', 'beta', 'Switched off'])
  expect(await names(agent)).toEqual(['Alpha', 'beta'])
})

test('suspended sites are included on request', async () => {
  expect(await names(agent, { withSuspended: '1' })).toEqual(['Alpha', 'beta', 'Suspended'])
  const { body } = await call(agent, sitesEndpoints.sites, { query: { withSuspended: '1' } })
  expect(body).toEqual([
    { id: alpha, sitename: 'Alpha', active: true, useApproveSale: false },
    { id: beta, sitename: 'beta', active: true, useApproveSale: true },
    { id: suspended, sitename: 'Suspended', active: false, useApproveSale: false },
  ])
})

const types = (who: typeof agent, siteId: number, query?: Record<string, string>) =>
  call(who, linkTypesEndpoints.typesBySite, { params: { siteId }, ...(query && { query }) })

test('the link types of a site are sorted as requested, suspended ones included', async () => {
  const free = await buildLinkType(db, { site_id: alpha, typename: 'free', typealias: 'z' })
  const gold = await buildLinkType(db, {
    site_id: alpha,
    typename: 'Gold',
    typealias: 'A',
    active: false,
    bonus: true,
  })
  await buildLinkType(db, { site_id: alpha, typename: 'Gone', deleted_at: new Date() })
  await buildLinkType(db, { site_id: beta })

  const freeRow = {
    id: free,
    siteId: alpha,
    typename: 'free',
    typealias: 'z',
    bonus: false,
    active: true,
  }
  const goldRow = {
    id: gold,
    siteId: alpha,
    typename: 'Gold',
    typealias: 'A',
    bonus: true,
    active: false,
  }
  expect((await types(agent, alpha)).body).toEqual([freeRow, goldRow])
  expect((await types(agent, alpha, { sortAsc: 'false' })).body).toEqual([goldRow, freeRow])
  expect((await types(agent, alpha, { sortField: 'typealias' })).body).toEqual([goldRow, freeRow])
  expect((await types(agent, alpha, { sortField: 'id' })).body).toEqual([freeRow, goldRow])
  expect((await types(agent, alpha, { sortField: 'password_hash' })).status).toBe(422)
  expect((await types(agent, alpha, { sortField: 'payout' })).status).toBe(403)
})

test('foreign, hidden and missing sites get the same answer', async () => {
  const missing = await types(agent, 999_999)
  expect(missing).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  for (const siteId of [foreign, hidden, gone, switchedOff]) {
    expect(await types(agent, siteId)).toEqual(missing)
  }
  expect(await types(office, foreign)).toEqual(missing)
  expect(await types(superadmin, gone)).toEqual(missing)
  for (const siteId of [foreign, hidden, suspended]) {
    expect((await types(superadmin, siteId)).status).toBe(200)
  }
})
