import { sql } from 'kysely'
import type { Sight } from '../../access/sight.ts'
import type { DbOrTx } from '../../db/database.ts'
import { agentSeen } from '../offices/index.ts'

/** Everything that could keep an agent's links for a site from working, and the office's preferred domain. */
export type Seller = {
  agentActive: boolean
  approved: boolean
  officeActive: boolean
  siteActive: boolean
  sitename: string
  /** Whether the agent's office may sell the site. */
  officeSells: boolean
  /** Whether the site is switched off for the agent. */
  switchedOff: boolean
  /** Null if the office prefers none, or a hidden one. */
  domain: string | null
}

/** Undefined unless the agent is visible and the site exists. */
export async function findSeller(
  db: DbOrTx,
  sight: Sight,
  { siteId, agentId }: { siteId: number; agentId: number },
): Promise<Seller | undefined> {
  const { rows } = await sql<Seller>`
    select
      agent.active as "agentActive",
      agent.approved_at is not null as approved,
      office.active as "officeActive",
      site.active as "siteActive",
      site.sitename,
      office_site.site_id is not null as "officeSells",
      off.site_id is not null as "switchedOff",
      domain.domain
    from agents as agent
    join offices as office on office.id = agent.office_id
    join sites as site on site.id = ${siteId} and site.deleted_at is null
    left join office_sites as office_site
      on office_site.office_id = agent.office_id and office_site.site_id = site.id
    left join agent_sites_off as off on off.agent_id = agent.id and off.site_id = site.id
    left join preferred_domains as domain
      on domain.id = office.preferred_domain_id and not domain.hidden
    where agent.id = ${agentId} and ${agentSeen(sight)}
  `.execute(db)
  return rows[0]
}

/** The active link types of a site, by name. Links of others do not work. */
export const findSoldTypes = (db: DbOrTx, siteId: number) =>
  db
    .selectFrom('link_types')
    .select(['id', 'typename'])
    .where('site_id', '=', siteId)
    .where('active', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy(sql`lower(typename) collate "C"`)
    .orderBy('id')
    .execute()
