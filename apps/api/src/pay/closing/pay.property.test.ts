import { fc, test as property } from '@fast-check/vitest'
import {
  payrollAvpCriteriaSchema,
  payrollCriteriaSchema,
} from '@tallyroom/contract/figures/statistics'
import { tierOf } from '@tallyroom/domain/avp'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { AVP_RULES } from '@tallyroom/domain/pay'
import { periodOf } from '@tallyroom/domain/periods'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { buildAccount } from '../../../test/build-world.ts'
import { buildPayment } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { expectFilled } from '../../../test/settled-states.ts'
import { execute } from '../../../test/test-server.ts'
import { rebuildTotals } from '../../totals/index.ts'
import { statsReport } from '../../figures/statistics/report.ts'
import { approveProposal } from '../acts/decide.ts'
import { createAdjustment } from '../acts/adjust.ts'
import { findBalances } from '../ledger/balances.queries.ts'
import { convertBalance } from '../acts/former-balance.ts'
import { proposeTaxRate } from '../acts/tax-rates.ts'
import { saveTaxDetails } from '../acts/tax-details.ts'
import { savePaySettings } from '../acts/settings.ts'
import { verifyWorld } from '../../../test/verify-world.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)

const superadmin = viewer(undefined, ['EARNING_VISIBLE'])
const LAST = '2026-03-31'
const PERIODS = [
  ['2026-02-A', '2026-02-15'],
  ['2026-02-B', '2026-02-28'],
  ['2026-03-A', '2026-03-15'],
  ['2026-03-B', LAST],
] as const
/** The exchange rate of every period: ₱57.1234 per dollar. */
const PESOS_E4 = 571_234

/** What happens between 1 February and the end of March. */
const act = fc.record({
  /** Days since the previous act. */
  after: fc.integer({ min: 0, max: 4 }),
  kind: fc.constantFrom(
    'sale',
    'sale',
    'sale',
    /** Another AVP sale on the day of an earlier one, for the same office. */
    'again',
    'again',
    'plain',
    'bonus',
    'reversal',
    'adjustment',
    'payees',
    'payees',
    'currency',
    'payment',
    /** Of the balance in the currency that an office has left. */
    'conversion',
    /** Of an office, or of both agents while they are paid. */
    'tax',
    'tax',
  ),
  agent: fc.constantFrom('maria', 'noel'),
  office: fc.constantFrom('manila', 'cebu'),
  payout: fc.integer({ min: 0, max: 99_999 }),
  /** Days between an event and its postback. */
  late: fc.constantFrom(0, 0, 0, 1, 9, 30),
  pick: fc.nat(),
})

/** How each period is closed: by one person, or by two at once. */
const closing = fc.constantFrom('one', 'two')

type Sale = {
  agent: 'maria' | 'noel'
  office: 'manila' | 'cebu'
  day: Day
  avp: boolean
  payout: number
  name: string
}

property.prop(
  [
    fc.constantFrom(...AVP_RULES),
    fc.array(act, { minLength: 5, maxLength: 40 }),
    fc.array(closing, { minLength: 4, maxLength: 4 }),
  ],
  { numRuns: process.env['TESTS'] === 'thorough' ? 40 : 8 },
)(
  'every event is booked once, rates and tiers pay what the events say, and every statement is made again',
  async (avp, acts, closings) => {
    await emptyTables(connection, PAY_TABLES)
    const world = await buildPayWorld(services, { avp })
    await execute(
      connection,
      `insert into avp_tiers (valid_from, index, from_sales, to_sales, payout_centavos, payout_cents)
       values ('2026-03-02', 0, 0, 1, 333, 7), ('2026-03-02', 1, 2, 1000, 1111, 21)`,
    )
    const schedules = [
      { from: '2026-03-02', tiers: [tier(0, 0, 1, 333), tier(1, 2, 1000, 1111)] },
      {
        from: '2025-12-29',
        tiers: [tier(0, 0, 0, 0), tier(1, 1, 2, 1000), tier(2, 3, 1000, 2000)],
      },
    ]

    const second = { ...viewer(), accountId: await buildAccount(db, { username: 'second' }) }
    /** Of each payee, in the order in which they were approved. */
    const taxRates: { payee: string; fromDay: Day; rateBp: number }[] = []
    for (const payee of [
      ...Object.values(world.offices).map((id) => ({ kind: 'office', id }) as const),
      ...Object.values(world.agents).map((id) => ({ kind: 'agent', id }) as const),
    ])
      await saveTaxDetails(services, world.who, payee, {
        fromDay: '2026-02-01',
        registeredName: 'Somebody',
        country: 'other',
        taxNumber: `${payee.kind} ${payee.id}`,
        address: 'Somewhere',
      })

    let today = '2026-02-01'
    let closed = 0
    let rates = 0
    /** The currency in which an office is paid. */
    const currencies = { manila: 'PHP', cebu: 'PHP' } as Record<'manila' | 'cebu', 'PHP' | 'USD'>
    /** Payments minus failed ones, in minor units. */
    const paid = { PHP: 0, USD: 0 }
    const adjusted = { PHP: 0, USD: 0 }
    /** What conversions added to balances, and took from them. */
    const converted = { PHP: 0, USD: 0 }
    for (const [period] of PERIODS) {
      await db
        .insertInto('pay_exchange_rates')
        .values({ period, pesos_e4: PESOS_E4, source: 'x', set_at: new Date(0), set_by: 1 })
        .execute()
    }
    let events = 0
    const open: Sale[] = []
    const made: Sale[] = []
    /** AVP sales by week and agent, then by office. */
    const weeks = new Map<string, Map<string, number>>()

    function count(sale: Sale, quantity: number) {
      events++
      if (!sale.avp || avp !== 'instead') rates += quantity * sale.payout
      if (!sale.avp) return
      const key = `${periodOf(sale.day, 'week').start} ${sale.agent}`
      const offices = weeks.get(key) ?? new Map<string, number>()
      weeks.set(key, offices)
      offices.set(sale.office, (offices.get(sale.office) ?? 0) + quantity)
    }

    async function closeUpTo(day: Day) {
      for (; (PERIODS[closed]?.[1] ?? '9999') < day; closed++) {
        const [name = '', end = ''] = PERIODS[closed] ?? []
        const how = closings[closed]
        const close = () => world.close(name, addDays(end, 1))
        const done = await Promise.allSettled([close(), ...(how === 'two' ? [close()] : [])])
        expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      }
    }

    for (const [index, one] of acts.entries()) {
      const next = addDays(today, one.after)
      if (next > LAST) break
      await closeUpTo(next)
      today = next
      services.clock.set(`${today}T17:00:00Z`)
      if (one.kind === 'adjustment') {
        const payee = { kind: 'office', id: world.offices[one.office] } as const
        const amount = one.payout - 50_000 || 1
        const currency = currencies[one.office]
        const countsAs = one.pick % 2 ? 'earned' : 'not income'
        const asked = { currency, amount, reason: 'x', countsAs } as const
        const { id } = await createAdjustment(services, world.who, payee, asked)
        // Above the limit it waits for a second person, and is on no statement.
        if (id !== null) adjusted[currency] += amount
      } else if (one.kind === 'currency') {
        currencies[one.office] = one.pick % 2 ? 'PHP' : 'USD'
        await world.payIn(currencies[one.office], world.offices[one.office])
      } else if (one.kind === 'payment') {
        const owed = await findBalances(db, { kind: 'office', id: world.offices[one.office] })
        for (const { currency, balance } of owed.filter((each) => each.balance > 0)) {
          // Every other transfer fails.
          const isPaid = one.pick % 2 === 0
          const transfer = { currency, amount: balance, paid: isPaid, at: services.clock.now() }
          await buildPayment(db, world.offices[one.office], transfer)
          if (isPaid) paid[currency] += balance
        }
      } else if (one.kind === 'conversion') {
        const payee = { kind: 'office', id: world.offices[one.office] } as const
        const into = currencies[one.office]
        const currency = into === 'PHP' ? 'USD' : 'PHP'
        const owed =
          (await findBalances(db, payee)).find((each) => each.currency === currency)?.balance ?? 0
        const gives = into === 'PHP' ? amountOf(into, 0, owed) : amountOf(into, owed, 0)
        const asked = { currency, pesosE4: PESOS_E4, source: 'x' } as const
        const proposed = await convertBalance(services, world.who, payee, asked).catch(
          (error: unknown) => error,
        )
        // Nothing is owed, or nothing would be left.
        expect(typeof proposed === 'number').toBe(gives !== 0)
        if (typeof proposed !== 'number') continue
        await approveProposal(services, second, proposed)
        converted[currency] -= owed
        converted[into] += gives
      } else if (one.kind === 'tax') {
        const payee =
          one.pick % 3 === 0
            ? ({ kind: 'agent', id: world.agents[one.agent] } as const)
            : ({ kind: 'office', id: world.offices[one.office] } as const)
        // Also in the middle of a period, and for one that comes later.
        const first = addDays(PERIODS[closed - 1]?.[1] ?? '2026-01-31', 1)
        const fromDay = addDays(first, one.pick % 20)
        const rateBp = [0, 1000, 500, 1237, 5000][one.payout % 5] ?? 0
        const code = rateBp === 0 ? null : 'WI515'
        const asked = { fromDay, rateBp, code, reason: 'x' }
        const proposed = await proposeTaxRate(services, world.who, payee, asked).catch(
          (error: unknown) => error,
        )
        if (typeof proposed !== 'number') {
          expect(proposed).toMatchObject({ data: { _form: ['This is the rate already.'] } })
          continue
        }
        await approveProposal(services, second, proposed)
        taxRates.push({ payee: `${payee.kind} ${payee.id}`, fromDay, rateBp })
      } else if (one.kind === 'payees') {
        await savePaySettings(services, world.who, {
          payees: one.pick % 2 ? 'offices' : 'agents',
          periodLength: 'beWeek',
          avp,
          minimumCentavos: 0,
          minimumCents: 0,
        })
      } else if (one.kind === 'reversal') {
        const [sale] = open.splice(one.pick % Math.max(open.length, 1), 1)
        if (!sale) continue
        await world.reverse(sale.name, today)
        count(sale, -1)
      } else {
        const like = one.kind === 'again' ? made[one.pick % Math.max(made.length, 1)] : undefined
        if (one.kind === 'again' && !like) continue
        const isAvp = one.kind === 'sale' || one.kind === 'again'
        const { agent, office } = like ?? one
        const sale: Sale = {
          agent,
          office,
          day: like?.day ?? addDays(today, -one.late),
          avp: isAvp,
          payout: one.payout,
          name: `sale ${index}`,
        }
        await world.sell(sale.name, agent, sale.day, {
          ...(isAvp ? {} : { plain: true }),
          ...(one.kind === 'bonus' && { event_type: 1 }),
          office_id: world.offices[office],
          payout_centavos: one.payout,
          recorded_at: new Date(`${today}T17:00:00Z`),
        })
        if (isAvp) made.push(sale)
        open.push(sale)
        count(sale, 1)
      }
    }
    await closeUpTo('2026-04-01')

    let tiers = 0
    for (const [key, offices] of weeks) {
      const [week = ''] = key.split(' ')
      if (addDays(week, 6) > LAST || avp === 'information') continue
      const sales = [...offices.values()].reduce((sum, one) => sum + one, 0)
      const schedule = schedules.find(({ from }) => from <= week)
      tiers += sales * (schedule ? (tierOf(sales, schedule.tiers)?.centavos ?? 0) : 0)
    }
    const { rows } = await sql`
      select
        (select count(*) from bookings) as events,
        (select coalesce(sum(payout_centavos), 0)::bigint from bookings) as rates,
        (select coalesce(sum(centavos), 0)::bigint from tier_payments) as tiers
    `.execute(db)
    expect(rows).toEqual([{ events, rates, tiers }])
    // Every statement is the sum of its payee's bookings, tier payments and adjustments.
    const statements = await db.selectFrom('statements').selectAll().execute()
    const bookings = await db.selectFrom('bookings').selectAll().execute()
    const tierRows = await db.selectFrom('tier_payments').selectAll().execute()
    const adjustments = await db
      .selectFrom('adjustments')
      .innerJoin('booked_adjustments', 'adjustment_id', 'adjustments.id')
      .select(['amount', 'currency', 'counts_as', 'statement_id'])
      .execute()
    for (const currency of ['PHP', 'USD'] as const) {
      const booked = adjustments.filter((one) => one.currency === currency)
      expect(sumOf(booked.map((one) => one.amount))).toBe(adjusted[currency])
    }
    for (const { id, number, period_id, payee_kind, payee_id, currency, amount } of statements) {
      const own = bookings.filter(
        (one) =>
          one.period_id === period_id && one.payee_kind === payee_kind && one.payee_id === payee_id,
      )
      const inCurrency = (unit: 'PHP' | 'USD') =>
        sumOf([
          ...tierRows
            .filter((one) => one.statement_id === id && one.currency === unit)
            .map((one) => (unit === 'PHP' ? one.centavos : one.cents)),
          ...adjustments
            .filter((one) => one.statement_id === id && one.currency === unit)
            .map((one) => one.amount),
        ])
      const pesos = sumOf(own.map((one) => one.payout_centavos)) + inCurrency('PHP')
      const expected = amountOf(currency, pesos, inCurrency('USD'))
      expect({ number, amount }).toEqual({ number, amount: expected })
    }
    // A sale that tiers alone pay stands on a statement of whoever gets its week's line, if there was one before.
    const closedAs = new Map(statements.map((one) => [one.id, one]))
    const lines = tierRows.toSorted((one, other) => one.id - other.id)
    for (const one of bookings.filter(({ paid_by: by }) => by === 'tier')) {
      const first = lines.find(
        ({ agent_id, office_id, week }) =>
          agent_id === one.agent_id && office_id === one.office_id && week === one.avp_week,
      )
      const statement = first && closedAs.get(first.statement_id)
      if (!statement || statement.period_id >= one.period_id) continue
      expect([one.payee_kind, one.payee_id]).toEqual([statement.payee_kind, statement.payee_id])
    }
    const notIncomeOf = ({ id, currency }: { id: number; currency: string }) => {
      const own = adjustments.filter(
        (one) => one.statement_id === id && one.counts_as === 'not income',
      )
      const inCurrency = (unit: 'PHP' | 'USD') =>
        sumOf(own.filter((one) => one.currency === unit).map((one) => one.amount))
      return own.length === 0 ? null : amountOf(currency, inCurrency('PHP'), inCurrency('USD'))
    }
    // Tax is that of the rate of the period's last day, of what was earned; at most the quarter's is given back.
    const taxed = { PHP: 0, USD: 0 }
    const quarters = new Map<string, number>()
    const taxEntries = await db
      .selectFrom('balance_entries')
      .select(['statement_id', 'amount'])
      .where('kind', '=', 'tax')
      .execute()
    const ends = new Map(
      (await db.selectFrom('pay_periods').select(['id', 'end_day']).execute()).map((one) => [
        one.id,
        one.end_day,
      ]),
    )
    for (const one of statements.toSorted((a, b) => a.id - b.id)) {
      const end = ends.get(one.period_id) ?? ''
      const payee = `${one.payee_kind} ${one.payee_id}`
      // All periods end in the first quarter.
      const quarter = `${payee} ${one.currency}`
      const before = quarters.get(quarter) ?? 0
      const own = taxRates.filter((rate) => rate.payee === payee && rate.fromDay <= end)
      const lastDay = own
        .map(({ fromDay }) => fromDay)
        .toSorted()
        .at(-1)
      const rate = own.findLast(({ fromDay }) => fromDay === lastDay)?.rateBp ?? 0
      expect(one.not_income).toBe(notIncomeOf(one))
      const base = one.amount - (one.not_income ?? 0)
      const tax = Math.sign(base) * Math.round(Math.abs((base * rate) / 10_000))
      const withheld = tax < 0 ? -Math.min(-tax, before) : tax
      quarters.set(quarter, before + withheld)
      taxed[one.currency as 'PHP' | 'USD'] += withheld
      const entry = taxEntries.find(({ statement_id }) => statement_id === one.id)
      expect({ number: one.number, withheld: 0 - (entry?.amount ?? 0) }).toEqual({
        number: one.number,
        withheld: withheld + 0,
      })
    }
    // What is owed is the sum of statements minus tax and payments, and what was converted, separately in each currency.
    for (const currency of ['PHP', 'USD'] as const) {
      const { rows: sums } = await sql`
        select
          (select coalesce(sum(amount), 0)::bigint from statements where currency = ${currency}) as statements,
          (select coalesce(sum(amount), 0)::bigint from balance_entries where currency = ${currency})
            as balances
      `.execute(db)
      const [sum] = sums as { statements: number; balances: number }[]
      expect(sum?.balances).toBe(
        (sum?.statements ?? 0) - taxed[currency] - paid[currency] + converted[currency],
      )
    }

    // The reports for the same days agree.
    await rebuildTotals(db)
    services.clock.set('2026-04-02T15:00:00Z')
    const days = { start: '2025-12-29', end: LAST }
    const sites = avp === 'instead' ? { siteId: world.sites.gamma } : {}
    const payroll = payrollCriteriaSchema.parse({ ...days, ...sites })
    const byRate = await statsReport(services, superadmin, 'payroll', payroll)
    const { payout = 0, bonusPayout = 0 } = byRate.overall as Record<string, number>
    expect(Math.round((payout + bonusPayout) * 100)).toBe(rates)
    if (avp !== 'information') {
      // The last week ends in April.
      const closedWeeks = payrollAvpCriteriaSchema.parse({ ...days, end: '2026-03-29' })
      const byTier = await statsReport(services, superadmin, 'payrollAvp', closedWeeks)
      const { payoutPhp = 0 } = byTier.overall as Record<string, number>
      expect(Math.round(payoutPhp * 100)).toBe(tiers)
    }
    expect(await verifyWorld(db)).toMatchObject({ findings: [], periods: 4, late: 0 })
    await expectFilled(db, connection, services.clock.now())
  },
  240_000,
)

/** In minor units. Amounts in the other currency are converted once, half away from zero. */
function amountOf(currency: string, pesos: number, dollars: number): number {
  const round = (value: number) => Math.sign(value) * Math.round(Math.abs(value))
  return currency === 'PHP'
    ? pesos + round((dollars * PESOS_E4) / 10_000)
    : dollars + round((pesos * 10_000) / PESOS_E4)
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, one) => sum + one, 0)

const tier = (index: number, from: number, to: number, centavos: number) => ({
  index,
  from,
  to,
  centavos,
})
