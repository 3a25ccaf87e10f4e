import type { Day } from '@tallyroom/domain/new-york'
import { type DateRange, weeksOf } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import { type AvpStep, stepPlace } from '../avp-schedules/index.ts'
import { type Level, weekOf } from '../daily-totals/index.ts'
import { agentsOf, daysOf, type RowKey } from './stats-parts.ts'
import type { StatsQuestion } from './stats-question.ts'
import {
  agentConditions,
  conditions,
  type TierFilter,
  type TotalsFilter,
} from './totals-filter.queries.ts'

/** The weeks behind a row: their AVP sales, and the places in `steps` of the tiers that they have. */
export type RowTiers = {
  week?: Day
  agent_id: number
  office_id: number
  week_sales: number
  places: (number | null)[]
}

/**
 * Joins rows of totals or events to the weeks of their agents, for `week_avp_sales`: null where there are none.
 * `rows` is what they are called, `range` and the filter are theirs.
 */
export function joinAgentWeeks(
  { rows, week }: { rows: string; week: RawBuilder<unknown> },
  range: DateRange,
  scope: Scope,
  filter: TotalsFilter,
): RawBuilder<unknown> {
  const of = (column: string) => sql.ref(`${rows}.${column}`)
  return sql`
    left join (
      select day as week, agent_id, office_id, week_avp_sales
      from totals_week_agent
      where week_avp_sales <> 0 and ${daysWithin(weeksOf(range))} and ${agentConditions(scope, filter)}
    ) as agent_week
      on agent_week.agent_id = ${of('agent_id')} and agent_week.week = ${week}
      and agent_week.office_id = ${of('office_id')}
  `
}

/** Of a row with the `place` of a tier. */
export const isOfTier = (tier: TierFilter | undefined): RawBuilder<unknown> =>
  tier ? sql`place = any(${placesOf(tier)}::integer[])` : sql`true`

const placesOf = ({ index, steps }: TierFilter): number[] =>
  steps.flatMap((step, position) => (step.index === index ? [position + 1] : []))

export type TiersQuestion = Pick<StatsQuestion, 'range' | 'groupBy' | 'filter'> & {
  steps: readonly AvpStep[]
}

/** The tiers of the rows of a page, which are of agents. */
export async function findTiers(
  tx: Tx,
  scope: Scope,
  question: TiersQuestion,
  page: readonly RowKey[],
): Promise<RowTiers[]> {
  const agentIds = agentsOf(page)
  if (agentIds.length === 0) return []
  const days = question.groupBy === 'detail' ? daysOf(page) : undefined
  const { rows } = await tiersByRow(scope, {
    ...question,
    range: days ? weeksOf(days) : question.range,
    filter: { ...question.filter, agentIds },
  }).execute(tx)
  return rows
}

/**
 * The tiers of agents with their offices, over the range or, for detail rows, week by week. Every week counts
 * in which the agent did anything for the office; its sales are those of the agent, whatever else is filtered.
 */
function tiersByRow(
  scope: Scope,
  { groupBy, range, filter, steps }: TiersQuestion,
): RawBuilder<RowTiers> {
  const { officeId, agentIds } = filter
  const keys = tierKeys(groupBy)
  return sql<RowTiers>`
    select ${keys}, sum(week_avp_sales)::bigint as week_sales, array_agg(distinct place) as places
    from (
      select
        day as week, agent_id, office_id, week_avp_sales,
        ${stepPlace(steps, sql`day`, sql`week_avp_sales`)} as place
      from totals_week_agent
      where ${daysWithin(range)} and ${conditions(scope, { officeId, agentIds })}
    ) as weeks
    where ${isOfTier(filter.tier)}
    group by ${keys}
  `
}

const tierKeys = (groupBy: StatsQuestion['groupBy']) =>
  groupBy === 'detail' ? sql`week, agent_id, office_id` : sql`agent_id, office_id`

/**
 * The same for every row, to sort by, with the condition that finds a row's own. From the weeks with AVP sales:
 * rows that are not there have none, and no higher tier than the lowest.
 */
export function tiersToSortBy(
  scope: Scope,
  { groupBy, range, filter, steps }: TiersQuestion,
): readonly [RawBuilder<unknown>, RawBuilder<unknown>] {
  const { officeId, agentIds } = filter
  const keys = tierKeys(groupBy)
  const indexes = steps.map(({ index }) => index)
  const tiers = sql`
    select ${keys}, sum(week_avp_sales)::bigint as week_sales, max((${indexes}::integer[])[place]) as highest_tier
    from (
      select
        day as week, agent_id, office_id, week_avp_sales,
        ${stepPlace(steps, sql`day`, sql`week_avp_sales`)} as place
      from totals_week_agent
      where week_avp_sales <> 0 and ${daysWithin(range)} and ${conditions(scope, { officeId, agentIds })}
    ) as weeks
    where ${isOfTier(filter.tier)}
    group by ${keys}
  `
  return [
    sql`
      select
        agent_id as tier_agent, office_id as tier_office, week_sales, highest_tier
        ${groupBy === 'detail' ? sql`, week as tier_week` : sql``}
      from (${tiers}) as tiers`,
    sql`
      on tier_agent = agent_id and tier_office = office_id
        ${groupBy === 'detail' ? sql`and tier_week = ${weekOf(sql`day`)}` : sql``}`,
  ]
}

/** Rows of a level of weeks, with the place of their agents' tier. */
export const tieredWeeks = ({ table }: Level, range: DateRange, steps: readonly AvpStep[]) => sql`(
  select *, ${stepPlace(steps, sql`day`, sql`week_avp_sales`)} as place
  from ${sql.table(table)}
  where ${daysWithin(range)}
)`

/** Rows of a level of days, with the place of their agent's tier in their week. */
export function tieredDays(
  { table }: Level,
  range: DateRange,
  scope: Scope,
  filter: TotalsFilter,
  steps: readonly AvpStep[],
): RawBuilder<unknown> {
  const week = weekOf(sql`totals.day`)
  return sql`(
    select totals.*, ${stepPlace(steps, week, sql`coalesce(week_avp_sales, 0)`)} as place
    from ${sql.table(table)} as totals
    ${joinAgentWeeks({ rows: 'totals', week }, range, scope, filter)}
    where totals.day between ${range.start}::date and ${range.end}::date
  )`
}

const daysWithin = ({ start, end }: DateRange) => sql`day between ${start}::date and ${end}::date`
