import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { profitEndpoints } from '@tallyroom/contract/pay/bookings/profit'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { statementContentSchema } from '@tallyroom/contract/pay/statements/statement'
import { HIGHEST_RATE } from '@tallyroom/contract/amounts'
import { moneyText, statementSums } from '@tallyroom/contract/pay/statements/statement-sections'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { execute } from '../../../test/test-server.ts'
import { approveWaiting } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { findBalances } from '../ledger/balances.queries.ts'
import type { Booking } from '../bookings/book-events.queries.ts'
import { getCalendar, openPeriods } from '../terms/calendar.ts'
import { canonicalBytes } from '../statements/canonical.ts'
import { makeStatement } from '../statements/make-statement.ts'
import { findOpenParts } from './open-parts.ts'
import { payRoutes } from '../pay.routes.ts'
import { previewPeriod } from './periods.ts'
import { savePaySettings } from '../acts/settings.ts'
import { verifyWorld } from '../../../test/verify-world.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes(payRoutes(services))

beforeEach(() => emptyTables(connection, PAY_TABLES))

const settings = {
  payees: 'offices',
  periodLength: 'beWeek',
  avp: 'information',
  minimumCentavos: 0,
  minimumCents: 0,
} as const

test('a reversal of a sale two periods ago that arrives before the sale: both are late on one statement', async () => {
  const { sell, reverse, close } = await buildPayWorld(services, { avp: 'instead' })
  await sell('paid', 'maria', '2026-02-03', { plain: true })
  await close('2026-02-A', '2026-02-16')
  await close('2026-02-B', '2026-03-02')
  // The reversals are dated 2 and 3 March; the second one's sale is dated in February and recorded
  // after it.
  await reverse('paid', '2026-03-02')
  const recorded = { recorded_at: new Date('2026-03-04T12:00:00Z') }
  await sell('late', 'maria', '2026-02-04', { plain: true, ...recorded })
  await reverse('late', '2026-03-03')
  // An AVP sale of the first period whose reversal leaves its week unchanged.
  await sell('avp', 'maria', '2026-02-04', recorded)
  await reverse('avp', '2026-03-03')
  await close('2026-03-A', '2026-03-16')
  expect(await contentOf('2026-03-A-0001')).toMatchObject({
    lines: [
      { siteName: 'Alpha', reversals: 1, centavos: 0, tierWeek: '2026-02-02' },
      { siteName: 'Gamma', reversals: 2, centavos: -600_00, settledOutside: false },
    ],
    late: [
      {
        name: '2026-02-A',
        lines: [
          { siteName: 'Alpha', sales: 1, centavos: 0 },
          { siteName: 'Gamma', sales: 1, centavos: 300_00 },
        ],
      },
    ],
    tiers: [],
    amount: -300_00,
    carried: 300_00,
    due: 0,
  })
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('three periods are closed on one day, in order, one of them empty', async () => {
  const { sell, close, offices } = await buildPayWorld(services, { avp: 'instead' })
  await sell('a', 'maria', '2026-02-03', { plain: true })
  await sell('c', 'maria', '2026-03-03', { plain: true })
  // The weeks of 23 February and 9 March end in the third period.
  await sell('d', 'maria', '2026-02-28')
  await sell('e', 'noel', '2026-03-15')
  await expect(close('2026-03-A', '2026-03-20')).rejects.toThrow('2026-02-A must be closed first')
  expect(await close('2026-02-A', '2026-03-20')).toMatchObject({ statements: 1, events: 1 })
  await expect(close('2026-03-A', '2026-03-20')).rejects.toThrow('2026-02-B must be closed first')
  expect(await close('2026-02-B', '2026-03-20')).toMatchObject({ statements: 1, events: 1 })
  expect(await close('2026-03-A', '2026-03-20')).toMatchObject({ statements: 2, events: 2 })
  const contents = await Promise.all(
    ['2026-02-A-0001', '2026-02-B-0001', '2026-03-A-0002'].map(contentOf),
  )
  expect(contents.map(({ amount, carried, due }) => [amount, carried, due])).toEqual([
    [300_00, 0, 300_00],
    [0, 300_00, 300_00],
    [310_00, 300_00, 610_00],
  ])
  expect(await findBalances(db, { kind: 'office', id: offices.manila })).toMatchObject([
    { balance: 610_00 },
  ])
  // Nothing happens in the fourth: it closes without a statement, and nothing is carried on paper
  // alone.
  expect(await close('2026-03-B', '2026-04-01')).toMatchObject({ statements: 0, events: 0 })
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('a statement keeps its payee and the names of its day after renaming, hiding, suspending and moving', async () => {
  const { sell, reverse, close, who, offices, agents, sites, types } = await buildPayWorld(
    services,
    { avp: 'instead' },
  )
  await sell('a', 'maria', '2026-02-03', { plain: true })
  await sell('b', 'maria', '2026-02-03')
  await close('2026-02-A', '2026-02-16')
  const before = await contentOf('2026-02-A-0001')
  const { username } = await db
    .selectFrom('accounts')
    .select('username')
    .where('agent_id', '=', agents.maria)
    .executeTakeFirstOrThrow()

  await db
    .updateTable('offices')
    .set({ name: 'Luzon', hidden: true, active: false })
    .where('id', '=', offices.manila)
    .execute()
  await db
    .updateTable('accounts')
    .set({ username: 'marietta' })
    .where('agent_id', '=', agents.maria)
    .execute()
  await db
    .updateTable('agents')
    .set({ office_id: offices.cebu })
    .where('id', '=', agents.maria)
    .execute()
  await db.updateTable('sites').set({ sitename: 'Delta' }).where('id', '=', sites.gamma).execute()
  await db
    .updateTable('link_types')
    .set({ typename: 'Present' })
    .where('id', '=', types.plainType)
    .execute()
  // After the move: a sale for Cebu, and the reversal of a sale that was paid to Manila.
  await sell('c', 'maria', '2026-02-18', { plain: true, office_id: offices.cebu })
  await reverse('a', '2026-02-19')
  await close('2026-02-B', '2026-03-02')

  expect(await contentOf('2026-02-A-0001')).toEqual(before)
  expect(before).toMatchObject({
    payee: { name: 'Manila' },
    lines: [
      { agentName: username, officeName: 'Manila', siteName: 'Alpha', typeName: 'Free' },
      { agentName: username, officeName: 'Manila', siteName: 'Gamma', typeName: 'Gift' },
    ],
  })
  const { items } = (await call(who, statementsEndpoints.statements)).body
  expect(
    items.map((one: { number: string; payee: { name: string }; amount: number }) => [
      one.number,
      one.payee.name,
      one.amount,
    ]),
  ).toEqual([
    ['2026-02-B-0001', 'Cebu', 300_00],
    ['2026-02-B-0002', 'Luzon', -300_00],
    ['2026-02-A-0001', 'Manila', 310_00],
  ])
  expect(await contentOf('2026-02-B-0001')).toMatchObject({
    lines: [
      {
        agentName: 'marietta',
        officeName: 'Cebu',
        siteName: 'Delta',
        typeName: 'Present',
        sales: 1,
      },
    ],
  })
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('an agent of a suspended and hidden office is paid like any other', async () => {
  const { sell, close, offices } = await buildPayWorld(services, { avp: 'information' })
  await sell('a', 'maria', '2026-02-03')
  await db
    .updateTable('offices')
    .set({ hidden: true, active: false })
    .where('id', '=', offices.manila)
    .execute()
  expect(await close('2026-02-A', '2026-02-16')).toMatchObject({ statements: 1, events: 1 })
})

test('100,000 sales at the highest rate are paid to the centavo', async () => {
  const rate = HIGHEST_RATE * 100
  const booking: Booking = {
    agentId: 1,
    eventId: '00000000-0000-7000-8000-000000000001',
    payeeKind: 'office',
    payeeId: 1,
    day: '2026-02-03',
    avpWeek: null,
    paidBy: 'rate',
    eventType: 0,
    quantity: 1,
    isPart: false,
    officeId: 1,
    siteId: 1,
    typeId: 1,
    rateSource: 'default',
    rateCentavos: rate,
    payoutCentavos: rate,
    fraud: false,
    settledOutside: false,
    agentName: 'maria',
    officeName: 'Manila',
    siteName: 'Gamma',
    typeName: 'Gift',
  }
  const period = { name: '2026-02-A', start: '2026-02-01', end: '2026-02-15' }
  const content = makeStatement({
    number: '2026-02-A-0001',
    period: { ...period, payees: 'offices', avp: 'information' },
    payee: { kind: 'office', id: 1, name: 'Manila' },
    currency: 'PHP',
    closedBy: 'closer',
    closedAt: services.clock.now(),
    bookings: Array.from({ length: 100_000 }, () => booking),
    tiers: [],
    adjustments: [],
    carried: 1,
    tax: undefined,
    advances: [],
    holdingDays: 0,
    minimum: 0,
    document: undefined,
    exchangeRate: undefined,
    periodOf: () => period,
  })
  const amount = 10_000_000_000_000
  expect(content).toMatchObject({ amount, lines: [{ sales: 100_000, centavos: amount }] })
  expect(statementContentSchema.parse(JSON.parse(canonicalBytes(content).toString()))).toEqual(
    content,
  )
  expect(statementSums(content).map((one) => moneyText(one.amount, one.currency))).toEqual([
    '₱100,000,000,000.00',
    '₱0.01',
    '₱100,000,000,000.01',
  ])
})

test('a sale at the highest rate is booked, summed and paid to the centavo', async () => {
  const { sell, close, who, offices } = await buildPayWorld(services, { avp: 'information' })
  const payout_centavos = HIGHEST_RATE * 100
  for (const name of ['a', 'b', 'c']) await sell(name, 'maria', '2026-02-03', { payout_centavos })
  const highest = 10_000_000_000_000
  const adjust = (amount: number) =>
    call(who, balancesEndpoints.createAdjustment, {
      body: { kind: 'office', id: offices.manila, currency: 'PHP', amount, reason: 'The highest' },
    })
  expect([(await adjust(highest)).status, (await adjust(highest)).status]).toEqual([200, 200])
  await approveWaiting(services)
  for (const more of [highest + 1, -highest - 1]) {
    expect((await adjust(more)).body.data).toEqual({
      amount: ['must be between −100,000,000,000.00 and 100,000,000,000.00'],
    })
  }
  await close('2026-02-A', '2026-02-16')
  const amount = 2 * highest + 3 * payout_centavos
  const { items, centavos } = (await call(who, statementsEndpoints.statements)).body
  expect([items[0].amount, centavos]).toEqual([amount, amount])
  expect(await findBalances(db, { kind: 'office', id: offices.manila })).toMatchObject([
    { balance: amount },
  ])
  expect(
    (await call(who, statementsEndpoints.statement, { params: { id: items[0].id } })).status,
  ).toBe(200)
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('half-months end at midnight in New York, also those with a clock change', async () => {
  const { sell, close } = await buildPayWorld(services, {
    avp: 'information',
    firstDay: '2026-03-01',
  })
  const soldAt = async (at: string) => {
    const moment = new Date(at)
    return sell(at, 'maria', at.slice(0, 10), { occurred_at: moment, recorded_at: moment })
  }
  // The clocks go forward on 8 March: the period begins at 05:00 UTC and ends at 04:00 UTC.
  await soldAt('2026-03-01T04:59:59.999Z')
  await soldAt('2026-03-01T05:00:00Z')
  await soldAt('2026-03-16T03:59:59.999Z')
  await soldAt('2026-03-16T04:00:00Z')
  expect(await close('2026-03-A', '2026-03-17')).toMatchObject({ events: 3 })
  expect(await contentOf('2026-03-A-0001')).toMatchObject({
    lines: [{ sales: 2 }],
    late: [{ name: '2026-02-B', lines: [{ sales: 1 }] }],
  })
  const months = ['03', '04', '05', '06', '07', '08', '09', '10'] as const
  for (const [index, month] of months.entries()) {
    if (month !== '03') await close(`2026-${month}-A`, `2026-${month}-16`)
    const next = String(index + 4).padStart(2, '0')
    await close(`2026-${month}-B`, `2026-${next}-01`)
  }
  // They go back on 1 November at 02:00: the day has 25 hours, begins at 04:00 UTC and ends at
  // 05:00 UTC.
  await soldAt('2026-11-01T03:59:59.999Z')
  await soldAt('2026-11-01T04:00:00Z')
  await soldAt('2026-11-01T05:30:00Z')
  await soldAt('2026-11-01T06:30:00Z')
  await soldAt('2026-11-16T04:59:59.999Z')
  await soldAt('2026-11-16T05:00:00Z')
  expect(await close('2026-11-A', '2026-11-17')).toMatchObject({ events: 5 })
  expect(await contentOf('2026-11-A-0001')).toMatchObject({
    lines: [{ sales: 4 }],
    late: [{ name: '2026-10-B', lines: [{ sales: 1 }] }],
  })
})

test('half-months become weeks: late events belong to the periods of their time, and no day is left out', async () => {
  const { sell, close, who } = await buildPayWorld(services, { avp: 'instead' })
  services.clock.set('2026-02-20T15:00:00Z')
  await savePaySettings(services, who, { ...settings, periodLength: 'week', avp: 'instead' })
  await close('2026-02-A', '2026-02-20')
  await close('2026-02-B', '2026-03-02')
  const late = { recorded_at: new Date('2026-03-02T18:00:00Z') }
  await sell('old', 'maria', '2026-02-10', { plain: true, ...late })
  await sell('older', 'maria', '2026-02-20', { plain: true, ...late })
  // 1 March is a Sunday: a stub of one day that ends its week.
  await sell('sunday', 'maria', '2026-03-01')
  await sell('monday', 'maria', '2026-03-02')
  await close('2026-W09', '2026-03-09')
  expect(await contentOf('2026-W09-0001')).toMatchObject({
    period: { start: '2026-03-01', end: '2026-03-01' },
    lines: [{ sales: 1, centavos: 0 }],
    late: [
      { name: '2026-02-A', lines: [{ sales: 1, centavos: 300_00 }] },
      { name: '2026-02-B', lines: [{ sales: 1, centavos: 300_00 }] },
    ],
    tiers: [{ week: '2026-02-23', paidSales: 1, centavos: 10_00 }],
    amount: 610_00,
  })
  expect(await close('2026-W10', '2026-03-09')).toMatchObject({ events: 1 })
  expect(await contentOf('2026-W10-0001')).toMatchObject({
    period: { start: '2026-03-02', end: '2026-03-08' },
    tiers: [{ week: '2026-03-02' }],
  })
  // Periods of different lengths are ordered by day, not by name.
  const profit = (await call(who, profitEndpoints.profit)).body
  expect(profit.map((row: { key: string }) => row.key)).toEqual(['2026-W10', '2026-W09'])
  services.clock.set('2026-03-10T15:00:00Z')
  await savePaySettings(services, who, { ...settings, periodLength: 'month', avp: 'instead' })
  await close('2026-W11', '2026-03-16')
  await sell('april', 'maria', '2026-04-01', { plain: true })
  await close('2026-03', '2026-04-02')
  await close('2026-04', '2026-05-02')
  const names = (await call(who, profitEndpoints.profit)).body.map(
    (row: { key: string }) => row.key,
  )
  expect(names[0]).toBe('2026-04')
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('after a restore, statements have distinct numbers', async () => {
  const { sell, close } = await buildPayWorld(services, { avp: 'information' })
  await sell('a', 'maria', '2026-02-03')
  await execute(connection, 'update pay_state set epoch = 29000000')
  await emptyTables(connection, ['pay_seals'])
  await close('2026-02-A', '2026-02-16')
  expect((await contentOf('2026-02-A-E29000000-0001')).amount).toBe(500_00)
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('profit by period, by office and by site is the same money, counted by hand', async () => {
  const { sell, reverse, close, payIn, who, offices, sites } = await buildPayWorld(services, {
    avp: 'instead',
  })
  const enterRate = (period: string, pesosE4: number) =>
    call(who, payEndpoints.savePayExchangeRate, {
      params: { name: period },
      body: { pesosE4, source: 'BSP' },
    })
  const adjust = (officeId: number, currency: 'PHP' | 'USD', amount: number) =>
    call(who, balancesEndpoints.createAdjustment, {
      body: { kind: 'office', id: officeId, currency, amount, reason: 'A prize' },
    })
  await payIn('USD', offices.cebu)
  services.clock.set('2026-02-10T15:00:00Z')
  await enterRate('2026-02-A', 500_000)
  // Manila: two plain sales, one AVP sale at ₱10.00, ₱40.00 as an adjustment. Cebu: one of each,
  // and a sale for Manila's agent.
  await sell('m1', 'maria', '2026-02-03', { plain: true })
  await sell('m2', 'maria', '2026-02-04', { plain: true })
  await sell('m3', 'maria', '2026-02-04')
  await sell('c1', 'noel', '2026-02-04', { plain: true })
  await sell('c2', 'noel', '2026-02-04')
  await sell('c3', 'maria', '2026-02-05', { plain: true, office_id: offices.cebu })
  await adjust(offices.manila, 'PHP', 40_00)
  await adjust(offices.cebu, 'USD', -1_00)
  await close('2026-02-A', '2026-02-16')
  await reverse('m1', '2026-02-18')
  await enterRate('2026-02-B', 600_000)
  await approveWaiting(services)
  await close('2026-02-B', '2026-03-02')

  const profit = async (query: Record<string, string>) =>
    (await call(who, profitEndpoints.profit, { query })).body.map(
      (row: Record<string, unknown>) => [
        row['name'],
        row['events'],
        row['earningCents'],
        row['ratesCentavos'],
        row['tiersCentavos'],
        row['adjustmentsCentavos'],
        row['payoutCentavos'],
        row['payoutCents'],
        row['marginCents'],
      ],
    )
  // −$1.00 is −₱50.00 at 50.
  const manilaA = ['Manila', 3, 75_00, 600_00, 10_00, 40_00, 650_00, 13_00, 62_00]
  const cebu = ['Cebu', 3, 75_00, 600_00, 10_00, -50_00, 560_00, 11_20, 63_80]
  expect(await profit({ groupBy: 'office', period: '2026-02-A' })).toEqual([cebu, manilaA])
  // The reversal takes back $25.00 and ₱300.00, at 60.
  expect(await profit({ groupBy: 'office' })).toEqual([
    cebu,
    ['Manila', 4, 50_00, 300_00, 10_00, 40_00, 350_00, 8_00, 42_00],
  ])
  expect(await profit({ groupBy: 'period' })).toEqual([
    ['2026-02-B', 1, -25_00, -300_00, 0, 0, -300_00, -5_00, -20_00],
    ['2026-02-A', 6, 150_00, 1_200_00, 20_00, -10_00, 1_210_00, 24_20, 125_80],
  ])
  expect(await profit({ groupBy: 'site' })).toEqual([
    ['Gamma', 5, 75_00, 900_00, 0, 0, 900_00, 19_00, 56_00],
    ['Alpha', 2, 50_00, 0, 0, 0, 0, 0, 50_00],
    ['AVP tiers and adjustments', 0, 0, 0, 20_00, -10_00, 10_00, 20, -20],
  ])
  expect(sites.alpha).not.toBe(sites.gamma)
})

test('profit counts what tiers paid in dollars as dollars, and needs no exchange rate for them', async () => {
  const { sell, close, payIn, who, offices } = await buildPayWorld(services, { avp: 'instead' })
  await db
    .insertInto('avp_tiers')
    .values([
      { ...tier, index: 0, from_sales: 0, to_sales: 0, payout_centavos: 0, payout_cents: 0 },
      {
        ...tier,
        index: 1,
        from_sales: 1,
        to_sales: 9,
        payout_centavos: 200_00,
        payout_cents: 10_00,
      },
    ])
    .execute()
  await payIn('USD', offices.cebu)
  for (const name of ['a', 'b', 'c']) await sell(name, 'noel', '2026-02-03')
  await close('2026-02-A', '2026-02-16')
  const profit = async (groupBy: string) =>
    (await call(who, profitEndpoints.profit, { query: { groupBy, period: '2026-02-A' } })).body
  const paid = { payoutCents: 30_00, payoutCentavos: null, tiersCentavos: null }
  expect(await profit('office')).toMatchObject([{ ...paid, name: 'Cebu', marginCents: 45_00 }])

  // Another period with ₱57.00 for a dollar.
  services.clock.set('2026-02-17T15:00:00Z')
  await call(who, payEndpoints.savePayExchangeRate, {
    params: { name: '2026-02-B' },
    body: { pesosE4: 570_000, source: 'BSP' },
  })
  for (const name of ['d', 'e', 'f']) await sell(name, 'noel', '2026-02-18')
  await close('2026-02-B', '2026-03-02')
  expect((await call(who, profitEndpoints.profit)).body).toMatchObject([
    {
      key: '2026-02-B',
      tiersCentavos: 1_710_00,
      payoutCentavos: 1_710_00,
      payoutCents: 30_00,
      marginCents: 45_00,
    },
    { ...paid, key: '2026-02-A', marginCents: 45_00 },
  ])
})

const tier = { valid_from: '2026-02-02' }

test('a late AVP sale stands where its week was paid, also on top of rates', async () => {
  for (const avp of ['instead', 'on-top'] as const) {
    await emptyTables(connection, PAY_TABLES)
    const world = await buildPayWorld(services, { avp })
    const { sell, close, who, offices, agents } = world
    await sell('a', 'noel', '2026-02-03')
    await sell('b', 'noel', '2026-02-04')
    services.clock.set('2026-02-10T15:00:00Z')
    await savePaySettings(services, who, { ...settings, payees: 'agents', avp })
    await close('2026-02-A', '2026-02-16')
    const recorded_at = new Date('2026-02-17T15:00:00Z')
    await sell('late', 'noel', '2026-02-05', { recorded_at })
    await sell('c', 'noel', '2026-02-18', { plain: true })
    services.clock.set('2026-03-02T15:00:00Z')
    const preview = await previewPeriod(services, '2026-02-B')
    await close('2026-02-B', '2026-03-02')
    // Three sales at ₱20.00 instead of two at ₱10.00; and its rate.
    const byRate = avp === 'on-top' ? 500_00 : 0
    expect(await contentOf('2026-02-B-0001')).toMatchObject({
      payee: { kind: 'office', id: offices.cebu },
      lines: [],
      late: [{ name: '2026-02-A', lines: [{ sales: 1, centavos: byRate }] }],
      tiers: [{ week: '2026-02-02', sales: 3, centavos: 40_00 }],
      amount: 40_00 + byRate,
    })
    expect(await contentOf('2026-02-B-0002')).toMatchObject({
      payee: { kind: 'agent', id: agents.noel },
      lines: [{ sales: 1, centavos: 300_00 }],
      late: [],
      tiers: [],
    })
    expect(Object.fromEntries(preview.map(({ payee, amount }) => [payee.kind, amount]))).toEqual({
      agent: 300_00,
      office: 40_00 + byRate,
    })
    expect((await verifyWorld(db)).findings).toEqual([])
  }
})

test('a reversal that was stored with an earlier date than its sale stands beside it', async () => {
  const { sell, reverse, close, who, agents } = await buildPayWorld(services, { avp: 'instead' })
  services.clock.set('2026-02-10T15:00:00Z')
  await savePaySettings(services, who, { ...settings, avp: 'instead', payees: 'agents' })
  await sell('kept', 'maria', '2026-02-03', { plain: true })
  await sell('a', 'maria', '2026-02-16', { plain: true })
  await reverse('a', '2026-02-15')
  services.clock.set('2026-02-17T15:00:00Z')
  const calendar = await getCalendar(db)
  const open = await findOpenParts(db, {
    calendar,
    periods: openPeriods(calendar, '2026-02-17'),
    now: services.clock.now(),
    whose: { agentIds: [agents.maria] },
  })
  expect(
    open.map(({ parts }) =>
      parts.map(({ bookings }) =>
        bookings.map((one) => one.quantity).toSorted((one, other) => one - other),
      ),
    ),
  ).toEqual([[[1]], [[-1, 1]]])
  await close('2026-02-A', '2026-02-17')
  expect((await verifyWorld(db)).findings).toEqual([])
  expect(await contentOf('2026-02-A-0001')).toMatchObject({
    lines: [{ sales: 1, reversals: 0, centavos: 300_00 }],
  })
  await close('2026-02-B', '2026-03-02')
  expect(await contentOf('2026-02-B-0001')).toMatchObject({
    payee: { kind: 'agent', id: agents.maria },
    lines: [{ sales: 1, reversals: 0, centavos: 300_00 }],
    late: [{ name: '2026-02-A', lines: [{ reversals: 1, centavos: -300_00 }] }],
    amount: 0,
  })
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('adjustments that are entered while a period is closed stand on this statement or on the next, once', async () => {
  const { sell, close, who, offices } = await buildPayWorld(services, { avp: 'information' })
  await sell('a', 'maria', '2026-02-03', { plain: true })
  const body = {
    kind: 'office',
    id: offices.manila,
    currency: 'PHP',
    amount: 1_00,
    reason: 'Prize',
  }
  const adjust = () => call(who, balancesEndpoints.createAdjustment, { body })
  await Promise.all([adjust(), adjust(), close('2026-02-A', '2026-02-16'), adjust(), adjust()])
  await close('2026-02-B', '2026-03-02')
  const booked = await db.selectFrom('booked_adjustments').select('adjustment_id').execute()
  expect(booked).toHaveLength(4)
  expect(await findBalances(db)).toMatchObject([{ id: offices.manila, balance: 304_00 }])
  expect((await verifyWorld(db)).findings).toEqual([])
})

test('a payee’s own minimum stays with its currency', async () => {
  const { sell, close, payIn, who, offices } = await buildPayWorld(services, {
    avp: 'information',
    minimumCentavos: 100_00,
  })
  const params = { kind: 'office', id: offices.manila }
  const setMinimum = (amount: number | null, more: object = {}) =>
    call(who, balancesEndpoints.setPayMinimum, { params, body: { amount, ...more } })
  await setMinimum(1_000_00)
  await sell('a', 'maria', '2026-02-03', { plain: true })
  await close('2026-02-A', '2026-02-16')
  expect((await contentOf('2026-02-A-0001')).minimum).toBe(1_000_00)

  // ₱1,000.00 are not $1,000.00: without a minimum in dollars, the network's counts.
  await payIn('USD', offices.manila)
  await sell('b', 'maria', '2026-02-18', { plain: true })
  const rate = { pesosE4: 500_000, source: 'BSP' }
  await call(who, payEndpoints.savePayExchangeRate, { params: { name: '2026-02-B' }, body: rate })
  await close('2026-02-B', '2026-03-02')
  expect(await contentOf('2026-02-B-0001')).toMatchObject({ currency: 'USD', minimum: 0 })
  await setMinimum(5_00)
  // A dialog that was opened while the payee was paid in pesos.
  expect((await setMinimum(500_00, { currency: 'PHP' })).body.data).toEqual({
    currency: ['must be dollars'],
  })
  const shown = async () => (await call(who, balancesEndpoints.balance, { params })).body
  const dollars = { currency: 'USD', amount: 5_00 }
  expect(await shown()).toMatchObject({
    balances: [
      { currency: 'PHP', minimum: 1_000_00, ownMinimum: true },
      { currency: 'USD', minimum: 5_00, ownMinimum: true },
    ],
    ownMinimums: [{ currency: 'PHP', amount: 1_000_00 }, dollars],
  })
  // The currency that the payee left can't get another minimum, but it loses the one that it has.
  expect((await setMinimum(null, { currency: 'PHP' })).status).toBe(200)
  expect(await shown()).toMatchObject({
    balances: [{ currency: 'PHP', minimum: 100_00, ownMinimum: false }, { currency: 'USD' }],
    ownMinimums: [dollars],
  })
})

test('a reason has at most 500 characters, and its markup is text', async () => {
  const { close, who, offices } = await buildPayWorld(services, { avp: 'information' })
  const body = { kind: 'office', id: offices.manila, currency: 'PHP', amount: 100 }
  const adjust = (reason: string) =>
    call(who, balancesEndpoints.createAdjustment, { body: { ...body, reason } })
  const hold = (reason: string) =>
    call(who, balancesEndpoints.setPayHold, {
      params: { kind: 'office', id: offices.manila },
      body: { held: true, reason },
    })
  for (const reason of ['x'.repeat(5_000), 'x'.repeat(501), ' ', '\u200b\u2060', 'one\ntwo']) {
    for (const refused of [await adjust(reason), await hold(reason)]) {
      expect([refused.status, Object.keys(refused.body.data)]).toEqual([422, ['reason']])
    }
  }
  expect(await db.selectFrom('adjustments').select('id').execute()).toEqual([])
  const markup = '<script>alert(1)</script> & “₱” =SUM(A1)'
  expect((await adjust(markup)).status).toBe(200)
  expect((await hold('x'.repeat(500))).status).toBe(200)
  await close('2026-02-A', '2026-02-16')
  expect((await contentOf('2026-02-A-0001')).adjustments).toMatchObject([{ reason: markup }])
})

async function contentOf(number: string) {
  const row = await db
    .selectFrom('statements')
    .select('content')
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  return statementContentSchema.parse(JSON.parse(row.content.toString()))
}
