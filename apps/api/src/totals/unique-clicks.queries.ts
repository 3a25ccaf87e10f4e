import { NEW_YORK } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { type Counted, isWithin } from './counted-events.queries.ts'
import type { TotalsDifference } from './levels.ts'

/** The visitor behind the address of a click: in IPv6 whoever has the /64. Reads `ip`. */
export const visitorOfIp = sql`case family(ip) when 4 then ip else network(set_masklen(ip, 64))::inet end`

/**
 * Days, agents and link types with more or fewer unique clicks than visitors. An IPv6 visitor is a /64. Before that rule,
 * single addresses counted, and the day of the upgrade may have both. Days whose addresses were cut are skipped, because
 * visitors can no longer be told apart, and so are days with archived clicks, whose visitors are in the files.
 */
export async function uniqueClickDifferences(
  tx: Tx,
  limit: number,
  { sealed, range }: Counted,
): Promise<TotalsDifference[]> {
  // A separate query, because Citus does not join a local table with the distributed clicks.
  const rule = await tx
    .selectFrom('counting_rules')
    .select('from_day')
    .where('rule', '=', 'an IPv6 visitor is a /64')
    .executeTakeFirstOrThrow()
  const archived = sealed ? await archivedDays(tx) : []
  const { rows } = await sql<{ row: string; expected: string; actual: string }>`
    select
      row(day, agent_id, type_id)::text as row,
      count(distinct visitor)::text as expected,
      sum(is_unique::integer)::text as actual
    from (
      select
        (clicked_at at time zone ${sql.lit(NEW_YORK)})::date as day, agent_id, type_id, ip, is_unique,
        ${visitorOfIp} as visitor,
        masklen(ip) < case family(ip) when 4 then 32 else 128 end as is_cut
      from clicks
      where uncounted is null ${isWithin(sql`clicked_at`, range)}
    ) as counted_clicks
    where day <> all(${archived}::date[])
    group by day, agent_id, type_id
    having not bool_or(is_cut)
      and sum(is_unique::integer) not between count(distinct visitor)
        and case when day < ${rule.from_day} then count(distinct ip) else count(distinct visitor) end
    order by day, agent_id, type_id
    limit ${limit}
  `.execute(tx)
  return rows.map((difference) => ({ level: 'unique clicks', ...difference }))
}

async function archivedDays(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom('click_seals').select('day').distinct().execute()
  return rows.map(({ day }) => day)
}
