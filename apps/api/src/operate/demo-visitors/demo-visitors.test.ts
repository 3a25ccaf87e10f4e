import { demoVisitorsEndpoints } from '@tallyroom/contract/operate/demo-visitors'
import { afterAll, expect, test, vi } from 'vitest'
import { dayOf } from '@tallyroom/domain/new-york'
import { addAndFold } from '../../../test/add-to-totals.ts'
import { buildAgent, buildLinkType, buildOffice, buildSite } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { buildApp } from '../../app.ts'
import { makeInbound } from '../../tracking/postbacks/inbound.ts'
import { demoVisitorsRoutes } from './demo-visitors.routes.ts'
import { makeDemoVisitors, pickLink, waitMs } from './demo-visitors.ts'

const database = await testDatabase()
const services = testServices(database)
const { db } = database
services.clock.set(new Date().toISOString())
const office_id = await buildOffice(db)
const agent_id = await buildAgent(db, { office_id })
const site_id = await buildSite(db)
const type_id = await buildLinkType(db, { site_id })
await addAndFold(db, [
  {
    day: dayOf(services.clock.peek()),
    agent_id,
    office_id,
    site_id,
    type_id,
    uniques: 5,
  },
])

// Created last, because it caches the destinations of links.
const app = await buildApp(services)
afterAll(() => app.close())
await app.listen({ port: 0, host: '127.0.0.1' })
const address = () => app.server.address()

const { keys } = makeInbound(services)
const visitors = makeDemoVisitors({ ...services, keys, address })
afterAll(visitors.stop)
const call = await callRoutes(demoVisitorsRoutes(visitors))
const set = (on: boolean) => call(viewer(), demoVisitorsEndpoints.setDemoVisitors, { body: { on } })

test('visitors can’t be started in a database other than the demo’s', async () => {
  const { status, body } = await set(true)
  expect([status, body.code]).toEqual([409, 'CONFLICT'])
  expect((await call(viewer(), demoVisitorsEndpoints.demoVisitors)).body).toEqual({
    isDemo: false,
    until: null,
  })
})

test('in the demo world, visitors use the public endpoints until they are stopped', async () => {
  await execute(database.connection, 'insert into demo_world (filled_at) values (now())')
  // Whoever is lost is soon followed by another, who buys nothing.
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0.2)
  expect((await set(true)).body).toEqual({ isDemo: true, until: expect.any(String) })
  await vi.waitFor(async () => {
    const clicks = await db
      .selectFrom('clicks')
      .select(['agent_id', 'type_id', 'uncounted'])
      .execute()
    expect(clicks[0]).toEqual({ agent_id, type_id, uncounted: null })
  }, 60_000)
  expect((await set(false)).body).toEqual({ isDemo: true, until: null })
  chance.mockRestore()
})

test('some of them buy, and the merchant’s postback reports it', async () => {
  const buyers = makeDemoVisitors({ ...services, keys, address }, { soonest: 0, latest: 0 })
  // Every visitor buys, and the next one follows soon.
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0.02)
  await buyers.letIn()
  await vi.waitFor(async () => {
    const sales = await db
      .selectFrom('sale_events')
      .innerJoin('postbacks', 'postbacks.id', 'sale_events.postback_id')
      .select(['sale_events.agent_id', 'sale_events.transaction_id', 'postbacks.outcome'])
      .execute()
    expect(sales[0]).toEqual({
      agent_id,
      transaction_id: expect.stringMatching(/^DEMO-/),
      outcome: 'recorded',
    })
  }, 60_000)
  buyers.stop()
  chance.mockRestore()
})

test('nobody comes once half an hour is over', async () => {
  await set(true)
  services.clock.advance(30 * 60_000)
  expect((await visitors.state()).until).toBeNull()
  visitors.stop()
})

test('several server processes are refused, because each would start its own visitors', async () => {
  const config = { ...services.config, webConcurrency: 2 }
  await expect(makeDemoVisitors({ ...services, config, keys, address }).letIn()).rejects.toThrow(
    'WEB_CONCURRENCY=1',
  )
})

test('more visitors come on a Saturday evening than on a Tuesday morning, New York time', () => {
  const saturday = waitMs(new Date('2026-03-15T02:00:00Z'), 0.5)
  const tuesday = waitMs(new Date('2026-03-10T10:00:00Z'), 0.5)
  expect(tuesday / saturday).toBeGreaterThan(3)
  expect(waitMs(new Date('2026-03-15T02:00:00Z'), 0)).toBeCloseTo(0)
})

test('links that were followed more often are followed more often', () => {
  const link = { siteId: 1, typeId: 1, agentId: 1, sales: 0, useApproveSale: false }
  const links = [
    { ...link, uniques: 1 },
    { ...link, uniques: 3, typeId: 2 },
  ]
  const picked = [0, 0.24, 0.26, 0.99].map((chance) => pickLink(links, chance)?.typeId)
  expect(picked).toEqual([1, 1, 2, 2])
  expect(pickLink([], 0.5)).toBeUndefined()
})
