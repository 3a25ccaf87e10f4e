import { fc, test as property } from '@fast-check/vitest'
import { tierOf } from '@tallyroom/domain/avp'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { AVP_RULES } from '@tallyroom/domain/pay'
import { periodOf } from '@tallyroom/domain/periods'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import { createAdjustment } from './balances.ts'
import { savePaySettings, verifyPay } from './index.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)

const LAST = '2026-03-31'
const PERIODS = [
  ['2026-02-A', '2026-02-15'],
  ['2026-02-B', '2026-02-28'],
  ['2026-03-A', '2026-03-15'],
  ['2026-03-B', LAST],
] as const

/** What happens on the way from 1 February to the end of March. */
const act = fc.record({
  /** Days since the act before. */
  after: fc.integer({ min: 0, max: 4 }),
  kind: fc.constantFrom(
    'sale',
    'sale',
    'sale',
    'plain',
    'bonus',
    'reversal',
    'adjustment',
    'payees',
  ),
  agent: fc.constantFrom('maria', 'noel'),
  office: fc.constantFrom('manila', 'cebu'),
  payout: fc.integer({ min: 0, max: 99_999 }),
  /** Days between an event and its postback. */
  late: fc.constantFrom(0, 0, 0, 1, 9, 30),
  pick: fc.nat(),
})

/** How each period is closed: by one, or by two at once. */
const closing = fc.constantFrom('one', 'two')

type Sale = { agent: string; office: string; day: Day; avp: boolean; payout: number; name: string }

property.prop(
  [
    fc.constantFrom(...AVP_RULES),
    fc.array(act, { minLength: 5, maxLength: 40 }),
    fc.array(closing, { minLength: 4, maxLength: 4 }),
  ],
  { numRuns: 8 },
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

    let today = '2026-02-01'
    let closed = 0
    let rates = 0
    let adjusted = 0
    let events = 0
    const open: Sale[] = []
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
        await createAdjustment(services, world.who, payee, { currency: 'PHP', amount, reason: 'x' })
        adjusted += amount
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
        const isAvp = one.kind === 'sale'
        const sale: Sale = {
          agent: one.agent,
          office: one.office,
          day: addDays(today, -one.late),
          avp: isAvp,
          payout: one.payout,
          name: `sale ${index}`,
        }
        await world.sell(sale.name, one.agent, sale.day, {
          ...(one.kind === 'sale' ? {} : { plain: true }),
          ...(one.kind === 'bonus' && { event_type: 1 }),
          office_id: world.offices[one.office],
          payout_centavos: one.payout,
          recorded_at: new Date(`${today}T17:00:00Z`),
        })
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
        (select coalesce(sum(centavos), 0)::bigint from tier_payments) as tiers,
        (select coalesce(sum(amount), 0)::bigint from statements) as statements,
        (select coalesce(sum(amount), 0)::bigint from balance_entries) as balances
    `.execute(db)
    const all = rates + tiers + adjusted
    expect(rows).toEqual([{ events, rates, tiers, statements: all, balances: all }])
    expect(await verifyPay(db)).toMatchObject({ findings: [], periods: 4, late: 0 })
  },
  60_000,
)

const tier = (index: number, from: number, to: number, centavos: number) => ({
  index,
  from,
  to,
  centavos,
})
