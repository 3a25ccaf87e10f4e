import { homeEndpoints } from '@tallyroom/contract/desk/home'
import { explainRequestSchema } from '@tallyroom/contract/figures/explain'
import { saleLogsEndpoints } from '@tallyroom/contract/desk/sale-logs'
import { salesEndpoints } from '@tallyroom/contract/desk/sales'
import {
  payrollAvpCriteriaSchema,
  payrollCriteriaSchema,
} from '@tallyroom/contract/figures/statistics'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { buildPayment } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { dashboardRoutes } from '../../desk/home/dashboard.routes.ts'
import { rebuildTotals } from '../../totals/index.ts'
import { saleLogsRoutes } from '../../desk/sale-logs/sale-logs.routes.ts'
import { explain } from '../../figures/statistics/explain.ts'
import { statsReport } from '../../figures/statistics/report.ts'
import { savePaySettings } from '../acts/settings.ts'
import { estimatesFor } from './own-pay.ts'
import { listStatements } from '../statements/statements.ts'

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

test('a sale names the statements that it and its reversal were booked on, to those who may see them', async () => {
  const { sell, reverse, close, offices, agents } = await buildPayWorld(services, {
    avp: 'instead',
  })
  const id = await sell('a', 'maria', '2026-02-03')
  // Maria sold for Cebu, too: that is another payee's statement.
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
  // An admin without PAY sees the numbers but cannot open anything.
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

test('the page of a sale says what its tier pays, as the sale log does, until it is taken back', async () => {
  const { sell, reverse, offices, agents } = await buildPayWorld(services, { avp: 'instead' })
  const id = await sell('a', 'maria', '2026-02-03')
  const plain = await sell('b', 'maria', '2026-02-03', { plain: true })
  const maria = viewer({ role: 'agent', officeId: offices.manila, agentId: agents.maria })
  const payOf = async (eventId: string, who = viewer()) => {
    const { body } = await call(who, salesEndpoints.sale, { params: { eventId } })
    return body.tierPay
  }
  const { body } = await call(viewer(), saleLogsEndpoints.searchSaleLogs, { body: {} })
  const row = body.items.items.find((one: { id: string }) => one.id === id)
  expect(row.tierPay).toMatchObject({ tier: 1, isOnTop: false, currency: 'PHP' })
  expect(await payOf(id)).toEqual(row.tierPay)
  expect(await payOf(plain)).toBeUndefined()
  expect(await payOf(id, maria)).toBeUndefined()
  await showPayouts()
  expect(await payOf(id, maria)).toEqual(row.tierPay)
  await reverse('a', '2026-02-05')
  expect(await payOf(id)).toBeUndefined()
})

test('the page of a sale says what pays for it and its changes, or that nothing here does', async () => {
  const { sell, reverse, offices, agents } = await buildPayWorld(services, { avp: 'instead' })
  const recorded = { recorded_at: new Date('2026-02-01T04:59:59Z') }
  const outside = await sell('outside', 'maria', '2026-01-31', recorded)
  const avp = await sell('avp', 'maria', '2026-02-03')
  const plain = await sell('plain', 'maria', '2026-02-03', { plain: true })
  const part = {
    quantity: 0,
    payout_centavos: -45_00,
    part_ppm: 250_000,
    click_id: 'avp',
    adjusts: avp,
  }
  await sell('part', 'maria', '2026-02-04', part)
  await reverse('outside', '2026-02-05')
  const saleOf = async (eventId: string, who = viewer()) =>
    (await call(who, salesEndpoints.sale, { params: { eventId } })).body
  // The reversal is taken from what is paid now, by rate, as its sale was.
  expect(await saleOf(outside)).toMatchObject({ paidBy: 'outside', reversal: { paidBy: 'rate' } })
  expect(await saleOf(avp)).toMatchObject({
    paidBy: 'tier',
    life: [{ kind: 'part', paidBy: 'tier' }],
  })
  expect(await saleOf(plain)).toMatchObject({ paidBy: 'rate' })
  const maria = viewer({ role: 'agent', officeId: offices.manila, agentId: agents.maria })
  expect(await saleOf(outside, maria)).not.toHaveProperty('paidBy')
  await showPayouts()
  expect(await saleOf(outside, maria)).toMatchObject({ paidBy: 'outside' })
  await emptyTables(connection, ['pay_seals', 'pay_settings', 'pay_state'])
  expect(await saleOf(plain)).toMatchObject({ paidBy: 'off' })
})

test('offices do not learn of their agents’ statements', async () => {
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

test('Home says what payees earn, when that is paid and to whom, and what waits for holders of PAY', async () => {
  const home = async (who: ReturnType<typeof viewer>) => (await call(who, homeEndpoints.home)).body
  expect((await home(viewer())).network.needs).not.toHaveProperty('pay')

  const { close, sell, offices, agents } = await buildPayWorld(services, { avp: 'instead' })
  await sell('a', 'maria', '2026-02-03')
  await sell('b', 'maria', '2026-02-04')
  await sell('c', 'maria', '2026-02-04', { plain: true })
  await sell('d', 'maria', '2026-02-05', { plain: true, event_type: 1, payout_centavos: 70_00 })
  await sell('e', 'maria', '2026-02-16')
  const manila = viewer({ role: 'company', officeId: offices.manila, agentId: undefined })
  const cebu = viewer({ role: 'company', officeId: offices.cebu, agentId: undefined })
  const maria = viewer({ role: 'agent', officeId: offices.manila, agentId: agents.maria })
  services.clock.set('2026-02-16T18:00:00Z')
  expect(await home(manila)).not.toHaveProperty('pay')
  await showPayouts()
  // Two sales in a week are ₱10.00 each, by tier; their rates of ₱500.00 are not paid.
  const earned = { currency: 'PHP', differences: 0, adjustments: { PHP: 0, USD: 0 } }
  const then = {
    ...earned,
    amount: 390_00,
    rates: 300_00,
    bonuses: 70_00,
    tiers: { PHP: 20_00, USD: 0 },
  }
  const now = { ...earned, amount: 10_00, rates: 0, bonuses: 0, tiers: { PHP: 10_00, USD: 0 } }
  const payee = { kind: 'office', id: offices.manila, name: 'Manila' }
  const toManila = { payee, currency: 'PHP', usualDays: null }
  expect((await home(manila)).pay).toMatchObject({
    today: { PHP: 10_00, USD: 0 },
    now: { name: '2026-02-B', isClosed: false, to: [{ ...now, payee, isPart: false }] },
    last: {
      name: '2026-02-A',
      isClosed: false,
      to: [{ ...then, payee, isPart: false }],
      statement: null,
    },
    before: null,
    next: {
      ...toManila,
      period: { name: '2026-02-A' },
      step: 'earning',
      amount: 390_00,
      blocked: 'no-account',
    },
  })
  expect((await home(maria)).pay).toMatchObject({
    now: { to: [{ ...now, payee, isPart: true }] },
    last: { to: [{ ...then, payee, isPart: true }] },
    next: { ...toManila, isPart: true, amount: 390_00, account: null, blocked: null },
  })
  const nothing = {
    periods: null,
    accounts: null,
    disowned: null,
    runs: null,
    proposals: null,
    contradicted: null,
  }
  expect((await home(viewer())).network.needs.pay).toEqual({
    ...nothing,
    periods: { count: 1, since: '2026-02-16T05:00:00.000Z' },
  })
  expect((await home(viewer(staff))).network.needs).not.toHaveProperty('pay')

  await close('2026-02-A', '2026-02-16')
  services.clock.set('2026-02-16T18:10:00Z')
  const statement = { number: '2026-02-A-0001', state: 'due', paidOn: null, carriedInto: null }
  const { pay } = await home(manila)
  expect(pay).toMatchObject({
    now: { to: [now] },
    last: { isClosed: true, to: [then], statement },
    next: { period: { name: '2026-02-A' }, step: 'closed', amount: 390_00 },
  })
  expect((await home(maria)).pay.last).toMatchObject({ isClosed: true, to: [then], statement })
  expect((await home(cebu)).pay.last).toMatchObject({ isClosed: true, to: [], statement: null })
  expect((await home(viewer())).network.needs.pay).toEqual(nothing)
  expect(await home(viewer())).not.toHaveProperty('pay')

  // Paid on the 20th, five days after the period ended.
  await payStatement(pay.last.statement.id, offices.manila, '2026-02-20T15:00:00Z')
  expect((await home(maria)).pay).toMatchObject({
    last: { statement: { state: 'paid', paidOn: '2026-02-20' } },
    next: {
      period: { name: '2026-02-B' },
      step: 'earning',
      amount: 10_00,
      usualDays: 5,
      expectedBy: '2026-03-05',
    },
  })
})

/** Pays all that an office is owed by a run that is prepared, approved and done. */
async function payStatement(statementId: number, officeId: number, at: string) {
  const { amount } = await db
    .selectFrom('statements')
    .select('amount')
    .where('id', '=', statementId)
    .executeTakeFirstOrThrow()
  await buildPayment(db, officeId, { currency: 'PHP', amount, paid: true, at: new Date(at) })
}

test('Home of an office has what a late reversal elsewhere takes from the tier of its agent', async () => {
  const { sell, reverse, close, offices } = await buildPayWorld(services, { avp: 'instead' })
  await sell('a', 'maria', '2026-02-03')
  for (const name of ['b', 'c'])
    await sell(name, 'maria', '2026-02-04', { office_id: offices.cebu })
  await close('2026-02-A', '2026-02-16')
  await close('2026-02-B', '2026-03-02')
  await reverse('a', '2026-03-03')
  await showPayouts()
  services.clock.set('2026-03-04T17:00:00Z')

  // Two sales instead of three: ₱10.00 each instead of ₱20.00.
  const cebu = viewer({ role: 'company', officeId: offices.cebu, agentId: undefined })
  const [estimate] = await estimatesFor(services, cebu, '2026-03-A')
  expect(estimate?.content).toMatchObject({ amount: -20_00, tiers: [{ paidSales: 2, tier: 1 }] })
  const { body } = await call(cebu, homeEndpoints.home)
  expect(body.pay.now).toMatchObject({ name: '2026-03-A', to: [{ amount: -20_00 }] })

  await close('2026-03-A', '2026-03-16')
  const { items } = await listStatements(
    services,
    viewer(),
    { period: '2026-03-A' },
    { page: 1, pageSize: 50 },
  )
  expect(items.find(({ payee }) => payee.id === offices.cebu)?.amount).toBe(-20_00)
})

test('an explanation says what pays for each sale, by the setting for the week of the sale', async () => {
  services.clock.set('2026-02-01T15:00:00Z')
  const { sell, reverse, who } = await buildPayWorld(services, { avp: 'instead' })
  const settings = {
    payees: 'offices',
    periodLength: 'beWeek',
    minimumCentavos: 0,
    minimumCents: 0,
  } as const
  services.clock.set('2026-02-10T15:00:00Z')
  // Both apply from 16 February, a Monday; the last one saved counts.
  await savePaySettings(services, who, { ...settings, avp: 'information' })

  const names = new Map<string, string>()
  const sold = async (name: string, day: string, more: Parameters<typeof sell>[3] = {}) =>
    names.set(await sell(name, 'maria', day, more), name)
  await sold('outside', '2026-02-02', { recorded_at: new Date('2026-01-31T12:00:00Z') })
  await sold('by tier', '2026-02-10')
  await sold('plain', '2026-02-10', { plain: true })
  await sold('by rate', '2026-02-18')
  names.set(await reverse('by tier', '2026-02-19'), 'taken back')
  await rebuildTotals(db)
  services.clock.set('2026-03-05T15:00:00Z')
  const paidBy = async (report: 'payroll' | 'payrollAvp', column: string) => {
    const { figure, sum, parts } = await explain(
      services,
      viewer(undefined, ['EARNING_VISIBLE']),
      explainRequestSchema.parse({ report, column, start: '2026-02-02', end: '2026-03-01' }),
    )
    expect(sum).toBe(figure)
    return Object.fromEntries(parts.items.map((part) => [names.get(part.eventId), part.paidBy]))
  }
  const avp = {
    outside: undefined,
    'by tier': 'tier',
    'by rate': 'rate',
    'taken back': 'tier',
  }
  expect(await paidBy('payroll', 'payout')).toEqual({ ...avp, plain: 'rate' })
  expect(await paidBy('payrollAvp', 'payoutPhp')).toEqual(avp)
  // Nobody pays an earning or a count.
  expect(Object.values(await paidBy('payroll', 'sales'))).toEqual(Array(5).fill(undefined))
  expect(Object.values(await paidBy('payroll', 'earn'))).toEqual(Array(5).fill(undefined))

  await savePaySettings(services, who, { ...settings, avp: 'on-top' })
  expect(await paidBy('payroll', 'payout')).toMatchObject({ 'by rate': 'rate' })
})

test('the statements of a period pay what Payroll and Payroll AVP show for its days', async () => {
  services.clock.set('2026-02-01T15:00:00Z')
  const { sell, reverse, close, sites } = await buildPayWorld(services, { avp: 'instead' })
  for (const [index, day] of ['02-02', '02-04', '02-08', '02-10', '02-15'].entries()) {
    await sell(`maria ${index}`, 'maria', `2026-${day}`)
    await sell(`noel ${index}`, 'noel', `2026-${day}`, { plain: true })
  }
  await sell('bonus', 'noel', '2026-02-12', { event_type: 1, payout_centavos: 70_00 })
  // Moves maria from tier 2 to tier 1 in the previous week.
  await reverse('maria 0', '2026-02-11')
  await reverse('noel 1', '2026-02-14')
  await rebuildTotals(db)
  await close('2026-02-A', '2026-02-16')

  const superadmin = viewer(undefined, ['EARNING_VISIBLE'])
  const range = { start: '2026-02-02', end: '2026-02-15' }
  const plain = { ...range, siteId: sites.gamma }
  const [byRate, byTier] = [
    await statsReport(services, superadmin, 'payroll', payrollCriteriaSchema.parse(plain)),
    await statsReport(services, superadmin, 'payrollAvp', payrollAvpCriteriaSchema.parse(range)),
  ]
  const bonus = await statsReport(
    services,
    superadmin,
    'payroll',
    payrollCriteriaSchema.parse({ ...range, siteId: sites.alpha }),
  )
  const shown = [byRate.overall.payout, bonus.overall.bonusPayout, byTier.overall.payoutPhp]
  // Four plain sales of ₱300.00, the bonus, and two sales in each week at ₱10.00.
  expect(shown).toEqual([1200, 70, 40])
  const sums = (table: 'statements' | 'balance_entries') =>
    db
      .selectFrom(table)
      .select((eb) => eb.fn.sum<string>('amount').as('sum'))
      .executeTakeFirst()
  for (const table of ['statements', 'balance_entries'] as const) {
    expect(Number((await sums(table))?.sum)).toBe(1310_00)
  }
})
