import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { beforeEach, expect, test } from 'vitest'
import { addAndFold, clearTotals } from '../../../test/add-to-totals.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { agentsRoutes, officesRoutes } from '../../people/index.ts'
import { rebuildTotals } from '../../totals/index.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([...agentsRoutes(services), ...officesRoutes(services)])

beforeEach(async () => {
  await emptyTables(connection, [...PAY_TABLES, 'options'])
  await clearTotals(db)
})

type Caller = ReturnType<typeof viewer>

const agentsOf = async (who: Caller, body: object = { figures: true }) =>
  (await call(who, agentsEndpoints.searchAgents, { body })).body
const officesOf = async (who: Caller, body: object = { figures: true }) =>
  (await call(who, officesEndpoints.searchOffices, { body })).body

/** 12 March, a Thursday: the days are from 11 February on, and those before from 12 January on. */
async function buildSellers(settings: Parameters<typeof buildPayWorld>[1]) {
  const world = await buildPayWorld(services, settings)
  const { sell, reverse, agents, offices, sites, types } = world
  await sell('a', 'maria', '2026-02-03') // alone in its week: ₱10.00 by tier
  await sell('b', 'maria', '2026-02-10', { plain: true }) // ₱300.00, on the last day before
  for (const name of ['c', 'd', 'e']) await sell(name, 'maria', '2026-02-17') // ₱20.00 each by tier
  await sell('f', 'maria', '2026-02-17', { plain: true, event_type: 1, payout_centavos: 70_00 })
  await sell('g', 'maria', '2026-02-18', { plain: true })
  await reverse('g', '2026-02-20')
  await sell('h', 'maria', '2026-03-03') // ₱10.00 by tier
  await sell('i', 'maria', '2026-03-04', { plain: true, office_id: offices.cebu })
  await sell('j', 'noel', '2026-02-05', { plain: true })
  await sell('k', 'noel', '2026-03-03') // $0.20 or ₱10.00 by tier
  await rebuildTotals(db)
  const key = { agent_id: agents.maria, office_id: offices.manila, site_id: sites.gamma }
  await addAndFold(db, [
    { ...key, type_id: types.plainType, day: '2026-02-11', raws: 7 },
    { ...key, type_id: types.plainType, day: '2026-02-10', raws: 4 },
    { ...key, type_id: types.plainType, day: '2026-01-11', raws: 100 },
  ])
  services.clock.set('2026-03-12T15:00:00Z')
  return world
}

const days = {
  start: '2026-02-11',
  end: '2026-03-12',
  before: { start: '2026-01-12', end: '2026-02-10' },
}
const pesos = (PHP: number) => ({ PHP, USD: 0 })

test('agents have their figures of 30 days and of those before, with what tiers pay instead of rates', async () => {
  const { payIn, offices } = await buildSellers({ avp: 'instead' })
  await payIn('USD', offices.cebu)
  const { items, figuresOf } = await agentsOf(viewer())
  expect(figuresOf).toEqual({ ...days, earnedBy: 'rates and tiers' })
  expect(items.map(({ figures }: { figures: object }) => figures)).toEqual([
    {
      clicks: 7,
      sales: 5, // with the one for Cebu, and less the one that was taken back
      earned: pesos(60_00 + 70_00 + 10_00 + 300_00),
      lastSaleDay: '2026-03-04',
      before: { clicks: 4, sales: 2, earned: pesos(310_00) },
    },
    {
      clicks: 0,
      sales: 1,
      earned: { PHP: 0, USD: 20 },
      lastSaleDay: '2026-03-03',
      before: { clicks: 0, sales: 1, earned: pesos(300_00) },
    },
  ])
})

test('offices have what was sold for them; tiers on top of rates add to these', async () => {
  await buildSellers({ avp: 'on-top' })
  const { items } = await officesOf(viewer(), { figures: true, sortField: 'sales', sortAsc: false })
  expect(items).toMatchObject([
    {
      officeName: 'Manila',
      figures: {
        sales: 4,
        earned: pesos(4 * 500_00 + 60_00 + 10_00 + 70_00),
        lastSaleDay: '2026-03-03',
        before: { clicks: 4, sales: 2, earned: pesos(500_00 + 10_00 + 300_00) },
      },
    },
    {
      officeName: 'Cebu',
      figures: {
        sales: 2,
        earned: pesos(500_00 + 10_00 + 300_00),
        before: { sales: 1, earned: pesos(300_00) },
      },
    },
  ])
})

test('where agents are paid, an office’s figures have the currencies of its agents', async () => {
  const { payIn, agents } = await buildSellers({ avp: 'instead', payees: 'agents' })
  await payIn('USD', agents.noel, 'agent')
  const { items } = await officesOf(viewer(), { figures: true, criteria: [] })
  expect(items).toMatchObject([
    { officeName: 'Cebu', figures: { earned: { PHP: 300_00, USD: 20 } } },
    { officeName: 'Manila', figures: { earned: pesos(140_00) } },
  ])
})

test('before pay is switched on, rates alone are earned, and the answer says so', async () => {
  await buildSellers({ avp: 'instead' })
  await emptyTables(connection, ['pay_seals', 'pay_settings', 'pay_state'])
  const { items, figuresOf } = await officesOf(viewer())
  expect(figuresOf.earnedBy).toBe('rates')
  expect(items[1]).toMatchObject({
    officeName: 'Manila',
    figures: { earned: pesos(4 * 500_00 + 70_00) },
  })
})

test('an office sees what its agents sold for it, and no amounts while payouts are hidden', async () => {
  const { offices } = await buildSellers({ avp: 'instead' })
  const manila = viewer({ role: 'company', officeId: offices.manila, agentId: undefined })
  const { items, figuresOf } = await agentsOf(manila)
  expect(figuresOf).toEqual(days)
  expect(items).toMatchObject([{ figures: { sales: 4, lastSaleDay: '2026-03-03' } }])
  expect(items[0].figures).not.toHaveProperty('earned')
  expect(items[0].figures.before).not.toHaveProperty('earned')
})

test.each([
  ['sales', false, ['maria', 'noel']],
  ['sales', true, ['noel', 'maria']],
  ['clicks', false, ['maria', 'noel']],
  ['lastSale', true, ['noel', 'maria']],
])('agents can be sorted by %s, ascending %s', async (sortField, sortAsc, names) => {
  const { agents } = await buildSellers({ avp: 'instead' })
  const { items } = await agentsOf(viewer(), { sortField, sortAsc })
  const ids: Record<string, number> = agents
  expect(items.map(({ id }: { id: number }) => id)).toEqual(names.map((name) => ids[name]))
  expect(items[0]).toHaveProperty('figures')
})

test('a list without figures reads none, and a token for people alone may not ask for them', async () => {
  await buildSellers({ avp: 'instead' })
  const plain = await agentsOf(viewer(), {})
  expect(plain).not.toHaveProperty('figuresOf')
  expect(plain.items[0]).not.toHaveProperty('figures')
  const token = (may: readonly ('people' | 'figures')[]) => ({
    ...viewer(),
    token: { id: 1, name: 'crm', may },
  })
  for (const body of [{ figures: true }, { sortField: 'sales' }]) {
    const asked = { body }
    expect(await call(token(['people']), agentsEndpoints.searchAgents, asked)).toMatchObject({
      status: 403,
      body: { message: 'This token may not make this call: it lacks “Read figures”.' },
    })
    expect((await call(token(['people']), officesEndpoints.searchOffices, asked)).status).toBe(403)
    const both = token(['people', 'figures'])
    expect((await call(both, agentsEndpoints.searchAgents, asked)).status).toBe(200)
  }
})
