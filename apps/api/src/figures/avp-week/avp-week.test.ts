import {
  type AvpStanding,
  avpWeekEndpoints,
  type CloseAgents,
} from '@tallyroom/contract/figures/avp-week'
import { beforeEach, describe, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { buildHandCountedWorld } from '../../../test/hand-counted-world.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import type { Viewer } from '../../access/viewer.ts'
import { rebuildTotals } from '../../totals/index.ts'
import { avpWeekRoutes } from './avp-week.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const { clock } = services
const { agents, offices, sites, eventIds } = await buildHandCountedWorld(db)
// Maria's sale of 8 March has not been charged back yet.
await execute(connection, `delete from sale_events where id = '${eventIds['e13']}'`)
await rebuildTotals(db)
const call = await callRoutes(avpWeekRoutes(services))

const staff = viewer()
const manila = viewer({ role: 'company', officeId: offices.manila, agentId: undefined })
const cebu = viewer({ role: 'company', officeId: offices.cebu, agentId: undefined })
const maria = viewer({ role: 'agent', officeId: offices.manila, agentId: agents.maria })

/** The last morning of the week of 2 March; the clocks changed during the night. */
beforeEach(() => clock.set('2026-03-08T12:00:00Z'))

const showPayouts = (value: '0' | '1') =>
  db.updateTable('options').set({ value }).where('name', '=', 'payout_visible').execute()
beforeEach(() => showPayouts('1'))

async function standing(who: Viewer, agentId: number) {
  const { status, body } = await call(who, avpWeekEndpoints.avpStanding, { params: { agentId } })
  expect(status).toBe(200)
  return body as AvpStanding // parsed by the same schema
}

async function close(who: Viewer, criteria: object = {}) {
  const { status, body } = await call(who, avpWeekEndpoints.avpCloseAgents, { body: criteria })
  expect(status).toBe(200)
  return body as CloseAgents
}

test('an agent sees how many sales the next tier needs, and what it adds', async () => {
  const { tiers, before, ...shown } = await standing(maria, agents.maria)
  expect(shown).toEqual({
    agentId: agents.maria,
    username: 'agent',
    week: { start: '2026-03-02', end: '2026-03-08' },
    sales: 1,
    tier: 1,
    pay: { php: 11, dollars: 0.25 },
    // The next two sales and the one before at ₱25.25, instead of one at ₱11.00.
    next: { tier: 2, missing: 1, adds: { php: 39.5, dollars: 0.85 } },
    paidBy: null,
  })
  expect(tiers).toEqual([
    { index: 0, from: 0, to: 0, rate: { php: 1.01, dollars: 0.02 } },
    { index: 1, from: 1, to: 1, rate: { php: 11, dollars: 0.25 } },
    { index: 2, from: 2, to: 1000, rate: { php: 25.25, dollars: 0.55 } },
  ])
  expect(before).toHaveLength(8)
  expect(before.at(-1)).toEqual({
    start: '2026-02-23',
    sales: 0,
    tier: 0,
    pay: { php: 0, dollars: 0 },
  })
})

test.each([
  // Sunday, 25 hours long: the sale at 23:59 belongs to it.
  ['2025-11-03T04:59:59Z', '2025-10-27', 3, 2, 60.3, null],
  ['2025-11-03T05:00:00Z', '2025-11-03', 0, 0, 0, 1],
  // Sunday, 23 hours long.
  ['2026-03-09T03:59:59Z', '2026-03-02', 1, 1, 11, 1],
  ['2026-03-09T04:00:00Z', '2026-03-09', 1, 1, 11, 1],
])('at %s the week is that of %s: %i sales, tier %i, ₱%f', async (now, monday, ...expected) => {
  clock.set(now)
  const { week, sales, tier, pay, next } = await standing(maria, agents.maria)
  expect([week.start, sales, tier, pay?.php, next?.missing ?? null]).toEqual([monday, ...expected])
})

test('a past week has its own schedule, and none before the first', async () => {
  clock.set('2025-11-05T12:00:00Z')
  const { before } = await standing(maria, agents.maria)
  expect(before.slice(-2).map(({ start, sales, tier, pay }) => [start, sales, tier, pay])).toEqual([
    ['2025-10-20', 0, null, { php: 0, dollars: 0 }],
    ['2025-10-27', 3, 2, { php: 60.3, dollars: 1.2 }],
  ])
})

test('a sale that was reversed in the next week is missing from its own', async () => {
  clock.set('2026-03-17T12:00:00Z')
  const { sales, pay, next, before } = await standing(staff, agents.carlo)
  expect([sales, pay?.php, next]).toEqual([
    0,
    0,
    { tier: 1, missing: 1, adds: { php: 11, dollars: 0.25 } },
  ])
  expect(before.at(-1)).toMatchObject({ start: '2026-03-09', sales: 0, tier: 0, pay: { php: 0 } })
})

describe('an agent who changed offices during the week', () => {
  test('has one tier for both offices, and each office is shown what it pays', async () => {
    expect(await standing(staff, agents.noel)).toMatchObject({
      sales: 2,
      tier: 2,
      pay: { php: 50.5 },
      next: null,
    })
    expect(await standing(cebu, agents.noel)).toMatchObject({
      sales: 2,
      tier: 2,
      pay: { php: 25.25 },
    })
  })

  test('is not shown to the office they left', async () => {
    const answer = await call(manila, avpWeekEndpoints.avpStanding, {
      params: { agentId: agents.noel },
    })
    expect(answer.status).toBe(404)
  })
})

test('the list has the agents who can still reach a tier, closest first', async () => {
  const { items, total } = await close(staff)
  // Noel is in the top tier.
  expect([total, items.map(({ username, officeName }) => [username, officeName])]).toEqual([
    2,
    [
      ['carlo', 'Cebu'],
      ['maria', 'Manila'],
    ],
  ])
  expect(items[1]).toEqual({
    agentId: agents.maria,
    username: 'maria',
    companyId: offices.manila,
    officeName: 'Manila',
    sales: 1,
    tier: 1,
    pay: { php: 11, dollars: 0.25 },
    next: { tier: 2, missing: 1, adds: { php: 39.5, dollars: 0.85 } },
  })
  const namesOf = async (who: Viewer, criteria: object) =>
    (await close(who, criteria)).items.map(({ username }) => username)
  expect(await namesOf(staff, { sortField: 'username', sortAsc: false })).toEqual([
    'maria',
    'carlo',
  ])
  expect(await namesOf(staff, { page: 2, pageSize: 1 })).toEqual(['maria'])
  expect(await namesOf(staff, { companyId: offices.cebu })).toEqual(['carlo'])
  expect(await namesOf(staff, { siteId: sites.alpha })).toEqual(['carlo', 'maria'])
  expect(await namesOf(staff, { siteId: sites.beta })).toEqual([])
  expect(await namesOf(manila, {})).toEqual(['maria'])
  expect(await namesOf(manila, { companyId: offices.cebu })).toEqual([])
})

test('suspended, hidden and unapproved agents can’t sell and are left out', async () => {
  const own = () => db.updateTable('agents').where('id', '=', agents.carlo)
  for (const columns of [{ active: false }, { hidden: true }, { approved_at: null }]) {
    await own().set(columns).execute()
    expect((await close(staff)).items.map(({ username }) => username)).toEqual(['maria'])
    await own()
      .set({ active: true, hidden: false, approved_at: new Date('2025-01-01') })
      .execute()
  }
  await db.updateTable('offices').set({ active: false }).where('id', '=', offices.cebu).execute()
  expect((await close(staff)).total).toBe(1)
  await db.updateTable('offices').set({ active: true }).where('id', '=', offices.cebu).execute()
})

test('without visible payouts, offices and agents see sales and tiers, but no amounts', async () => {
  await showPayouts('0')
  const own = JSON.stringify(await standing(maria, agents.maria))
  const list = JSON.stringify(await close(manila))
  for (const text of [own, list]) {
    expect(text).toContain('"missing":1')
    expect(text).not.toMatch(/php|dollars|pay"|adds|rate/)
  }
  const sorted = await call(manila, avpWeekEndpoints.avpCloseAgents, {
    body: { sortField: 'adds' },
  })
  expect(sorted.status).toBe(422)
  expect((await close(staff)).items[0]?.pay).toBeDefined()
})
