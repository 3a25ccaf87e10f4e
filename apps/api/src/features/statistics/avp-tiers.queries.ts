import type { Day } from '@tallyroom/domain/new-york'
import { type DateRange, weeksOf } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import { type AvpStep, stepPlace } from '../avp-schedule/index.ts'
import { type Level, weekOf } from '../daily-totals/index.ts'
import { daysOf, type RowKey } from './stats-parts.ts'
import type { StatsQuestion } from './statistics.queries.ts'
import { agentConditions, conditions, type TierFilter } from './totals-filter.queries.ts'

/** The weeks behind a row: their AVP sales, and the places in `steps` of the tiers that they have. */
export type RowTiers = {
  week?: Day
  agent_id: number
  office_id: number
  week_sales: number
  places: (number | null)[]
}

/** AVP sales by agent and week, of all offices and sites. What is not there has none. */
export const agentWeeks = ({ start, end }: DateRange): RawBuilder<unknown> => sql`(
  select agent_id as avp_agent, day as avp_week, sum(avp_sales) as week_sales
  from totals_week_agent
  where avp_sales <> 0 and day between ${start}::date and ${end}::date
  group by agent_id, day
)`

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
  const agentIds = page.flatMap(({ agent_id }) => (agent_id === undefined ? [] : [agent_id]))
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
export function tiersByRow(
  scope: Scope,
  { groupBy, range, filter, steps }: TiersQuestion,
): RawBuilder<RowTiers> {
  const perWeek = groupBy === 'detail'
  const place = stepPlace(steps, sql`week`, sql`week_sales`)
  const indexes = steps.map(({ index }) => index)
  const { officeId, agentIds } = filter
  return sql<RowTiers>`
    select
      ${perWeek ? sql`week,` : sql``} agent_id, office_id, sum(week_sales)::bigint as week_sales,
      array_agg(distinct place) as places, max((${indexes}::integer[])[place]) as highest_tier
    from (
      select *, ${place} as place
      from (
        select
          day as week, agent_id, office_id,
          sum(avp_sales) over (partition by day, agent_id) as week_sales
        from totals_week_agent
        where day between ${range.start}::date and ${range.end}::date and ${agentConditions(scope, filter)}
      ) as weeks
    ) as weeks
    where ${conditions(scope, { officeId, agentIds })} and ${isOfTier(filter.tier)}
    group by ${perWeek ? sql`week,` : sql``} agent_id, office_id
  `
}

/** The same for every row, to sort by: with the condition that finds a row's own. */
export const tiersToSortBy = (scope: Scope, question: TiersQuestion) =>
  [
    sql`
      select
        agent_id as tier_agent, office_id as tier_office, week_sales, highest_tier
        ${question.groupBy === 'detail' ? sql`, week as tier_week` : sql``}
      from (${tiersByRow(scope, question)}) as tiers`,
    sql`
      on tier_agent = agent_id and tier_office = office_id
        ${question.groupBy === 'detail' ? sql`and tier_week = ${weekOf(sql`day`)}` : sql``}`,
  ] as const

/** The same filter for rows of totals, which then carry the place of their agent's tier in their week. */
export function tieredRows(
  { table }: Level,
  week: RawBuilder<unknown>,
  range: DateRange,
  { steps }: TierFilter,
): RawBuilder<unknown> {
  return sql`(
    select *, ${stepPlace(steps, week, sql`coalesce(week_sales, 0)`)} as place
    from ${sql.table(table)}
    left join ${agentWeeks(weeksOf(range))} as weeks on avp_agent = agent_id and avp_week = ${week}
    where day between ${range.start}::date and ${range.end}::date
  )`
}
