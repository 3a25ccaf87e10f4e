import type { Scope } from '../../access/scope.ts'
import type { DbOrTx } from '../../db/database.ts'

/** The names of sites. The caller has checked that the viewer may see them. */
export async function findSiteNames(tx: DbOrTx, siteIds: readonly number[]): Promise<string[]> {
  const sites = await tx
    .selectFrom('sites')
    .select('sitename')
    .where('id', 'in', siteIds)
    .orderBy('sitename')
    .orderBy('id')
    .execute()
  return sites.map(({ sitename }) => sitename)
}

/** The name of a link type of the chosen site. */
export async function findTypeName(
  tx: DbOrTx,
  { typeId, siteId }: { typeId: number; siteId: number | undefined },
): Promise<string | undefined> {
  if (siteId === undefined) return undefined
  const type = await tx
    .selectFrom('link_types')
    .select('typename')
    .where('id', '=', typeId)
    .where('site_id', '=', siteId)
    .executeTakeFirst()
  return type?.typename
}

/** Names of link types with their sites: `Lantern Live · Credits Pack`. */
export async function findTypeNames(
  tx: DbOrTx,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const types = await tx
    .selectFrom('link_types')
    .innerJoin('sites', 'sites.id', 'link_types.site_id')
    .select(['link_types.id', 'sites.sitename', 'link_types.typename'])
    .where('link_types.id', 'in', ids)
    .execute()
  return new Map(types.map(({ id, sitename, typename }) => [id, `${sitename} · ${typename}`]))
}

export async function findOfficeName(
  tx: DbOrTx,
  scope: Scope,
  officeId: number,
): Promise<string | undefined> {
  if (scope.sees !== 'everything' && scope.officeId !== officeId) return undefined
  const office = await tx
    .selectFrom('offices')
    .select('name')
    .where('id', '=', officeId)
    .executeTakeFirst()
  return office?.name
}

/** The username of an agent in scope. */
export async function findAgentName(
  tx: DbOrTx,
  scope: Scope,
  agentId: number,
): Promise<string | undefined> {
  if (scope.sees === 'agent' && scope.agentId !== agentId) return undefined
  let agents = tx
    .selectFrom('agents')
    .innerJoin('accounts', 'accounts.agent_id', 'agents.id')
    .select('accounts.username')
    .where('agents.id', '=', agentId)
  if (scope.sees === 'office') agents = agents.where('agents.office_id', '=', scope.officeId)
  return (await agents.executeTakeFirst())?.username
}
