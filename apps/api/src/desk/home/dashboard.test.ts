import { dashboardEndpoints, type Dashboard } from '@tallyroom/contract/desk/dashboard'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { addToTotals } from '../../../test/add-to-totals.ts'
import { signedIn } from '../../../test/access-matrix-world.ts'
import { buildAgent, buildLinkType, buildOffice, buildSite } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { buildApp } from '../../app.ts'
import { dashboardRoutes } from './dashboard.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
services.clock.set('2026-03-18T15:00:00Z') // a Wednesday in the second half of March
const { dashboard } = dashboardEndpoints
const call = await callRoutes(dashboardRoutes(services))

const manila = await buildOffice(db, { name: 'Manila', agent_notes: ' Shift starts at nine. ' })
const cebu = await buildOffice(db, { name: 'Cebu' })
const shadow = await buildOffice(db, { name: 'Shadow', hidden: true })
const maria = await buildAgent(db, {
  office_id: manila,
  username: 'maria',
  first_name: 'Maria',
  last_name: 'Cruz',
  must_read: 'See me on Friday.',
})
const carlo = await buildAgent(db, { office_id: cebu, username: 'carlo' })
const shade = await buildAgent(db, { office_id: shadow, username: 'shade' })
const site_id = await buildSite(db)
const type_id = await buildLinkType(db, { site_id })

const sold = (day: string, who: { agent_id: number; office_id: number }, sales: number) => ({
  day,
  ...who,
  site_id,
  type_id,
  sales,
})
const byMaria = { agent_id: maria, office_id: manila }
const byCarlo = { agent_id: carlo, office_id: cebu }
const byShade = { agent_id: shade, office_id: shadow }

await addToTotals(db, [
  sold('2025-01-05', byCarlo, 30),
  sold('2026-03-02', byMaria, 8),
  sold('2026-03-15', byCarlo, 1), // a Sunday, so in the week before
  sold('2026-03-16', byMaria, 6),
  sold('2026-03-18', byCarlo, 2),
  sold('2026-03-18', byShade, 99),
])

const superadmin = viewer()
const office = viewer({ role: 'company', officeId: manila, agentId: undefined })
const agent = viewer({ role: 'agent', officeId: manila, agentId: maria })

const read = async (who: typeof superadmin): Promise<Dashboard> =>
  (await call(who, dashboard)).body as Dashboard // parsed by the same schema

beforeEach(() => services.clock.advance(10_000))

test('a superadmin sees the boards with offices and names', async () => {
  expect(await read(superadmin)).toEqual({
    agentNotes: '',
    showAgentFraudNotes: false,
    lastNews: null,
    weekPeriod: { start: '2026-03-16', end: '2026-03-22', periodLength: 'week' },
    beWeekPeriod: { start: '2026-03-16', end: '2026-03-31', periodLength: 'beWeek' },
    weekTop10: [
      {
        office: 'Manila',
        companyId: manila,
        agent: 'maria',
        agentName: 'Maria Cruz',
        agentId: maria,
        sales: 6,
      },
      { office: 'Cebu', companyId: cebu, agent: 'carlo', agentName: '', agentId: carlo, sales: 2 },
    ],
    allTimeTop10: [
      { office: 'Cebu', companyId: cebu, agent: 'carlo', agentName: '', agentId: carlo, sales: 33 },
      {
        office: 'Manila',
        companyId: manila,
        agent: 'maria',
        agentName: 'Maria Cruz',
        agentId: maria,
        sales: 14,
      },
    ],
    officeRanking: [
      { id: manila, name: 'Manila', sales1: 6, progress: -25, growth: -25 },
      { id: cebu, name: 'Cebu', sales1: 2, progress: 100, growth: 100 },
    ],
  })
})

test('an agent sees the notes of their office and their own, and no name but their own', async () => {
  const { agentNotes, weekTop10, officeRanking } = await read(agent)
  expect(agentNotes).toBe('Shift starts at nine.\n\nSee me on Friday.')
  expect(weekTop10).toEqual([
    { agent: 'maria', agentName: 'Maria Cruz', agentId: maria, sales: 6 },
    { agent: 'carlo', sales: 2 },
  ])
  expect(officeRanking.map(({ name }) => name)).toEqual(['Manila', 'Cebu'])
})

test('an office sees the notes that its agents see', async () => {
  const { agentNotes, weekTop10 } = await read(office)
  expect(agentNotes).toBe('Shift starts at nine.')
  expect(weekTop10[1]).toEqual({ agent: 'carlo', sales: 2 })
})

test('the latest news', async () => {
  const created_at = services.clock.now()
  await db
    .insertInto('news')
    .values([
      { html: '<p>Old</p>', created_at },
      { html: '<p>New</p>', created_at },
    ])
    .execute()
  expect((await read(agent)).lastNews).toEqual({
    html: '<p>New</p>',
    createdAt: created_at.toISOString(),
  })
  await db.insertInto('news').values({ html: '', created_at }).execute()
  expect((await read(agent)).lastNews).toBeNull()
})

test.each([
  ['flagged and suspended', { fraud_flagged_at: new Date(), active: false }, true],
  ['flagged, but active again', { fraud_flagged_at: new Date(), active: true }, false],
  ['suspended for another reason', { fraud_flagged_at: null, active: false }, false],
])('an agent that is %s', async (_what, columns, isTold) => {
  await db.updateTable('agents').set(columns).where('id', '=', maria).execute()
  expect((await read(agent)).showAgentFraudNotes).toBe(isTold)
  expect((await read(office)).showAgentFraudNotes).toBe(false)
  await db
    .updateTable('agents')
    .set({ fraud_flagged_at: null, active: true })
    .where('id', '=', maria)
    .execute()
})

test('boards are cached for five seconds, notes and news are not', async () => {
  const before = await read(superadmin)
  await addToTotals(db, [sold('2026-03-18', byMaria, 1)])
  await db.updateTable('offices').set({ agent_notes: 'Go!' }).where('id', '=', manila).execute()
  expect(await read(superadmin)).toEqual(before)
  expect((await read(office)).agentNotes).toBe('Go!')

  services.clock.advance(10_000)
  expect((await read(superadmin)).weekTop10[0]).toMatchObject({ agent: 'maria', sales: 7 })
})

test('an unchanged answer comes without a body and is not recorded in the common logs', async () => {
  const app = await buildApp(services)
  afterAll(() => app.close())
  await vi.waitFor(
    async () => expect((await app.inject('/api/health')).statusCode).toBe(200),
    60_000,
  )
  const home = { officeId: manila, agentId: maria }
  const asked = async (caller: 'agent' | 'superadmin', known?: string) =>
    app.inject({
      url: dashboard.path,
      headers: {
        authorization: `Bearer ${await signedIn(services, caller, home)}`,
        ...(known !== undefined && { 'if-none-match': known }),
      },
    })

  const first = await asked('agent')
  const tag = String(first.headers['etag'])
  expect([first.statusCode, tag]).toEqual([200, expect.stringMatching(/^W\/"[\w-]{22}"$/)])
  const again = await asked('agent', tag)
  expect([again.statusCode, again.body]).toEqual([304, ''])
  // A different viewer gets a different answer.
  expect((await asked('superadmin', tag)).statusCode).toBe(200)

  await addToTotals(db, [sold('2026-03-18', byCarlo, 1)])
  services.clock.advance(10_000)
  const changed = await asked('agent', tag)
  expect([changed.statusCode, changed.headers['etag'] === tag]).toEqual([200, false])

  const { count } = await db
    .selectFrom('audit_log')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(0)
})
