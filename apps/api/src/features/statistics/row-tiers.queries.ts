import type { Day } from '@tallyroom/domain/new-york'
import { weeksOf } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import { type AvpStep, conditions, isOfTier, stepPlace, weekOf } from '../../totals/index.ts'
import { agentsOf, daysOf, type RowKey } from './row-keys.ts'
import type { StatsQuestion } from './report-question.ts'

/** The weeks behind a row: their AVP sales, and the places in `steps` of the tiers that they have. */
export type RowTiers = {
  week?: Day
  agent_id: number
  office_id: number
  week_sales: number
  places: (number | null)[]
}

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
      where day between ${range.start}::date and ${range.end}::date and ${conditions(scope, { officeId, agentIds })}
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
      where week_avp_sales <> 0 and day between ${range.start}::date and ${range.end}::date and ${conditions(scope, { officeId, agentIds })}
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
