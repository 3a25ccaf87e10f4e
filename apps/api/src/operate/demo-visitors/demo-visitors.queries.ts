import type { Day } from '@tallyroom/domain/new-york'
import type { TrackedLink } from '@tallyroom/domain/tracked-link'
import { sql } from 'kysely'
import { everything } from '../../access/scope.ts'
import type { DbOrTx } from '../../db/database.ts'
import { totalsSource } from '../../totals/index.ts'

/** A link that visitors follow, how often it was followed, and how its merchant reports a sale. */
export type VisitedLink = TrackedLink & { uniques: number; sales: number; useApproveSale: boolean }

/** The working links that were followed on these days. */
export async function findVisitedLinks(
  db: DbOrTx,
  { start, today }: { start: Day; today: Day },
): Promise<VisitedLink[]> {
  const totals = totalsSource(
    everything(),
    {
      range: { start, end: today },
      today,
      filter: {},
      dimensions: ['agent_id', 'type_id'],
      byDay: true,
    },
    ['agent_id', 'type_id', 'uniques', 'sales'],
  )
  const { rows } = await sql<VisitedLink>`
    with visited as (
      select agent_id, type_id, sum(uniques)::bigint as uniques, sum(sales)::bigint as sales
      from ${totals} as totals
      group by agent_id, type_id
    )
    select
      site.id as "siteId", type.id as "typeId", agent.id as "agentId",
      visited.uniques, visited.sales, site.use_approve_sale as "useApproveSale"
    from visited
    join link_types as type on type.id = visited.type_id and type.active and type.deleted_at is null
    join sites as site on site.id = type.site_id and site.active and site.deleted_at is null
    join agents as agent
      on agent.id = visited.agent_id and agent.active and agent.approved_at is not null
    join offices as office on office.id = agent.office_id and office.active
    where visited.uniques > 0
    order by agent.id, type.id
  `.execute(db)
  return rows
}
