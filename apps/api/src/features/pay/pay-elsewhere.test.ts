import { homeEndpoints } from '@tallyroom/contract/home'
import { salesEndpoints } from '@tallyroom/contract/sales'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { dashboardRoutes } from '../dashboard/index.ts'
import { saleLogsRoutes } from '../sale-logs/index.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([...saleLogsRoutes(services), ...dashboardRoutes(services)])

beforeEach(() => emptyTables(connection, [...PAY_TABLES, 'options']))

const showPayouts = () =>
  db
    .insertInto('options')
    .values({ name: 'payout_visible', value: '1', changed_at: new Date(0) })
    .execute()

const staff = { role: 'admin', officeId: undefined, agentId: undefined } as const

test('a sale says on which statement it and its reversal were booked, to whom these statements belong', async () => {
  const { sell, reverse, close, offices, agents } = await buildPayWorld(services, {
    avp: 'instead',
  })
  const id = await sell('a', 'maria', '2026-02-03')
  // Maria sold for Cebu as well: another payee's statement.
  const plain = await sell('b', 'maria', '2026-02-03', { plain: true, office_id: offices.cebu })
  const bookedOf = async (who: ReturnType<typeof viewer>, eventId: string) => {
    const { status, body } = await call(who, salesEndpoints.sale, { params: { eventId } })
    return status === 200 ? [body.booked, body.reversal?.booked] : status
  }
  expect(await bookedOf(viewer(), id)).toEqual([undefined, undefined])
  await close('2026-02-A', '2026-02-16')
  await reverse('a', '2026-02-18')
  await close('2026-02-B', '2026-03-02')

  const closedAt = '2026-02-16T15:00:00.000Z'
  const first = { number: '2026-02-A-0002', closedAt, paidBy: 'tier' }
  const second = {
    number: expect.stringMatching(/^2026-02-B-000\d$/),
    closedAt: '2026-03-02T15:00:00.000Z',
    paidBy: 'tier',
  }
  const opens = { statementId: expect.any(Number) }
  const both = [
    { ...first, ...opens },
    { ...second, ...opens },
  ]
  expect(await bookedOf(viewer(), id)).toEqual(both)
  // An admin without PAY reads the numbers and opens nothing.
  expect(await bookedOf(viewer(staff), id)).toEqual([first, second])

  const manila = viewer({ role: 'company', officeId: offices.manila, agentId: undefined })
  const cebu = viewer({ role: 'company', officeId: offices.cebu, agentId: undefined })
  const maria = viewer({ role: 'agent', officeId: offices.manila, agentId: agents.maria })
  expect(await bookedOf(manila, id)).toEqual([undefined, undefined])
  await showPayouts()
  expect(await bookedOf(manila, id)).toEqual(both)
  expect(await bookedOf(maria, id)).toEqual(both)
  expect(await bookedOf(cebu, id)).toBe(404)
  expect(await bookedOf(cebu, plain)).toMatchObject([
    { number: '2026-02-A-0001', paidBy: 'rate' },
    undefined,
  ])
})

test('offices do not learn of the statements of their agents', async () => {
  const { sell, close, offices, agents } = await buildPayWorld(services, {
    avp: 'information',
    payees: 'agents',
  })
  const id = await sell('a', 'maria', '2026-02-03')
  await close('2026-02-A', '2026-02-16')
  await showPayouts()
  const params = { eventId: id }
  const manila = viewer({ role: 'company', officeId: offices.manila, agentId: undefined })
  const maria = viewer({ role: 'agent', officeId: offices.manila, agentId: agents.maria })
  const bookedFor = async (who: typeof manila) =>
    (await call(who, salesEndpoints.sale, { params })).body.booked
  expect(await bookedFor(manila)).toBeUndefined()
  expect(await bookedFor(maria)).toMatchObject({ number: '2026-02-A-0001', paidBy: 'rate' })
})

test('Home has the statement of the last half-month for payees, and what waits for holders of PAY', async () => {
  const home = async (who: ReturnType<typeof viewer>) => (await call(who, homeEndpoints.home)).body
  expect((await home(viewer())).network.needs).not.toHaveProperty('pay')

  const { close, sell, offices } = await buildPayWorld(services, { avp: 'information' })
  await sell('a', 'maria', '2026-02-03')
  await showPayouts()
  const manila = viewer({ role: 'company', officeId: offices.manila, agentId: undefined })
  const cebu = viewer({ role: 'company', officeId: offices.cebu, agentId: undefined })
  services.clock.set('2026-02-16T15:00:00Z')
  expect((await home(manila)).lastPay).toEqual({ isClosed: false, statement: null })
  const nothing = { periods: null, accounts: null, runs: null }
  expect((await home(viewer())).network.needs.pay).toEqual({
    ...nothing,
    periods: { count: 1, since: '2026-02-16T05:00:00.000Z' },
  })
  expect((await home(viewer(staff))).network.needs).not.toHaveProperty('pay')

  await close('2026-02-A', '2026-02-16')
  expect((await home(manila)).lastPay).toEqual({
    isClosed: true,
    statement: { id: expect.any(Number), number: '2026-02-A-0001', state: 'due' },
  })
  expect((await home(cebu)).lastPay).toEqual({ isClosed: true, statement: null })
  expect((await home(viewer())).network.needs.pay).toEqual(nothing)
  expect(await home(viewer())).not.toHaveProperty('lastPay')
})
