import { statementContentSchema } from '@tallyroom/contract/pay/statements/statement'
import { beforeEach, expect, test } from 'vitest'
import { viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { deleteAgent } from '../../desk/erase/delete-agent.ts'
import { findBalances } from '../ledger/balances.queries.ts'
import { hashOf } from '../statements/canonical.ts'
import { previewPeriod } from './periods.ts'
import { savePaySettings } from '../acts/settings.ts'
import { listStatements } from '../statements/statements.ts'
import { verifyWorld } from '../../../test/verify-world.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)

beforeEach(() => emptyTables(connection, PAY_TABLES))

test('instead of rates: plain sales by rate, AVP sales by the tier of their week, each event once', async () => {
  const { sell, close } = await buildPayWorld(services, { avp: 'instead' })
  // The week of 2 February: three AVP sales, tier 2.
  for (const [name, day] of [
    ['a', '02-02'],
    ['b', '02-04'],
    ['c', '02-08'],
  ] as const) {
    await sell(name, 'maria', `2026-${day}`)
  }
  await sell('d', 'maria', '2026-02-05', { plain: true })
  await sell('e', 'maria', '2026-02-05', { event_type: 1, payout_centavos: 70_00 })
  expect(await close('2026-02-A', '2026-02-16')).toEqual({
    name: '2026-02-A',
    statements: 1,
    events: 5,
  })
  const content = await contentOf('2026-02-A-0001')
  expect(
    content.lines.map((one) => [one.siteName, one.sales, one.bonuses, one.centavos, one.tierWeek]),
  ).toEqual([
    ['Alpha', 0, 1, 70_00, null],
    ['Alpha', 3, 0, 0, '2026-02-02'],
    ['Gamma', 1, 0, 300_00, null],
  ])
  expect(content.tiers).toMatchObject([
    { week: '2026-02-02', sales: 3, paidSales: 3, tier: 2, centavos: 60_00, cents: 1_20 },
  ])
  expect(content).toMatchObject({ amount: 430_00, carried: 0, due: 430_00, conversion: null })
})

test('on top of rates: both; for information: rates only', async () => {
  for (const [avp, amount] of [
    ['on-top', 510_00],
    ['information', 500_00],
  ] as const) {
    await emptyTables(connection, PAY_TABLES)
    const { sell, close } = await buildPayWorld(services, { avp })
    await sell('a', 'maria', '2026-02-02')
    await close('2026-02-A', '2026-02-16')
    expect((await contentOf('2026-02-A-0001')).amount).toBe(amount)
  }
})

test('a week across two periods is paid in the one that contains its Sunday', async () => {
  const { sell, close } = await buildPayWorld(services, { avp: 'instead' })
  await close('2026-02-A', '2026-02-16')
  // The week of 23 February ends on 1 March.
  await sell('a', 'maria', '2026-02-23')
  await sell('b', 'maria', '2026-02-28')
  await sell('c', 'maria', '2026-03-01')
  await close('2026-02-B', '2026-03-02')
  expect(await contentOf('2026-02-B-0001')).toMatchObject({
    lines: [{ sales: 2, centavos: 0, tierWeek: '2026-02-23' }],
    tiers: [],
    amount: 0,
  })
  await close('2026-03-A', '2026-03-16')
  expect(await contentOf('2026-03-A-0001')).toMatchObject({
    lines: [{ sales: 1, centavos: 0 }],
    tiers: [{ week: '2026-02-23', sales: 3, paidSales: 3, tier: 2, centavos: 60_00, before: null }],
    amount: 60_00,
  })
})

test('a chargeback two weeks later is a line of the next statement, and changes the tier of its week', async () => {
  const { sell, reverse, close } = await buildPayWorld(services, { avp: 'instead' })
  for (const name of ['a', 'b', 'c']) await sell(name, 'maria', '2026-02-04')
  await sell('d', 'maria', '2026-02-04', { plain: true })
  await close('2026-02-A', '2026-02-16')
  const before = await contentOf('2026-02-A-0001')
  expect(before.amount).toBe(360_00)
  await reverse('a', '2026-02-18')
  await reverse('d', '2026-02-18')
  await close('2026-02-B', '2026-03-02')
  // Two sales at ₱10.00, less three at ₱20.00, and the plain sale.
  expect(await contentOf('2026-02-B-0001')).toMatchObject({
    lines: [
      { siteName: 'Alpha', reversals: 1, centavos: 0, tierWeek: '2026-02-02' },
      { siteName: 'Gamma', reversals: 1, centavos: -300_00 },
    ],
    tiers: [
      {
        week: '2026-02-02',
        sales: 2,
        tier: 1,
        before: { sales: 3, paidSales: 3, tier: 2 },
        centavos: -40_00,
      },
    ],
    amount: -340_00,
    carried: 360_00,
    due: 20_00,
  })
  expect(await contentOf('2026-02-A-0001')).toEqual(before)
})

test('late events are grouped by the period of their day', async () => {
  const { sell, close } = await buildPayWorld(services, { avp: 'information' })
  await close('2026-02-A', '2026-02-16')
  await sell('a', 'maria', '2026-02-03', { recorded_at: new Date('2026-02-17T12:00:00Z') })
  await sell('b', 'maria', '2026-01-20', { recorded_at: new Date('2026-02-17T12:00:00Z') })
  await close('2026-02-B', '2026-03-02')
  expect((await contentOf('2026-02-B-0001')).late).toMatchObject([
    { name: '2026-01-B', start: '2026-01-16', lines: [{ sales: 1 }] },
    { name: '2026-02-A', lines: [{ sales: 1, centavos: 500_00 }] },
  ])
})

test('an agent who changed offices in mid-week has a line for each, by the tier of the whole week', async () => {
  const { sell, close, offices } = await buildPayWorld(services, { avp: 'instead' })
  await sell('a', 'maria', '2026-02-02')
  await sell('b', 'maria', '2026-02-05', { office_id: offices.cebu })
  await sell('c', 'maria', '2026-02-06', { office_id: offices.cebu })
  await close('2026-02-A', '2026-02-16')
  const [cebu, manila] = [await contentOf('2026-02-A-0001'), await contentOf('2026-02-A-0002')]
  expect([cebu.payee.name, cebu.tiers, cebu.amount]).toMatchObject([
    'Cebu',
    [{ sales: 3, paidSales: 2, tier: 2 }],
    40_00,
  ])
  expect([manila.payee.name, manila.tiers, manila.amount]).toMatchObject([
    'Manila',
    [{ sales: 3, paidSales: 1, tier: 2 }],
    20_00,
  ])
})

test('what was recorded before pay was switched on is never booked, but counts for its week’s tier', async () => {
  const { sell, reverse, close } = await buildPayWorld(services, {
    avp: 'instead',
    periodLength: 'week',
    firstDay: '2026-01-26',
  })
  const before = { recorded_at: new Date('2026-01-31T12:00:00Z') }
  // The week of 26 January.
  await sell('a', 'maria', '2026-01-29', before)
  await sell('b', 'maria', '2026-01-30', before)
  await sell('old', 'maria', '2026-01-31', { ...before, plain: true })
  await sell('c', 'maria', '2026-02-01')
  expect(await close('2026-W05', '2026-02-02')).toMatchObject({ events: 1 })
  expect(await contentOf('2026-W05-0001')).toMatchObject({
    tiers: [{ sales: 3, paidSales: 1, tier: 2, centavos: 20_00 }],
    amount: 20_00,
  })
  // Reversals of settled sales are booked at their rates, and take their sales out of the week.
  await reverse('old', '2026-02-03')
  await reverse('a', '2026-02-03')
  await close('2026-W06', '2026-02-09')
  expect(await contentOf('2026-W06-0001')).toMatchObject({
    lines: [
      { siteName: 'Alpha', settledOutside: true, centavos: -500_00, tierWeek: null },
      { siteName: 'Gamma', settledOutside: true, centavos: -300_00 },
    ],
    tiers: [{ sales: 2, paidSales: 1, tier: 1, centavos: -10_00 }],
    amount: -810_00,
  })
})

test('a negative sum is carried, and so is one below the minimum', async () => {
  const { sell, reverse, close, offices } = await buildPayWorld(services, {
    avp: 'information',
    minimumCentavos: 1000_00,
  })
  const previewed = async (name: string) =>
    (await previewPeriod(services, name)).map(({ due, carriedOn }) => [due, carriedOn])
  const stateOf = async (period: string) =>
    (await listStatements(services, viewer(), { period }, { page: 1, pageSize: 50 })).items[0]
      ?.state
  await sell('a', 'maria', '2026-02-03')
  services.clock.set('2026-02-16T14:00:00Z')
  expect(await previewed('2026-02-A')).toEqual([[500_00, true]])
  await close('2026-02-A', '2026-02-16')
  expect(await stateOf('2026-02-A')).toBe('carried')
  await sell('b', 'maria', '2026-02-17')
  services.clock.set('2026-03-02T14:00:00Z')
  expect(await previewed('2026-02-B')).toEqual([[1000_00, false]])
  await close('2026-02-B', '2026-03-02')
  expect(await stateOf('2026-02-B')).toBe('due')
  expect(await contentOf('2026-02-B-0001')).toMatchObject({
    amount: 500_00,
    carried: 500_00,
    due: 1000_00,
    minimum: 1000_00,
  })
  await reverse('a', '2026-03-03')
  await close('2026-03-A', '2026-03-16')
  expect(await contentOf('2026-03-A-0001')).toMatchObject({ amount: -500_00, carried: 1000_00 })
  expect(await findBalances(db, { kind: 'office', id: offices.manila })).toMatchObject([
    { currency: 'PHP', balance: 500_00 },
  ])
})

test('a payee in dollars: pesos are summed and converted once, tiers pay in dollars', async () => {
  const { sell, reverse, close, offices, payIn } = await buildPayWorld(services, {
    avp: 'instead',
  })
  await payIn('USD', offices.manila)
  await sell('a', 'maria', '2026-02-03')
  for (const name of ['b', 'c']) {
    await sell(name, 'maria', '2026-02-03', { plain: true, payout_centavos: 100_29 })
  }
  await expect(close('2026-02-A', '2026-02-16')).rejects.toThrow('Enter the exchange rate')
  expect(await db.selectFrom('pay_periods').select('id').execute()).toEqual([])
  await enterRate('2026-02-A', 580_000)
  await close('2026-02-A', '2026-02-16')
  // ₱200.58 at 58 is $3.4582…, and a sale at tier 1 is $0.20.
  expect(await contentOf('2026-02-A-0001')).toMatchObject({
    currency: 'USD',
    tiers: [{ currency: 'USD', cents: 20, centavos: 10_00 }],
    conversion: { from: 'PHP', amount: 200_58, pesosE4: 580_000, converted: 3_46 },
    amount: 3_66,
  })
  // In pesos again: balances stay separate, and the week is corrected in its own dollars.
  await payIn('PHP', offices.manila)
  await reverse('a', '2026-02-18')
  await enterRate('2026-02-B', 600_000)
  await close('2026-02-B', '2026-03-02')
  expect(await contentOf('2026-02-B-0001')).toMatchObject({
    currency: 'PHP',
    tiers: [{ currency: 'USD', cents: -20 }],
    conversion: { from: 'USD', amount: -20, converted: -12_00 },
    amount: -12_00,
    carried: 0,
  })
  expect(await findBalances(db, { kind: 'office', id: offices.manila })).toMatchObject([
    { currency: 'PHP', balance: -12_00 },
    { currency: 'USD', balance: 3_66 },
  ])
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('a reversal goes to the payee that was paid, even after payees have changed', async () => {
  const { sell, reverse, close, who, offices, agents } = await buildPayWorld(services, {
    avp: 'instead',
  })
  await sell('a', 'maria', '2026-02-03')
  await sell('b', 'maria', '2026-02-03', { plain: true })
  services.clock.set('2026-02-10T15:00:00Z')
  await savePaySettings(services, who, {
    payees: 'agents',
    periodLength: 'beWeek',
    avp: 'on-top',
    minimumCentavos: 0,
    minimumCents: 0,
  })
  await close('2026-02-A', '2026-02-16')
  await reverse('a', '2026-02-17')
  await reverse('b', '2026-02-17')
  // Late events, in a week under the earlier rule.
  await sell('late', 'maria', '2026-02-04', { recorded_at: new Date('2026-02-17T15:00:00Z') })
  await sell('c', 'maria', '2026-02-18')
  await close('2026-02-B', '2026-03-02')
  expect(await contentOf('2026-02-B-0001')).toMatchObject({
    payee: { kind: 'office', id: offices.manila },
    lines: [
      { siteName: 'Alpha', reversals: 1, centavos: 0 },
      { reversals: 1, centavos: -300_00 },
    ],
    // The late sale stands where its week was paid. One sale less and one more: nothing changes.
    late: [{ name: '2026-02-A', lines: [{ sales: 1, centavos: 0, tierWeek: '2026-02-02' }] }],
    tiers: [],
    amount: -300_00,
  })
  expect(await contentOf('2026-02-B-0002')).toMatchObject({
    payee: { kind: 'agent', id: agents.maria },
    lines: [{ sales: 1, centavos: 500_00 }],
    late: [],
    tiers: [{ week: '2026-02-16', paidSales: 1, centavos: 10_00 }],
    amount: 510_00,
  })
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('an agent with unpaid money is deleted only with the amount; what was paid stays', async () => {
  const { sell, close, agents } = await buildPayWorld(services, { avp: 'information' })
  await sell('a', 'maria', '2026-02-03')
  await close('2026-02-A', '2026-02-16')
  await sell('b', 'maria', '2026-02-17')
  const who = viewer(undefined, ['DELETE_AGENTS'])
  for (const typed of [{}, { unpaidCentavos: 499_99 }]) {
    await expect(deleteAgent(services, who, agents.maria, typed)).rejects.toMatchObject({
      data: { unpaidCentavos: [expect.stringContaining('₱500.00 of unpaid money')] },
    })
  }
  await deleteAgent(services, who, agents.maria, { unpaidCentavos: 500_00 })
  expect(await close('2026-02-B', '2026-03-02')).toMatchObject({ events: 0 })
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('periods are closed in order, once they are over, by name, once', async () => {
  const { close, sell } = await buildPayWorld(services, { avp: 'information' })
  await sell('a', 'maria', '2026-02-03')
  await expect(close('2026-02-B', '2026-03-01')).rejects.toThrow('2026-02-A must be closed first')
  await expect(close('2026-02-A', '2026-02-15')).rejects.toThrow('is not over')
  const both = await Promise.allSettled([
    close('2026-02-A', '2026-02-16'),
    close('2026-02-A', '2026-02-16'),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(close('2026-02-A', '2026-02-16')).rejects.toThrow('already closed')
  expect(await db.selectFrom('bookings').select('event_id').execute()).toHaveLength(1)
})

const enterRate = (period: string, pesosE4: number) =>
  db
    .insertInto('pay_exchange_rates')
    .values({ period, pesos_e4: pesosE4, source: 'BSP', set_at: services.clock.now(), set_by: 1 })
    .execute()

async function contentOf(number: string) {
  const row = await db
    .selectFrom('statements')
    .selectAll()
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  expect(hashOf(row.content)).toEqual(row.content_hash)
  return statementContentSchema.parse(JSON.parse(row.content.toString()))
}
