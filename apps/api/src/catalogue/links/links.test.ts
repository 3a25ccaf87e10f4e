import { linksEndpoints } from '@tallyroom/contract/catalogue/links'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  buildAgent,
  buildDomain,
  buildFee,
  buildLinkType,
  buildOffice,
  buildSite,
} from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { buildApp } from '../../app.ts'
import type { Viewer } from '../../access/viewer.ts'
import { inTransaction } from '../../db/transaction.ts'
import { announceChange } from '../../db/changes.ts'
import { linksRoutes } from './links.routes.ts'

const services = testServices(await testDatabase(), {
  environment: { PUBLIC_URL: 'https://office.example' },
})
const { db } = services
const call = await callRoutes(linksRoutes(services))
const app = await buildApp(services)
afterAll(() => app.close())

const superadmin = viewer()
const strictAdmin = viewer({ role: 'admin', officeId: undefined, agentId: undefined })

let world: Awaited<ReturnType<typeof newWorld>>

/** An office, its agent and a site with two link types that work, one suspended and one deleted. */
async function newWorld() {
  const siteId = await buildSite(db, { deep_hosts: ['m.example:8443'] })
  const officeId = await buildOffice(db)
  const agentId = await buildAgent(db, { office_id: officeId })
  const gold = await buildLinkType(db, { site_id: siteId, typename: 'Gold' })
  const url = 'https://Shop.example/join?a=1'
  const basic = await buildLinkType(db, { site_id: siteId, typename: 'basic', url })
  await buildLinkType(db, { site_id: siteId, active: false })
  await buildLinkType(db, { site_id: siteId, deleted_at: new Date() })
  const { sitename } = await db
    .selectFrom('sites')
    .select('sitename')
    .where('id', '=', siteId)
    .executeTakeFirstOrThrow()
  return {
    siteId,
    sitename,
    officeId,
    agentId,
    gold,
    basic,
    office: viewer({ role: 'company', officeId, agentId: undefined }),
    agent: viewer({ role: 'agent', officeId, agentId }),
  }
}

beforeEach(async () => {
  await db.updateTable('offices').set({ preferred_domain_id: null }).execute()
  await db.deleteFrom('preferred_domains').execute()
  world = await newWorld()
})

const links = (who: Viewer, body: object = {}) =>
  call(who, linksEndpoints.links, {
    body: { siteId: world.siteId, agentId: world.agentId, ...body },
  })

test('a link for each active link type, by name, for everybody who can see the agent', async () => {
  const { siteId, agentId, sitename, gold, basic } = world
  const expected = {
    agentId,
    domain: 'https://office.example',
    host: 'server',
    items: [
      {
        typeId: basic,
        siteId,
        sitename,
        avp: false,
        typename: 'basic',
        hosts: ['shop.example', 'm.example:8443'],
        link: `https://office.example/api/links/go/${siteId}/${basic}/${agentId}`,
      },
      {
        typeId: gold,
        siteId,
        sitename,
        avp: false,
        typename: 'Gold',
        hosts: ['landing.example', 'm.example:8443'],
        link: `https://office.example/api/links/go/${siteId}/${gold}/${agentId}`,
      },
    ],
  }
  const withPayouts = {
    ...expected,
    items: expected.items.map((item) => ({ ...item, payout: 500 })),
  }
  for (const who of [superadmin, strictAdmin])
    expect(await links(who)).toEqual({ status: 200, body: withPayouts })
  for (const who of [world.office, world.agent])
    expect(await links(who)).toEqual({ status: 200, body: expected })
  expect(await links(world.agent, { agentId: undefined })).toEqual({ status: 200, body: expected })
  const nobody = await links(superadmin, { agentId: null })
  expect([nobody.status, nobody.body.data]).toEqual([422, { agentId: ['Choose an agent'] }])
})

test('without a site: links for every site that the agent sells, with their office’s rates', async () => {
  const { agent, agentId, officeId, gold, basic, sitename } = world
  const other = await buildSite(db, { sitename: `A ${sitename}`, avp: true })
  const type = await buildLinkType(db, { site_id: other, typename: 'Card', payout_centavos: 99_50 })
  const hidden = await buildSite(db, { hidden: true })
  const suspended = await buildSite(db, { active: false })
  const off = await buildSite(db)
  const unsold = await buildSite(db)
  for (const site of [hidden, suspended, off, unsold]) await buildLinkType(db, { site_id: site })
  await db.insertInto('agent_sites_off').values({ agent_id: agentId, site_id: off }).execute()
  await db.deleteFrom('office_sites').where('site_id', '=', unsold).execute()
  await buildFee(db, { type_id: gold, office_id: officeId })
  // A disabled own rate pays nothing.
  await buildFee(db, { type_id: basic, office_id: officeId, enabled: false })
  const own = async (who: Viewer) => {
    const { items } = (await links(who, { siteId: undefined })).body
    const ids = new Set([type, gold, basic])
    return items.filter(({ typeId }: { typeId: number }) => ids.has(typeId))
  }

  expect(await own(superadmin)).toMatchObject([
    { typeId: type, siteId: other, payout: 99.5, avp: true },
    { typeId: basic, payout: 500, avp: false },
    { typeId: gold, payout: 700, avp: false },
  ])
  expect(await own(agent)).toHaveLength(3)
  expect(JSON.stringify(await own(agent))).not.toContain('payout')
  const all = (await links(agent, { siteId: undefined })).body.items
  for (const site of [hidden, suspended, off, unsold])
    expect(all).not.toContainEqual(expect.objectContaining({ siteId: site }))

  await db.updateTable('options').set({ value: '1' }).where('name', '=', 'payout_visible').execute()
  expect((await own(agent)).at(-1)).toMatchObject({ typeId: gold, payout: 700 })
  await db.updateTable('options').set({ value: '0' }).where('name', '=', 'payout_visible').execute()

  await db.updateTable('agents').set({ active: false }).where('id', '=', agentId).execute()
  expect((await links(agent, { siteId: undefined })).status).toBe(422)
})

test('links use the domain that the office prefers, otherwise the first active one', async () => {
  const first = await buildDomain(db, { domain: 'https://first.example' })
  const own = await buildDomain(db, { domain: 'https://own.example' })
  const hostOf = async () => {
    const { domain, host, items } = (await links(world.agent)).body
    expect(new URL(items[0].link).origin).toBe(domain)
    return [domain, host]
  }
  expect(await hostOf()).toEqual(['https://first.example', 'first-active'])
  await db
    .updateTable('offices')
    .set({ preferred_domain_id: own })
    .where('id', '=', world.officeId)
    .execute()
  expect(await hostOf()).toEqual(['https://own.example', 'preferred'])
  await db.updateTable('preferred_domains').set({ hidden: true }).where('id', '=', own).execute()
  expect(await hostOf()).toEqual(['https://first.example', 'first-active'])
  await db.updateTable('preferred_domains').set({ hidden: true }).where('id', '=', first).execute()
  expect(await hostOf()).toEqual(['https://office.example', 'server'])
})

test('hidden agents still get their own links', async () => {
  await db.updateTable('agents').set({ hidden: true }).where('id', '=', world.agentId).execute()
  expect((await links(world.agent)).status).toBe(200)
  expect((await links(superadmin)).status).toBe(200)
  expect((await links(world.office)).status).toBe(404)
})

test('foreign, missing and invisible agents and sites get the same answer', async () => {
  const { office, agent } = world
  const other = await buildAgent(db, { office_id: await buildOffice(db) })
  const colleague = await buildAgent(db, { office_id: world.officeId })
  const noAgent = await links(agent, { agentId: 2_000_000_000 })
  expect(noAgent).toMatchObject({
    status: 404,
    body: { message: 'This agent was not found. It may have been deleted, or you may not see it.' },
  })
  expect(await links(agent, { agentId: other })).toEqual(noAgent)
  expect(await links(agent, { agentId: colleague })).toEqual(noAgent)
  expect(await links(office, { agentId: other })).toEqual(noAgent)
  expect((await links(office, { agentId: colleague })).status).toBe(200)

  const noSite = await links(agent, { siteId: 2_000_000_000 })
  expect(noSite).toMatchObject({
    status: 404,
    body: { message: 'This site was not found. It may have been deleted, or you may not see it.' },
  })
  const foreign = await buildSite(db)
  await db.deleteFrom('office_sites').where('site_id', '=', foreign).execute()
  const hidden = await buildSite(db, { hidden: true })
  for (const siteId of [foreign, hidden]) {
    expect(await links(agent, { siteId })).toEqual(noSite)
    expect(await links(office, { siteId })).toEqual(noSite)
  }
})

describe('links that would not work are not offered', () => {
  const faults: [what: string, data: object, spoil: () => Promise<unknown>][] = [
    [
      'a suspended agent',
      { agentId: ['is suspended: their links do not work'] },
      () =>
        db.updateTable('agents').set({ active: false }).where('id', '=', world.agentId).execute(),
    ],
    [
      'an agent that waits for approval',
      { agentId: ['is not approved yet: their links do not work'] },
      () =>
        db
          .updateTable('agents')
          .set({ approved_at: null })
          .where('id', '=', world.agentId)
          .execute(),
    ],
    [
      'a suspended office',
      { agentId: ['belongs to a suspended office: their links do not work'] },
      () =>
        db.updateTable('offices').set({ active: false }).where('id', '=', world.officeId).execute(),
    ],
    [
      'a suspended site',
      { siteId: ['is suspended: its links do not work'] },
      () => db.updateTable('sites').set({ active: false }).where('id', '=', world.siteId).execute(),
    ],
    [
      'a site that the office may not sell',
      { siteId: ['is not enabled for this agent’s office'] },
      () => db.deleteFrom('office_sites').where('office_id', '=', world.officeId).execute(),
    ],
    [
      'a site that the agent has switched off',
      { siteId: ['is switched off for this agent'] },
      () =>
        db
          .insertInto('agent_sites_off')
          .values({ agent_id: world.agentId, site_id: world.siteId })
          .execute(),
    ],
  ]

  test.each(faults)(
    '%s: what the redirect refuses is refused here, with the reason',
    async (_, data, spoil) => {
      const { siteId, gold, agentId } = world
      const go = async () =>
        (await app.inject(`/api/links/go/${siteId}/${gold}/${agentId}`)).statusCode
      await changed()
      await vi.waitFor(async () => expect(await go()).toBe(302), 60_000)
      expect((await links(superadmin)).status).toBe(200)

      await spoil()
      await changed()
      await vi.waitFor(async () => expect(await go()).toBe(410), 60_000)
      const { status, body } = await links(superadmin)
      expect([status, body.data]).toEqual([422, data])
    },
  )

  test('an admin without SHOW_SUSPEND does not see the suspended agent at all', async () => {
    await db.updateTable('agents').set({ active: false }).where('id', '=', world.agentId).execute()
    expect((await links(strictAdmin)).status).toBe(404)
  })
})

const changed = () => inTransaction(db, (tx) => announceChange(tx, 'destinations'))
