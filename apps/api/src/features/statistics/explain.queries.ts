import { type Day, endOfDayExclusive, NEW_YORK, startOfDay } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import {
  type AvpStep,
  conditions,
  isOfTier,
  joinAgentWeeks,
  rateAt,
  stepPlace,
  type TotalsFilter,
  weekOf,
} from '../../totals/index.ts'

/** Of an event: what was fixed when it was recorded, for one of the amounts. */
export type RecordedAmount = { eventType: 0 | 1; column: 'payout_centavos' | 'earning_cents' }
/** Of a sale on an AVP site: what its agent's tier pays. */
export type TierAmount = { eventType: 0; currency: 'payoutCentavos' | 'payoutCents' }

/** The events that an amount of a report is made of. */
export type PartsQuestion = {
  range: DateRange
  filter: TotalsFilter
  amount: RecordedAmount | TierAmount
  steps: readonly AvpStep[]
}

export type GroupRow = {
  site_id?: number
  sitename?: string
  type_id?: number
  typename?: string
  rate_source: 'default' | 'office' | 'tier'
  week?: Day
  place?: number | null
  rate: number
  sales: number
  reversals: number
  amount: number
}

/**
 * The parts that pay alike, summed, and what all of them come to. By link type and rate, the largest amounts
 * first; or by week and tier, the newest week first.
 */
export async function findGroups(tx: Tx, scope: Scope, question: PartsQuestion, limit: number) {
  const byTier = 'currency' in question.amount
  const keys = byTier
    ? sql`week, place, rate, rate_source`
    : sql`site_id, type_id, rate, rate_source`
  const { rows } = await sql<
    GroupRow & { all_groups: number; all_parts: number; all_amount: number }
  >`
    with grouped as (
      select
        ${keys}, count(*) filter (where quantity > 0) as sales,
        count(*) filter (where quantity < 0) as reversals, sum(rate * quantity)::bigint as amount
      from ${partsOf(scope, question)} as parts
      group by ${keys}
    )
    select
      grouped.* ${byTier ? sql`` : sql`, sites.sitename, link_types.typename`},
      count(*) over () as all_groups,
      (sum(sales + reversals) over ())::bigint as all_parts,
      (sum(amount) over ())::bigint as all_amount
    from grouped
    ${
      byTier
        ? sql``
        : sql`
            left join sites on sites.id = grouped.site_id
            left join link_types on link_types.id = grouped.type_id`
    }
    order by ${byTier ? sql`week desc, place` : sql`abs(amount) desc, site_id, type_id, rate, rate_source`}
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
  quantity: number
  reversal: 'void' | 'chargeback' | 'fraud' | null
  reverses: string | null
  reversed_at: Date | null
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
  rate: number
  week: Day
  week_sales?: number
  place?: number | null
}

/** The parts one by one, the newest first. */
export async function findParts(
  tx: Tx,
  scope: Scope,
  question: PartsQuestion,
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
      page.*, reversed.occurred_at as reversed_at, offices.name as office_name, accounts.username,
      sites.sitename, sites.use_approve_sale, link_types.typename
    from page
    left join sale_events as reversed on reversed.agent_id = page.agent_id and reversed.id = page.reverses
    left join offices on offices.id = page.office_id
    left join accounts on accounts.agent_id = page.agent_id
    left join sites on sites.id = page.site_id
    left join link_types on link_types.id = page.type_id
    order by page.occurred_at desc, page.id
  `.execute(tx)
  return rows
}

/** The events with the rate that each is worth; a reversal's amount is the rate times its quantity of −1. */
function partsOf(
  scope: Scope,
  { range, filter, amount, steps }: PartsQuestion,
): RawBuilder<unknown> {
  const day = sql`(occurred_at at time zone ${sql.lit(NEW_YORK)})::date`
  const byTier = 'currency' in amount
  const needsTier = byTier || filter.tier !== undefined
  const events = sql`
    select
      id, occurred_at, event_type, quantity, reversal, reverses, office_id, agent_id, site_id, type_id,
      click_id, transaction_id, postback_id, ${weekOf(day)} as week,
      ${byTier ? sql`'tier'` : sql`rate_source`} as rate_source,
      ${byTier ? sql`0::bigint` : sql`quantity * ${sql.ref(amount.column)}`} as recorded_rate
    from sale_events
    where occurred_at >= ${startOfDay(range.start)} and occurred_at < ${endOfDayExclusive(range.end)}
      and event_type = ${sql.lit(amount.eventType)} ${byTier ? sql`and avp` : sql``}
      and ${conditions(scope, filter)}
  `
  if (!needsTier) return sql`(select *, recorded_rate as rate from (${events}) as events)`
  const rate = byTier ? rateAt(steps, sql`place`, amount.currency) : sql`recorded_rate`
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
