import { NEW_YORK } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import {
  type ClickFilter,
  matching,
  ofAddress,
  ofLinks,
  ofSub,
  totalsOf,
} from './click-filter.queries.ts'
import type { SubFilter } from '../../totals/index.ts'
import type { DayCount } from './place-of-page.ts'

/**
 * The number of clicks per month or day, oldest first: the totals plus uncounted clicks. A month is identified
 * by its first day.
 */
export async function countClicksBy(
  unit: 'month' | 'day',
  tx: Tx,
  scope: Scope,
  filter: ClickFilter,
): Promise<DayCount[]> {
  const source = { byDay: unit === 'day', dimensions: [], columns: ['day', 'raws'] }
  const { rows } = await sql<DayCount>`
    select date_trunc(${unit}, day::timestamp)::date as day, sum(clicks)::bigint as clicks
    from (
      select day, sum(raws) as clicks
      from ${totalsOf(scope, filter, source)} as totals
      group by day
      union all
      select (clicked_at at time zone ${sql.lit(NEW_YORK)})::date, count(*)
      from clicks
      where uncounted is not null and ${matching(scope, filter)}
      group by 1
      ${withoutArchived(scope, filter)}
    ) as counted
    group by 1
    having sum(clicks) > 0
    order by 1
  `.execute(tx)
  return rows
}

/** The totals include archived clicks. */
function withoutArchived(scope: Scope, filter: ClickFilter): RawBuilder<unknown> {
  const { detailsSince, range } = filter
  if (detailsSince === null || range.start >= detailsSince) return sql``
  const conditions = [
    sql`day between ${range.start}::date and ${range.end}::date`,
    ...ofLinks(scope, filter),
  ]
  return sql`
      union all
      select day, -sum(raws)
      from click_seals
      where ${sql.join(conditions, sql` and `)}
      group by day`
}

/** The number of clicks of an address, capped at `most`. */
export async function countClicksOfAddress(
  tx: Tx,
  scope: Scope,
  filter: ClickFilter & { ip: string },
  most: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
    from (select 1 from clicks where ${ofAddress(scope, filter)} limit ${most}) as found
  `.execute(tx)
  return rows[0]?.total ?? 0
}

/** The number of clicks with a sub id, or without it. */
export async function countClicksOfSub(
  tx: Tx,
  scope: Scope,
  filter: ClickFilter & { sub: SubFilter },
  agentIds: readonly number[] | undefined,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from clicks where ${ofSub(scope, filter, agentIds)}
  `.execute(tx)
  return rows[0]?.total ?? 0
}

/** The number of crawler visits to the links in the viewer's scope. They leave no clicks to list. */
export async function countCrawlerVisits(
  tx: Tx,
  scope: Scope,
  { range: { start, end }, ...filter }: Omit<ClickFilter, 'today' | 'detailsSince'>,
): Promise<number> {
  const conditions = [sql`day between ${start}::date and ${end}::date`, ...ofLinks(scope, filter)]
  const { rows } = await sql<{ visits: number }>`
    select coalesce(sum(visits), 0)::bigint as visits
    from crawler_visits
    where ${sql.join(conditions, sql` and `)}
  `.execute(tx)
  return rows[0]?.visits ?? 0
}

/**
 * The number of sale log entries that came from each of these clicks, by click id; clicks without
 * entries are absent. Like the sale log, it ignores differences from backdated rates in which no
 * amount visible to the viewer changes.
 */
export async function countSalesOf(
  tx: Tx,
  scope: Scope,
  clicks: readonly { agentId: number; clickId: string }[],
  sees: { earning: boolean; payout: boolean },
): Promise<ReadonlyMap<string, number>> {
  if (clicks.length === 0) return new Map()
  const isSeen = [
    sql`quantity <> 0`,
    sees.payout && sql`payout_centavos <> 0`,
    sees.earning && sql`earning_cents <> 0`,
  ].filter((condition) => condition !== false)
  const { rows } = await sql<{ clickId: string; sales: number }>`
    select click_id as "clickId", count(*) as sales
    from sale_events
    where agent_id = any(${clicks.map(({ agentId }) => agentId)}::integer[])
      and click_id = any(${clicks.map(({ clickId }) => clickId)}::text[])
      and ${scope.sees === 'office' ? sql`office_id = ${scope.officeId}` : sql`true`}
      and (${sql.join(isSeen, sql` or `)})
    group by click_id
  `.execute(tx)
  return new Map(rows.map(({ clickId, sales }) => [clickId, sales]))
}
