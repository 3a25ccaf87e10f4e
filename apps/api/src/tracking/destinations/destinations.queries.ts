import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export type LinkFacts = Awaited<ReturnType<typeof findLinkFacts>>

/** Everything that decides whether a tracked link works and where it leads, in one snapshot. */
export function findLinkFacts(db: Db) {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => ({
      sites: await tx
        .selectFrom('sites')
        .select(['id', 'active', 'click_param', 'deep_hosts', 'instead_type_id'])
        .where('deleted_at', 'is', null)
        .execute(),
      types: await tx
        .selectFrom('link_types')
        .select(['id', 'site_id', 'url', 'active', 'forward_params'])
        .where('deleted_at', 'is', null)
        .execute(),
      agents: await tx
        .selectFrom('agents')
        .innerJoin('offices', 'offices.id', 'agents.office_id')
        .select((eb) => [
          'agents.id',
          'agents.office_id',
          eb
            .and([
              eb('agents.active', '=', true),
              eb('agents.approved_at', 'is not', null),
              eb('offices.active', '=', true),
            ])
            .as('works'),
        ])
        .execute(),
      // Lists of ids, because pairs would take a hundred bytes each.
      officeSites: await tx
        .selectFrom('office_sites')
        .select(['office_id', sql<number[]>`array_agg(site_id)`.as('site_ids')])
        .groupBy('office_id')
        .execute(),
      agentSitesOff: await tx
        .selectFrom('agent_sites_off')
        .select(['agent_id', sql<number[]>`array_agg(site_id)`.as('site_ids')])
        .groupBy('agent_id')
        .execute(),
    }))
}
