import { homeEndpoints } from '@tallyroom/contract/desk/home'
import { type Earned, earnedEndpoints } from '@tallyroom/contract/pay/closing/earned'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { dashboardRoutes } from '../../desk/home/dashboard.routes.ts'
import { payRoutes } from '../pay.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([...payRoutes(services), ...dashboardRoutes(services)])

beforeEach(() => emptyTables(connection, [...PAY_TABLES, 'options']))

const showPayouts = () =>
  db
    .insertInto('options')
    .values({ name: 'payout_visible', value: '1', changed_at: new Date(0) })
    .execute()

const recentOf = async (
  who: ReturnType<typeof viewer>,
  query: { companyId?: string; agentId?: string },
) => {
  const { status, body } = await call(who, earnedEndpoints.recentEarned, { query })
  expect(status).toBe(200)
  return body.earned
}
const amountsOf = (sums: readonly Earned[]) => sums.map(({ amount }) => amount)

test('an agent earns the same on their Home, on their page for office and staff, and in the estimate', async () => {
  const { sell, close, offices, agents } = await buildPayWorld(services, { avp: 'instead' })
  await showPayouts()
  await sell('a', 'maria', '2026-02-03') // ₱10.00 by tier, instead of ₱500.00
  await sell('b', 'maria', '2026-02-04', { plain: true }) // ₱300.00
  await close('2026-02-A', '2026-02-16')
  for (const name of ['c', 'd', 'e']) await sell(name, 'maria', '2026-02-17') // ₱20.00 each, by tier
  await sell('f', 'maria', '2026-02-17', { plain: true, event_type: 1, payout_centavos: 70_00 })
  await sell('g', 'maria', '2026-02-18', { plain: true })
  await sell('h', 'noel', '2026-02-18', { plain: true })
  services.clock.set('2026-02-18T18:00:00Z')

  const maria = viewer({ role: 'agent', officeId: offices.manila, agentId: agents.maria })
  const manila = viewer({ role: 'company', officeId: offices.manila, agentId: undefined })
  const cebu = viewer({ role: 'company', officeId: offices.cebu, agentId: undefined })
  const admin = viewer({ role: 'admin', officeId: undefined, agentId: undefined })
  const ofMaria = { agentId: String(agents.maria) }
  const { pay } = (await call(maria, homeEndpoints.home)).body
  const estimates = await call(maria, earnedEndpoints.estimate, { params: { name: '2026-02-B' } })
  const [estimate] = estimates.body

  expect(amountsOf(pay.now.to)).toEqual([430_00])
  expect(estimate.content.amount).toBe(430_00)
  for (const who of [viewer(), admin, manila, maria]) {
    const earned = await recentOf(who, ofMaria)
    expect(earned).toMatchObject({
      today: { PHP: 300_00, USD: 0 },
      now: {
        name: '2026-02-B',
        isClosed: false,
        sums: [{ amount: 430_00, rates: 300_00, bonuses: 70_00, tiers: { PHP: 60_00, USD: 0 } }],
      },
      last: { name: '2026-02-A', isClosed: true, sums: [{ amount: 310_00 }] },
      before: null,
    })
    expect(earned.today).toEqual(pay.today)
    expect(amountsOf(earned.last.sums)).toEqual(amountsOf(pay.last.to))
  }
  // Another office sees of her what she sold for it.
  expect((await recentOf(cebu, ofMaria)).now.sums).toEqual([])
  expect(await recentOf(cebu, { companyId: String(offices.manila) })).toBeNull()
  expect(await recentOf(maria, { agentId: String(agents.noel) })).toBeNull()
})

test('an office earns the same on its Home and on its page, also if its agents are paid themselves', async () => {
  for (const payees of ['offices', 'agents'] as const) {
    await emptyTables(connection, [...PAY_TABLES, 'options'])
    const { sell, offices } = await buildPayWorld(services, { avp: 'on-top', payees })
    await showPayouts()
    await sell('a', 'maria', '2026-02-03')
    await sell('b', 'noel', '2026-02-03')
    services.clock.set('2026-02-05T18:00:00Z')
    const manila = viewer({ role: 'company', officeId: offices.manila, agentId: undefined })
    const { pay } = (await call(manila, homeEndpoints.home)).body
    const { now } = await recentOf(viewer(), { companyId: String(offices.manila) })
    expect(amountsOf(now.sums)).toEqual([510_00])
    expect(amountsOf(pay.now.to)).toEqual([510_00])
  }
})

test('there is nothing to show while pay is off, or payouts are hidden from the viewer', async () => {
  const office = viewer({ role: 'company', officeId: 1, agentId: undefined })
  expect(await recentOf(viewer(), { companyId: '1' })).toBeNull()
  await buildPayWorld(services, { avp: 'instead' })
  expect(await recentOf(viewer(), { companyId: '1' })).not.toBeNull()
  expect(await recentOf(office, {})).toBeNull()
  await showPayouts()
  expect(await recentOf(office, {})).not.toBeNull()
})
