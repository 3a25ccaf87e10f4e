import { statsTables } from '@tallyroom/contract/figures/stats-table'
import { randomUUID } from 'node:crypto'
import { fc, test as property } from '@fast-check/vitest'
import { explainRequestSchema } from '@tallyroom/contract/figures/explain'
import { payrollAvpCriteriaSchema, type SiteStats } from '@tallyroom/contract/figures/statistics'
import { tierOf } from '@tallyroom/domain/avp'
import { addDays, atNewYork, dayOf } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import { expect } from 'vitest'
import { execute } from '../../../test/test-server.ts'
import { viewer } from '../../../test/call-routes.ts'
import { databasesAt, testDatabase } from '../../../test/database.ts'
import { anyDeed, buildTwoOffices, FIRST, WEEKS } from '../../../test/two-office-world.ts'
import { rebuildTotals } from '../../totals/index.ts'
import { explain } from './explain.ts'
import { statsReport } from './report.ts'

const { db, connection } = await testDatabase()
const databases = databasesAt(db, '2026-04-01T12:00:00Z')
const superadmin = viewer(undefined, ['EARNING_VISIBLE'])

const world = await buildTwoOffices(db)
const { offices, agents, sites, types } = world

const history = fc.array(
  fc.record({
    ...anyDeed(world),
    time: fc.constantFrom('00:00', '02:30', '12:00', '23:59'),
    /** The earlier sale that it reverses, if any. */
    takesBack: fc.constantFrom(undefined, undefined, 0, 1, 5),
    event_type: fc.constantFrom(0, 0, 0, 1),
    payout: fc.integer({ min: 0, max: 100_000 }),
  }),
  { maxLength: 40 },
)
const rate = fc.integer({ min: 0, max: 9_999 })
const schedule = fc.record({
  steps: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
  rates: fc.array(rate, { minLength: 8, maxLength: 8 }),
})
/** When the schedules begin: the first possibly not before the second week. */
const schedules = fc.record({
  first: schedule,
  second: schedule,
  from: fc.integer({ min: 0, max: 2 }),
  change: fc.integer({ min: 3, max: 5 }),
})
const question = fc.record({
  week: fc.integer({ min: 0, max: WEEKS - 1 }),
  weeks: fc.integer({ min: 1, max: WEEKS }),
  siteId: fc.constantFrom(undefined, undefined, ...sites),
  companyId: fc.constantFrom(undefined, undefined, ...offices),
  agentId: fc.constantFrom(undefined, undefined, ...agents),
  avp: fc.constantFrom(undefined, undefined, 0, 1, 2),
})

type Model = ReturnType<typeof modelOf>[number]

property.prop([history, schedules, fc.array(question, { minLength: 3, maxLength: 3 })], {
  numRuns: 8,
})(
  'Payroll AVP pays what a naive model pays, in every view alike, and explains it to the centavo',
  async (deeds, { first, second, from, change }, questions) => {
    const events = eventsOf(deeds)
    const tiers = [
      ...tiersFrom(addDays(FIRST, 7 * from), first),
      ...tiersFrom(addDays(FIRST, 7 * change), second),
    ]
    await store(events, tiers)
    const model = modelOf(events, tiers)

    for (const { week, weeks, ...filter } of questions) {
      const range = { start: addDays(FIRST, 7 * week), end: addDays(FIRST, 7 * (week + weeks) - 1) }
      const meant = model.filter(
        (event) =>
          event.day >= range.start &&
          event.day <= range.end &&
          (filter.siteId === undefined || event.type.site_id === filter.siteId) &&
          (filter.companyId === undefined || event.office_id === filter.companyId) &&
          (filter.agentId === undefined || event.agent_id === filter.agentId) &&
          (filter.avp === undefined || event.tier?.index === filter.avp),
      )
      for (const groupBy of statsTables.payrollAvp.views) {
        const criteria = payrollAvpCriteriaSchema.parse({
          ...range,
          ...filter,
          groupBy,
          pageSize: 500,
        })
        const { page, overall } = await statsReport(databases, superadmin, 'payrollAvp', criteria)

        const rows = new Map(
          page.items.map((row) => [
            keyOf(groupBy, row.date, row.agentId, row.companyId),
            figuresOf(row),
          ]),
        )
        expect(rows).toEqual(
          grouped(meant, (event) => keyOf(groupBy, event.day, event.agent_id, event.office_id)),
        )
        expect(page.total).toBe(rows.size)
        expect(figuresOf(overall)).toEqual(grouped(meant, () => 'all').get('all') ?? nothing)
      }
      for (const column of ['payoutPhp', 'payoutDollars', 'payout', 'sales', 'avpSales'] as const) {
        const { figure, sum, groups, parts } = await explain(
          databases,
          superadmin,
          explainRequestSchema.parse({
            report: 'payrollAvp',
            ...range,
            ...filter,
            column,
            pageSize: 500,
          }),
        )
        const isCount = column === 'sales' || column === 'avpSales'
        const inUnits = isCount ? (count: number) => count : minorUnits
        const total = (amounts: number[]) => amounts.map(inUnits).reduce((all, one) => all + one, 0)
        const expected = grouped(meant, () => 'all').get('all')?.[column] ?? 0
        expect([figure, sum].map(inUnits)).toEqual([expected, expected])
        expect(total(groups.map((group) => group.sum))).toBe(expected)
        expect(total(parts.items.map(({ amount }) => amount))).toBe(expected)
        const ofColumn = meant.filter(({ sales, avp }) =>
          column === 'sales' || column === 'payout' ? sales !== 0 : avp !== 0,
        )
        expect(parts.total).toBe(ofColumn.length)
      }
    }
  },
)

type Event = Omit<Deed, 'takesBack'> & { id: string; quantity: number; reverses?: Event }
type Deed = {
  agent_id: number
  office_id: number
  type: (typeof types)[number]
  day: string
  time: string
  takesBack: number | undefined
  event_type: number
  payout: number
}

/** The events by day; each sale is reversed at most once. */
function eventsOf(deeds: readonly Deed[]): Event[] {
  const events: Event[] = []
  const standing: Event[] = []
  for (const { takesBack, ...deed } of deeds.toSorted((a, b) => (a.day < b.day ? -1 : 1))) {
    const sale = takesBack === undefined ? undefined : standing.splice(takesBack, 1)[0]
    if (sale) {
      const { day, time } = deed
      events.push({ ...sale, day, time, id: randomUUID(), quantity: -1, reverses: sale })
    } else {
      const event = { ...deed, id: randomUUID(), quantity: 1 }
      events.push(event)
      standing.push(event)
    }
  }
  return events
}
type Tier = { validFrom: string; index: number; from: number; to: number; php: number; usd: number }

function tiersFrom(
  validFrom: string,
  { steps, rates }: { steps: number[]; rates: number[] },
): Tier[] {
  let from = 0
  return [...steps, 1000].map((size, index) => {
    const tier = {
      validFrom,
      index,
      from,
      to: from + size - 1,
      php: rates[index] ?? 0,
      usd: rates[index + 4] ?? 0,
    }
    from += size
    return { ...tier, to: index === steps.length ? 1000 : tier.to }
  })
}

async function store(events: readonly Event[], tiers: readonly Tier[]): Promise<void> {
  await execute(connection, 'delete from sale_events')
  await db.deleteFrom('avp_tiers').execute()
  await db
    .insertInto('avp_tiers')
    .values(
      tiers.map((tier) => ({
        valid_from: tier.validFrom,
        index: tier.index,
        from_sales: tier.from,
        to_sales: tier.to,
        payout_centavos: tier.php,
        payout_cents: tier.usd,
      })),
    )
    .execute()
  const rows = events.map(({ type, day, time, payout, quantity, reverses, ...columns }) => ({
    ...columns,
    ...type,
    occurred_at: atNewYork(day, time),
    recorded_at: atNewYork(day, time),
    quantity,
    earning_cents: 0,
    payout_centavos: quantity * payout,
    lpp: 0,
    rate_source: 'default',
    fraud: false,
    click_id: 'a click',
    ...(reverses && { reverses: reverses.id, reversal: 'void' }),
  }))
  if (rows.length > 0) await db.insertInto('sale_events').values(rows).execute()
  await rebuildTotals(db)
}

/**
 * What each event counts for, with the tier of its agent in that week. A reversal counts on its own
 * day, but deducts its AVP sale from the day of the sale.
 */
function modelOf(events: readonly Event[], tiers: readonly Tier[]) {
  const dayOfEvent = ({ day, time }: Event) => dayOf(atNewYork(day, time))
  const counted = events.flatMap((event) => {
    const sales = event.event_type === 0 ? event.quantity : 0
    const avp = event.type.avp ? sales : 0
    const own = { ...event, day: dayOfEvent(event), sales, avp }
    if (!event.reverses || avp === 0) return [own]
    return [
      { ...own, avp: 0 },
      { ...own, day: dayOfEvent(event.reverses), sales: 0 },
    ]
  })
  const dated = counted.map((one) => ({ ...one, week: periodOf(one.day, 'week').start }))
  return dated.map((one) => {
    const sales = dated
      .filter(({ agent_id, week }) => agent_id === one.agent_id && week === one.week)
      .reduce((sum, { avp }) => sum + avp, 0)
    const began = tiers
      .map(({ validFrom }) => validFrom)
      .filter((validFrom) => validFrom <= one.week)
    const inForce = tiers.filter(({ validFrom }) => validFrom === began.toSorted().at(-1))
    return { ...one, tier: tierOf(sales, inForce) }
  })
}

const nothing = { sales: 0, avpSales: 0, payout: 0, payoutPhp: 0, payoutDollars: 0 }

function grouped(events: readonly Model[], key: (event: Model) => string) {
  const groups = new Map<string, typeof nothing>()
  for (const event of events) {
    const sum = groups.get(key(event)) ?? nothing
    const { sales, avp } = event
    groups.set(key(event), {
      sales: sum.sales + sales,
      avpSales: sum.avpSales + avp,
      payout: sum.payout + sales * event.payout,
      payoutPhp: sum.payoutPhp + avp * (event.tier?.php ?? 0),
      payoutDollars: sum.payoutDollars + avp * (event.tier?.usd ?? 0),
    })
  }
  return groups
}

type Figures = SiteStats['overall'] | SiteStats['page']['items'][number]

const figuresOf = ({
  sales,
  avpSales = 0,
  payout,
  payoutPhp,
  payoutDollars,
}: Figures): typeof nothing => ({
  sales,
  avpSales,
  payout: minorUnits(payout),
  payoutPhp: minorUnits(payoutPhp),
  payoutDollars: minorUnits(payoutDollars),
})

const minorUnits = (amount: number | undefined) => Math.round((amount ?? 0) * 100)

const keyOf = (
  groupBy: (typeof statsTables.payrollAvp.views)[number],
  day: string | undefined,
  agentId: number | undefined,
  officeId: number | undefined,
) =>
  ({
    date: `${day}`,
    company: `${officeId}`,
    agent: `${agentId} ${officeId}`,
    detail: `${day} ${agentId} ${officeId}`,
  })[groupBy]
