import { type Day, endOfDayExclusive, startOfDay } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { inScope } from '../../access/sight.queries.ts'
import { isOfSub, isOnUtcDays, type SubFilter, totalsSource } from '../../totals/index.ts'

/** Which clicks to list or count. */
export type ClickFilter = {
  siteId: number | undefined
  officeId: number | undefined
  agentId: number | undefined
  /** Both days inclusive. */
  range: DateRange
  /** The totals end with this day. */
  today: Day
  /** Earlier clicks may be archived; null if none is. */
  detailsSince: Day | null
  sub?: SubFilter | undefined
}

/** Uses columns of `clicks`. A click stays with the office it was made for. */
export function matching(scope: Scope, filter: ClickFilter): RawBuilder<unknown> {
  const conditions = [
    sql`clicks.clicked_at >= ${startOfDay(filter.range.start)}`,
    sql`clicks.clicked_at < ${endOfDayExclusive(filter.range.end)}`,
    inScope(scope, 'clicks'),
    filter.officeId !== undefined && sql`clicks.office_id = ${filter.officeId}`,
    filter.agentId !== undefined && sql`clicks.agent_id = ${filter.agentId}`,
    filter.siteId !== undefined &&
      sql`clicks.type_id in (select id from link_types where site_id = ${filter.siteId})`,
    filter.sub !== undefined && isOfSub(filter.sub),
  ].filter((condition) => condition !== false)
  return sql.join(conditions, sql` and `)
}

export const ofAddress = (scope: Scope, filter: ClickFilter & { ip: string }) =>
  sql`ip = ${filter.ip}::inet and ${matching(scope, filter)}`

/** For an office, `agentIds` are its agents, by whom an index leads to its clicks. */
export const ofSub = (
  scope: Scope,
  filter: ClickFilter & { sub: SubFilter },
  agentIds: readonly number[] | undefined,
) => sql`
  ${matching(scope, filter)} ${isOnUtcDays(filter.range)}
  and ${agentIds ? sql`clicks.agent_id = any(${agentIds}::integer[])` : sql`true`}`

/** Conditions on the columns of sums by office, agent and site. */
export const ofLinks = (
  scope: Scope,
  { siteId, officeId, agentId }: Pick<ClickFilter, 'siteId' | 'officeId' | 'agentId'>,
) =>
  [
    scope.sees === 'office' && sql`office_id = ${scope.officeId}`,
    scope.sees === 'agent' && sql`agent_id = ${scope.agentId}`,
    officeId !== undefined && sql`office_id = ${officeId}`,
    agentId !== undefined && sql`agent_id = ${agentId}`,
    siteId !== undefined && sql`site_id = ${siteId}`,
  ].filter((condition) => condition !== false)

/** The totals of the clicks of a filter. */
export const totalsOf = (
  scope: Scope,
  { range, today, siteId, officeId, agentId }: ClickFilter,
  source: { byDay: boolean; dimensions: readonly 'agent_id'[]; columns: readonly string[] },
) => {
  const { columns, ...parts } = source
  const agentIds = agentId === undefined ? undefined : [agentId]
  const filter = { siteId, officeId, agentIds }
  return totalsSource(scope, { range, today, filter, ...parts }, columns)
}
