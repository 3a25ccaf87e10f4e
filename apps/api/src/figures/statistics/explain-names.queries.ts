import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import type { TotalsFilter } from '../../totals/index.ts'

type AmountNames = {
  office: string | null
  agent: string | null
  site: string | null
  type: string | null
}

/**
 * The names of what is explained, as far as the viewer may know them; an office knows its present
 * and past agents. The caller has checked the site.
 */
export async function findNames(
  tx: Tx,
  scope: Scope,
  { siteId, typeId, officeId, agentIds }: TotalsFilter,
): Promise<AmountNames> {
  const { rows } = await sql<AmountNames>`
    select
      (
        select name from offices
        where id = ${officeId ?? null} ${scope.sees === 'everything' ? sql`` : sql`and id = ${scope.officeId}`}
      ) as office,
      (
        select username
        from accounts join agents on agents.id = accounts.agent_id
        where agents.id = ${agentIds?.[0] ?? null} and ${isOwnAgent(scope, agentIds?.[0])}
      ) as agent,
      (select sitename from sites where id = ${siteId ?? null}) as site,
      (
        select typename from link_types where id = ${typeId ?? null} and site_id = ${siteId ?? null}
      ) as type
  `.execute(tx)
  const [names] = rows
  if (!names) throw new Error('a select without from always has a row')
  return names
}

function isOwnAgent(scope: Scope, agentId: number | undefined): RawBuilder<unknown> {
  if (scope.sees === 'everything') return sql`true`
  if (scope.sees === 'agent') return sql`agents.id = ${scope.agentId}`
  return sql`(
    agents.office_id = ${scope.officeId}
    or agents.id in (
      select agent_id from totals_week_agent
      where agent_id = ${agentId ?? null} and office_id = ${scope.officeId}
    )
  )`
}
