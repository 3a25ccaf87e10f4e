import Fastify from 'fastify'
import { afterAll } from 'vitest'
import type { Listeners } from '../src/notices/index.ts'
import { tellingLedger } from '../src/tracking/sales/tell-of-sales.ts'
import { makeInbound } from '../src/tracking/postbacks/inbound.ts'
import { registerInbound } from '../src/tracking/inbound/inbound.routes.ts'
import { buildAgent, buildClick, buildLinkType, buildOffice, buildSite } from './build-world.ts'
import type { Layout } from '../src/db/citus/layout.ts'
import { testDatabase } from './database.ts'
import { testServices } from './services.ts'

/**
 * A world that takes postbacks: the public endpoint over HTTP, a clock that begins on 10
 * March 2026, noon in New York, one office and its agent. Call it once at the top of a test file.
 */
export async function postbackWorld({
  layout,
  listeners,
}: { layout?: Layout; listeners?: Listeners } = {}) {
  const database = await testDatabase(layout && { layout })
  const services = testServices(database)
  const { db, clock } = services
  clock.set('2026-03-10T16:00:00Z')
  const ledger = listeners ? tellingLedger(services.ledger, listeners) : services.ledger
  const inbound = makeInbound({ ...services, ledger })
  const app = Fastify()
  registerInbound(app, inbound)
  await app.ready()
  afterAll(() => app.close())

  const officeId = await buildOffice(db)
  const agentId = await buildAgent(db, { office_id: officeId })

  /** A site with a link type and a key, and functions to make clicks for it and report them. */
  async function merchant(site: Parameters<typeof buildSite>[1] = {}) {
    const siteId = await buildSite(db, site)
    const typeId = await buildLinkType(db, { site_id: siteId })
    const { key } = await inbound.keys.provide(siteId)
    await inbound.sites.reload()
    const url = `/api/postback/${siteId}`
    return {
      siteId,
      typeId,
      key,
      url,
      /** A new click's public id. */
      click: async (values: Partial<Parameters<typeof buildClick>[1]> = {}) =>
        inbound.clickIds.sign(
          await buildClick(db, {
            agent_id: agentId,
            office_id: officeId,
            site_id: siteId,
            type_id: typeId,
            clicked_at: clock.peek(),
            ...values,
          }),
        ),
      get: (query: Record<string, string>, withKey: string = key, ip = '192.0.2.1') =>
        app.inject({
          method: 'GET',
          url,
          query: { ...(withKey && { key: withKey }), ...query },
          remoteAddress: ip,
        }),
    }
  }

  return {
    db,
    connection: database.connection,
    clock,
    services,
    inbound,
    app,
    officeId,
    agentId,
    merchant,
    kept: (id: string) =>
      db.selectFrom('postbacks').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    eventsOf: (siteId: number) =>
      db
        .selectFrom('sale_events')
        .selectAll()
        .where('site_id', '=', siteId)
        .orderBy('recorded_at')
        .orderBy('id')
        .execute(),
    pendingOf: (siteId: number) =>
      db
        .selectFrom('totals_pending')
        .selectAll()
        .where('site_id', '=', siteId)
        .orderBy('day')
        .execute(),
  }
}
