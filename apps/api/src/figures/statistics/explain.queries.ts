import type { CountedKind } from '@tallyroom/domain/event-types'
import { type Day, endOfDayExclusive, NEW_YORK, startOfDay } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import { aboutSale, typeOf } from '../../db/event-types.ts'
import {
  conditions,
  eventsOfSub,
  isOfTier,
  joinAgentWeeks,
  rateAt,
  stepPlace,
  weekOf,
} from '../../totals/index.ts'
import { approveSaleThen } from '../../catalogue/index.ts'
import type { ReportQuestion } from './report-question.queries.ts'

/** An amount that was fixed when the event was recorded. */
export type RecordedAmount = {
  of: CountedKind
  column: 'payout_centavos' | 'earning_cents'
}
/** What the agent's tier pays for a sale on an AVP site. */
export type TierAmount = { of: 'sale'; paid: 'centavos' | 'cents' }

/** How many sales or bonuses there were: all, or those on AVP sites. */
export type CountAmount = { of: CountedKind; counted: 'all' | 'avp' }
export type Amount = RecordedAmount | TierAmount | CountAmount

/** Which amount of which events is explained. */
type Explained = Pick<ReportQuestion, 'range' | 'filter' | 'steps' | 'bySub'> & { amount: Amount }

export type GroupRow = {
  site_id?: number
  sitename?: string
  type_id?: number
  typename?: string
  rate_source?: 'default' | 'office' | 'tier'
  /** The single row of rates that all of its sales have. */
  rate_from?: Date | null
  rate_by?: string | null
  week?: Day
  place?: number | null
  rate?: number
  sales: number
  reversals: number
  differences: number
  parts: number
  amount: number
}

/**
 * Sums parts that pay the same, and all parts. Grouped by link type and rate, largest amounts
 * first; by link type alone, if the figure is a count; or, where tiers pay, by week and tier,
 * newest weeks first.
 */
export async function findGroups(tx: Tx, scope: Scope, question: Explained, limit: number) {
  const byTier = 'paid' in question.amount
  const keys = byTier
    ? sql`week, place, rate, rate_source`
    : 'counted' in question.amount
      ? sql`site_id, type_id`
      : sql`site_id, type_id, rate, rate_source, is_difference, is_part`
  const { rows } = await sql<
    GroupRow & { all_groups: number; all_parts: number; all_amount: number }
  >`
    with grouped as (
      select
        ${keys}, count(*) filter (where quantity > 0) as sales,
        count(*) filter (where quantity < 0) as reversals,
        count(*) filter (where quantity = 0 and not is_part) as differences,
        count(*) filter (where is_part) as parts, sum(rate * times)::bigint as amount,
        case when min(rate_id) = max(rate_id) and count(rate_id) = count(*) then min(rate_id) end as rate_id
      from ${partsOf(scope, question)} as parts
      group by ${keys}
    )
    select
      grouped.*, rates.valid_from as rate_from, rates.added_by_name as rate_by
      ${byTier ? sql`` : sql`, sites.sitename, link_types.typename`},
      count(*) over () as all_groups,
      (sum(sales + reversals + differences + parts) over ())::bigint as all_parts,
      (sum(amount) over ())::bigint as all_amount
    from grouped
    left join rates on rates.id = grouped.rate_id
    ${
      byTier
        ? sql``
        : sql`
            left join sites on sites.id = grouped.site_id
            left join link_types on link_types.id = grouped.type_id`
    }
    order by ${byTier ? sql`week desc, place` : sql`abs(amount) desc, ${keys}`}
    limit ${limit}
  `.execute(tx)
  const [first] = rows
  return {
    groups: rows,
    groupCount: first?.all_groups ?? 0,
    partCount: first?.all_parts ?? 0,
    sum: first?.all_amount ?? 0,
  }
}

export type PartRow = {
  id: string
  occurred_at: Date
  event_type: number
  /** What its rate is multiplied by: −1 for a reversal. */
  times: number
  adjusts: string | null
  part_ppm: number | null
  restores: string | null
  backdated_at: Date | null
  backdated_by: string | null
  backdating_reason: string | null
  is_undoing: boolean | null
  reversal: 'void' | 'chargeback' | 'fraud' | null
  reverses: string | null
  avp: boolean
  recorded_at: Date
  reversed_at: Date | null
  reversed_recorded_at: Date | null
  office_id: number
  office_name: string | null
  agent_id: number
  username: string | null
  site_id: number
  sitename: string | null
  use_approve_sale: boolean | null
  type_id: number
  typename: string | null
  click_id: string
  transaction_id: string | null
  postback_id: string | null
  rate_source: 'default' | 'office' | 'tier'
  rate_from: Date | null
  rate_by: string | null
  rate: number
  week: Day
  week_sales?: number
  place?: number | null
}

/** The parts one by one, newest first. */
export async function findParts(
  tx: Tx,
  scope: Scope,
  question: Explained,
  { limit, offset }: { limit: number; offset: number },
): Promise<PartRow[]> {
  const { rows } = await sql<PartRow>`
    with page as (
      select *
      from ${partsOf(scope, question)} as parts
      order by occurred_at desc, id
      limit ${limit} offset ${offset}
    )
    select
      page.*, reversed.occurred_at as reversed_at, reversed.recorded_at as reversed_recorded_at,
      offices.name as office_name, accounts.username,
      sites.sitename, sites.use_approve_sale, link_types.typename,
      rates.valid_from as rate_from, rates.added_by_name as rate_by,
      backdating.made_at as backdated_at, backdating.made_by_name as backdated_by,
      backdating.reason as backdating_reason, backdating.undoes is not null as is_undoing
    from page
    left join sale_events as reversed
      on reversed.agent_id = page.agent_id and reversed.id = ${aboutSale('page')}
    left join offices on offices.id = page.office_id
    left join accounts on accounts.agent_id = page.agent_id
    left join sites on sites.id = page.site_id
    left join link_types on link_types.id = page.type_id
    left join rates on rates.id = page.rate_id
    left join rate_backdatings as backdating on backdating.id = page.backdating_id
    order by page.occurred_at desc, page.id
  `.execute(tx)
  const usedApproveSale = await approveSaleThen(tx)
  return rows.map((row) => ({
    ...row,
    use_approve_sale: usedApproveSale(
      row.site_id,
      row.use_approve_sale,
      row.reversed_at ?? row.occurred_at,
    ),
  }))
}

/**
 * The events with the rate of each, which is 1 if the figure is a count. The amount of a reversal
 * is its rate times its quantity of −1; that of a difference from backdated rates or a refunded part,
 * whose quantity is 0, is its rate.
 */
function partsOf(
  scope: Scope,
  { range, filter, amount, steps, bySub }: Explained,
): RawBuilder<unknown> {
  const allEvents = bySub?.only ? eventsOfSub(bySub.only) : sql`sale_events`
  const byTier = 'paid' in amount
  const onlyAvp = byTier || ('counted' in amount && amount.counted === 'avp')
  const needsTier = byTier || filter.tier !== undefined
  const [start, end] = [startOfDay(range.start), endOfDayExclusive(range.end)]
  const source = onlyAvp
    ? sql`(
        select * from ${avpSales(allEvents, sql`occurred_at >= ${start} and ${conditions(scope, filter)}`)} as avp_sales
        where counted_at >= ${start} and counted_at < ${end}
      )`
    : sql`(
        select *, occurred_at as counted_at from ${allEvents} as sale_events
        where occurred_at >= ${start} and occurred_at < ${end} and ${conditions(scope, filter)}
      )`
  const events = sql`
    select
      id, occurred_at, event_type, quantity, reversal, reverses, office_id, agent_id, site_id, type_id,
      click_id, transaction_id, postback_id, avp, recorded_at, adjusts, backdating_id, of_sale, restores, part_ppm,
      quantity = 0 as is_difference, part_ppm is not null as is_part, ${times} as times,
      ${weekOf(sql`(counted_at at time zone ${sql.lit(NEW_YORK)})::date`)} as week,
      ${byTier ? sql`'tier'` : sql`rate_source`} as rate_source,
      ${byTier ? sql`null::bigint` : sql`rate_id`} as rate_id,
      ${recordedRate(amount)} as recorded_rate
    from ${source} as events
    where event_type = ${typeOf[amount.of]}
      and ${'column' in amount ? sql`(quantity <> 0 or ${sql.ref(amount.column)} <> 0)` : sql`quantity <> 0`}
  `
  if (!needsTier) return sql`(select *, recorded_rate as rate from (${events}) as events)`
  const rate = byTier ? rateAt(steps, sql`place`, payoutColumns[amount.paid]) : sql`recorded_rate`
  return sql`(
    select *, ${rate} as rate
    from (
      select
        events.*, coalesce(week_avp_sales, 0)::bigint as week_sales,
        ${stepPlace(steps, sql`events.week`, sql`coalesce(week_avp_sales, 0)`)} as place
      from (${events}) as events
      ${joinAgentWeeks({ rows: 'events', week: sql`events.week` }, range, scope, filter)}
    ) as tiered
    where ${isOfTier(filter.tier)}
  )`
}

/**
 * AVP sales, each with the time that decides its week: a reversal removes its sale from the day on
 * which it was made.
 */
const avpSales = (allEvents: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`(
  select events.*, coalesce(sale.occurred_at, events.occurred_at) as counted_at
  from (select * from ${allEvents} as sale_events where avp and quantity <> 0 and ${condition}) as events
  left join sale_events as sale on sale.agent_id = events.agent_id and sale.id = coalesce(events.of_sale, events.reverses)
)`

function recordedRate(amount: Amount): RawBuilder<unknown> {
  if ('paid' in amount) return sql`0::bigint`
  return 'counted' in amount ? sql`1::bigint` : sql`${times} * ${sql.ref(amount.column)}`
}

const times = sql`case when quantity = 0 then 1 else quantity end`

const payoutColumns = { centavos: 'payoutCentavos', cents: 'payoutCents' } as const
