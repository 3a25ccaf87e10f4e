import { sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { DbOrTx } from '../../db/database.ts'

export type SiteChoice = { id: number; sitename: string; active: boolean; useApproveSale: boolean }

/** The sites for a select, by name: those that the viewer may sell. Never hidden ones. */
export const findSiteChoices = (
  db: DbOrTx,
  scope: Scope,
  { withSuspended }: { withSuspended: boolean },
): Promise<SiteChoice[]> => {
  const sites = sellable(db, scope)
    .select(['site.id', 'site.sitename', 'site.active', 'site.use_approve_sale as useApproveSale'])
    .where('site.hidden', '=', false)
    .orderBy(sql`lower(site.sitename) collate "C"`)
    .orderBy('site.id')
  return (withSuspended ? sites : sites.where('site.active', '=', true)).execute()
}

/** Whether the viewer may see a site's link types. Staff also see those of hidden sites. */
export async function isSiteInScope(db: DbOrTx, scope: Scope, siteId: number): Promise<boolean> {
  const sites = sellable(db, scope).select('site.id').where('site.id', '=', siteId)
  const site = await (
    scope.sees === 'everything' ? sites : sites.where('site.hidden', '=', false)
  ).executeTakeFirst()
  return site !== undefined
}

/** All sites that are not deleted, or those of the office, without those switched off for an agent. */
export function sellable(db: DbOrTx, scope: Scope) {
  const sites = db.selectFrom('sites as site').where('site.deleted_at', 'is', null)
  if (scope.sees === 'everything') return sites

  const ofOffice = sites.where('site.id', 'in', (query) =>
    query
      .selectFrom('office_sites')
      .select('office_sites.site_id')
      .where('office_sites.office_id', '=', scope.officeId),
  )
  if (scope.sees === 'office') return ofOffice

  return ofOffice.where('site.id', 'not in', (query) =>
    query
      .selectFrom('agent_sites_off')
      .select('agent_sites_off.site_id')
      .where('agent_sites_off.agent_id', '=', scope.agentId),
  )
}

export type SiteAgent = { id: number; username: string; companyId: number; active: boolean }

/** The approved agents in scope who may sell a site, by username. Never hidden ones. */
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
