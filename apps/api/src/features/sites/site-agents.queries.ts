import { sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { DbOrTx } from '../../db/database.ts'

export type SiteAgent = { id: number; username: string; companyId: number; active: boolean }

/** The approved agents in scope that may sell a site, by username; hidden ones never. */
export function findAgentsOfSite(
  db: DbOrTx,
  scope: Scope,
  { siteId, withSuspended }: { siteId: number; withSuspended: boolean },
): Promise<SiteAgent[]> {
  let agents = db
    .selectFrom('agents as agent')
    .innerJoin('accounts as account', 'account.agent_id', 'agent.id')
    .innerJoin('office_sites as office_site', 'office_site.office_id', 'agent.office_id')
    .select(['agent.id', 'account.username', 'agent.office_id as companyId', 'agent.active'])
    .where('office_site.site_id', '=', siteId)
    .where('agent.hidden', '=', false)
    .where('agent.approved_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('agent_sites_off as off')
            .select('off.site_id')
            .whereRef('off.agent_id', '=', 'agent.id')
            .where('off.site_id', '=', siteId),
        ),
      ),
    )
    .orderBy(sql`lower(account.username) collate "C"`)
    .orderBy('agent.id')
  if (scope.sees !== 'everything') agents = agents.where('agent.office_id', '=', scope.officeId)
  if (scope.sees === 'agent') agents = agents.where('agent.id', '=', scope.agentId)
  if (!withSuspended) agents = agents.where('agent.active', '=', true)
  return agents.execute()
}
