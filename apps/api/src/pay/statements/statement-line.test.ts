import { statementsEndpoints, type Statement } from '@tallyroom/contract/pay/statements/statements'
import {
  statementLinesEndpoints,
  type StatementLine,
} from '@tallyroom/contract/pay/bookings/statement-lines'
import { statementSections } from '@tallyroom/contract/pay/statements/statement-sections'
import { beforeEach, expect, test } from 'vitest'
import type { Viewer } from '../../access/viewer.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { deleteAgent } from '../../desk/erase/delete-agent.ts'
import { payRoutes } from '../pay.routes.ts'
import { savePaySettings } from '../acts/settings.ts'
import { verifyWorld } from '../../../test/verify-world.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes(payRoutes(services))
const { statementLine } = statementLinesEndpoints

beforeEach(() => emptyTables(connection, [...PAY_TABLES, 'options']))

const showPayouts = () =>
  db
    .insertInto('options')
    .values({ name: 'payout_visible', value: '1', changed_at: new Date(0) })
    .execute()

/** A statement, and the keys of its lines by their text. */
async function statementOf(who: Viewer, payee: string, period: string) {
  const { items } = (await call(who, statementsEndpoints.statements, { query: { period } })).body
  const { id } = items.find((one: Statement) => one.payee.name === payee)
  const { content }: Statement = (
    await call(who, statementsEndpoints.statement, { params: { id } })
  ).body
  const rows = statementSections(content).flatMap((section) => section.rows)
  return {
    id,
    rows,
    keyOf: (what: string) => rows.find((row) => row.what.startsWith(what))?.key ?? '',
  }
}

type Query = { key: string; page?: string; pageSize?: string }

const ask = (who: Viewer, id: number, query: Query) =>
  call(who, statementLine, { params: { id }, query })

async function open(who: Viewer, id: number, query: Query): Promise<StatementLine> {
  const { status, body } = await ask(who, id, query)
  expect(status).toBe(200)
  return body
}

test('a line opens its bookings, each with order, rate and amount', async () => {
  const { sell, reverse, close, who } = await buildPayWorld(services, { avp: 'instead' })
  const first = await sell('a', 'maria', '2026-02-03', { plain: true, transaction_id: 'L-1' })
  const second = await sell('b', 'maria', '2026-02-05', { plain: true })
  const reversal = await reverse('a', '2026-02-06')
  await sell('bonus', 'maria', '2026-02-05', { plain: true, event_type: 1, payout_centavos: 70_00 })
  await sell('marked', 'maria', '2026-02-05', { plain: true, fraud: true })
  await sell('own rate', 'maria', '2026-02-05', { plain: true, rate_source: 'office' })
  await sell('others', 'noel', '2026-02-05', { plain: true })
  await close('2026-02-A', '2026-02-16')
  const { id, rows } = await statementOf(who, 'Manila', '2026-02-A')
  const plain = rows.find(({ sales }) => sales === 2)
  expect(await open(who, id, { key: plain?.key ?? '' })).toEqual({
    currency: 'PHP',
    amount: 300_00,
    sum: 300_00,
    total: 3,
    eventsAmount: 300_00,
    earlier: [],
    events: [
      event(reversal, '2026-02-06', { quantity: -1, reversal: 'chargeback', order: 'L-1' }),
      event(second, '2026-02-05', {}),
      event(first, '2026-02-03', { order: 'L-1' }),
    ],
  })
  const page = await open(who, id, { key: plain?.key ?? '', page: '2', pageSize: '2' })
  expect([page.total, page.sum, page.events.map(({ eventId }) => eventId)]).toEqual([
    3,
    300_00,
    [first],
  ])
  expect(rows).toHaveLength(4)
  for (const { key, amount } of rows) {
    expect(await open(who, id, { key })).toMatchObject({ amount, sum: amount })
  }
})

function event(
  eventId: string,
  day: string,
  { quantity = 1, reversal = null as string | null, order = null as string | null },
) {
  return {
    eventId,
    occurredAt: `${day}T17:00:00.000Z`,
    day,
    eventType: 0,
    reversal,
    siteName: 'Gamma',
    useApproveSale: false,
    typeName: 'Gift',
    transactionId: order,
    quantity,
    isPart: false,
    reason: null,
    rate: 300_00,
    amount: quantity * 300_00,
    settledOutside: false,
  }
}

test('the line of an AVP week opens its sales by tier, and what earlier statements paid for it', async () => {
  const { sell, reverse, close, who, offices } = await buildPayWorld(services, { avp: 'instead' })
  for (const name of ['a', 'b', 'c']) await sell(name, 'maria', '2026-02-04')
  // The other office's sale counts for the tier but is paid there.
  await sell('d', 'maria', '2026-02-05', { office_id: offices.cebu })
  await close('2026-02-A', '2026-02-16')
  await reverse('a', '2026-02-18')
  await reverse('b', '2026-02-18')
  await close('2026-02-B', '2026-03-02')

  const before = await statementOf(who, 'Manila', '2026-02-A')
  expect(await open(who, before.id, { key: before.keyOf('Week of 2026-02-02') })).toMatchObject({
    amount: 60_00,
    sum: 60_00,
    total: 3,
    events: [{ rate: 20_00, amount: 20_00 }, {}, {}],
    earlier: [],
  })
  const after = await statementOf(who, 'Manila', '2026-02-B')
  // One sale is left, at ₱10.00; ₱60.00 had been paid.
  expect(await open(who, after.id, { key: after.keyOf('Week of 2026-02-02') })).toMatchObject({
    amount: -50_00,
    sum: -50_00,
    total: 5,
    eventsAmount: 10_00,
    events: [
      { quantity: -1, rate: 10_00, amount: -10_00 },
      { quantity: -1 },
      { quantity: 1 },
      { quantity: 1 },
      { quantity: 1 },
    ],
    earlier: [
      { statementId: before.id, number: '2026-02-A-0002', sales: 3, tier: 2, amount: -60_00 },
    ],
  })
  // Lines that tiers pay add up to 0, and so does each of their events.
  expect(await open(who, before.id, { key: before.keyOf('Alpha') })).toMatchObject({
    amount: 0,
    sum: 0,
    events: [{ rate: 500_00, amount: 0 }, {}, {}],
  })
})

test('late lines open late events; a payee in dollars sees tiers in dollars', async () => {
  const { sell, close, payIn, who, offices } = await buildPayWorld(services, { avp: 'instead' })
  await payIn('USD', offices.manila)
  services.clock.set('2026-02-10T15:00:00Z')
  for (const name of ['2026-02-A', '2026-02-B']) {
    await db
      .insertInto('pay_exchange_rates')
      .values({ period: name, pesos_e4: 580_000, source: 'BSP', set_at: new Date(0), set_by: 1 })
      .execute()
  }
  await close('2026-02-A', '2026-02-16')
  const late = { recorded_at: new Date('2026-02-17T12:00:00Z') }
  await sell('a', 'maria', '2026-02-03', { ...late, plain: true })
  await sell('b', 'maria', '2026-01-20', { ...late, plain: true })
  await sell('c', 'maria', '2026-02-17', { plain: true })
  await sell('d', 'maria', '2026-02-18')
  await close('2026-02-B', '2026-03-02')
  const { id, rows, keyOf } = await statementOf(who, 'Manila', '2026-02-B')
  const lines = rows.filter(({ what }) => what.startsWith('Gamma'))
  const days = await Promise.all(
    lines.map(async ({ key }) => (await open(who, id, { key })).events.map(({ day }) => day)),
  )
  expect(days).toEqual([['2026-02-17'], ['2026-01-20'], ['2026-02-03']])
  expect(await open(who, id, { key: keyOf('Week of 2026-02-16') })).toMatchObject({
    currency: 'USD',
    amount: 20,
    sum: 20,
    events: [{ rate: 20, amount: 20 }],
  })
})

test('offices open their own lines and agents theirs, while payouts are shown; nobody opens another’s', async () => {
  const { sell, close, offices, agents, who } = await buildPayWorld(services, { avp: 'instead' })
  await sell('a', 'maria', '2026-02-03', { plain: true })
  await sell('b', 'noel', '2026-02-03', { plain: true, office_id: offices.manila })
  await sell('c', 'noel', '2026-02-03', { plain: true })
  await close('2026-02-A', '2026-02-16')
  const { id, rows } = await statementOf(who, 'Manila', '2026-02-A')
  const keyOf = (agent: number) => rows.find((row) => row.agent?.id === agent)?.key ?? ''
  const [marias, noels] = [keyOf(agents.maria), keyOf(agents.noel)]
  const manila = viewer({ role: 'company', officeId: offices.manila, agentId: undefined })
  const cebu = viewer({ role: 'company', officeId: offices.cebu, agentId: undefined })
  const maria = viewer({ role: 'agent', officeId: offices.manila, agentId: agents.maria })
  const noel = viewer({ role: 'agent', officeId: offices.cebu, agentId: agents.noel })
  const statusOf = async (by: Viewer, key: string) => (await ask(by, id, { key })).status

  expect(await statusOf(manila, marias)).toBe(403)
  await showPayouts()
  expect([await statusOf(manila, marias), await statusOf(manila, noels)]).toEqual([200, 200])
  expect([await statusOf(maria, marias), await statusOf(maria, noels)]).toEqual([200, 404])
  expect([await statusOf(noel, marias), await statusOf(noel, noels)]).toEqual([404, 200])
  expect([await statusOf(cebu, marias), await statusOf(cebu, noels)]).toEqual([404, 404])
  for (const key of ['lines.1.1.1.1.1.type..false.false.false', 'adjustment.1', 'x']) {
    expect(await statusOf(who, key)).toBe(404)
  }
})

test('a line still opens after its agent was deleted', async () => {
  const { sell, close, agents, who } = await buildPayWorld(services, { avp: 'information' })
  await sell('a', 'maria', '2026-02-03')
  await close('2026-02-A', '2026-02-16')
  const { id, keyOf } = await statementOf(who, 'Manila', '2026-02-A')
  await deleteAgent(services, viewer(undefined, ['DELETE_AGENTS']), agents.maria, undefined)
  expect(await open(who, id, { key: keyOf('Alpha') })).toMatchObject({
    sum: 500_00,
    events: [{ occurredAt: null, day: '2026-02-03', amount: 500_00, transactionId: null }],
  })
})

test('if the first period is a stub, the days before it are late for the periods before it', async () => {
  const { sell, close, who } = await buildPayWorld(services, {
    avp: 'information',
    firstDay: '2026-02-16',
    periodLength: 'beWeek',
  })
  // The length changes to months before the first period begins, so the first period is half a
  // month.
  await savePaySettings(services, who, {
    payees: 'offices',
    periodLength: 'month',
    avp: 'information',
    minimumCentavos: 0,
    minimumCents: 0,
  })
  await close('2026-02', '2026-03-01')
  const late = { recorded_at: new Date('2026-03-03T12:00:00Z') }
  await sell('within', 'maria', '2026-02-20', late)
  await sell('before', 'maria', '2026-02-05', late)
  await close('2026-03', '2026-04-01')
  const { id, rows } = await statementOf(who, 'Manila', '2026-03')
  expect(rows).toHaveLength(2)
  for (const { key } of rows)
    expect(await open(who, id, { key })).toMatchObject({ sum: 500_00, total: 1 })
  expect((await verifyWorld(db)).findings).toEqual([])
})
