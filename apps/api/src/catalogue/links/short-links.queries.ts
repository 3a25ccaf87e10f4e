import { type Carried, lookOf } from '@tallyroom/domain/short-link'
import { type RawBuilder, sql } from 'kysely'
import { agentSeen } from '../../access/sight.queries.ts'
import type { Sight } from '../../access/sight.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'

export type StoredShortLink = {
  id: number
  agentId: number
  siteId: number
  sitename: string
  typeId: number
  typename: string
  name: string
  carries: Carried
  madeAt: Date
  deletedAt: Date | null
}

/** Those that are not deleted. */
const selectLinks = (condition: RawBuilder<unknown>) =>
  selectAll(sql`link.deleted_at is null and ${condition}`)

const selectAll = (condition: RawBuilder<unknown>) => sql<StoredShortLink>`
  select
    link.id, link.agent_id as "agentId", type.site_id as "siteId", site.sitename,
    link.type_id as "typeId", type.typename, link.name, link.carries, link.made_at as "madeAt",
    link.deleted_at as "deletedAt"
  from short_links as link
  join link_types as type on type.id = link.type_id
  join sites as site on site.id = type.site_id
  where ${condition}
`

/** Which of an agent's short links. */
export type ShortLinkFilter = {
  agentId: number
  typeId: number | undefined
  name: string | undefined
  carries: Carried | undefined
}

/** Of one name: the links that ever had it. */
function wanted({ agentId, typeId, name, carries }: ShortLinkFilter): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`link.agent_id = ${agentId}`]
  if (typeId !== undefined) conditions.push(sql`link.type_id = ${typeId}`)
  if (name !== undefined)
    conditions.push(sql`link.id in (select link_id from short_names where look = ${lookOf(name)})`)
  if (carries !== undefined) conditions.push(sql`link.carries = ${JSON.stringify(carries)}::jsonb`)
  return sql.join(conditions, sql` and `)
}

export async function findShortLinks(
  db: DbOrTx,
  filter: ShortLinkFilter,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<StoredShortLink[]> {
  const { rows } = await sql<StoredShortLink>`
    ${selectLinks(wanted(filter))}
    order by link.made_at desc, link.id desc
    limit ${pageSize} offset ${(page - 1) * pageSize}
  `.execute(db)
  return rows
}

export async function countShortLinks(db: DbOrTx, filter: ShortLinkFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from short_links as link
    where link.deleted_at is null and ${wanted(filter)}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** With the agent's username. Those that do not exist are left out. */
export async function findShortLinksById(
  db: DbOrTx,
  ids: readonly number[],
): Promise<(StoredShortLink & { username: string })[]> {
  const { rows } = await sql<StoredShortLink & { username: string }>`
    with found as (${selectLinks(sql`link.id = any (${ids}::bigint[])`)})
    select found.*, coalesce(account.username, '') as username
    from found
    left join accounts as account on account.agent_id = found."agentId"
  `.execute(db)
  return rows
}

/** A short link of an agent whom the viewer sees. */
export async function findShortLink(
  db: DbOrTx,
  sight: Sight,
  id: number,
): Promise<StoredShortLink | undefined> {
  const { rows } = await selectLinks(
    sql`link.id = ${id} and link.agent_id in (select agent.id from agents as agent where ${agentSeen(sight)})`,
  ).execute(db)
  return rows[0]
}

/** The short link that has or had a name, of an agent whom the viewer sees, deleted or not. */
export async function findNamedShortLink(
  db: DbOrTx,
  sight: Sight,
  name: string,
): Promise<StoredShortLink | undefined> {
  const { rows } = await selectAll(sql`
    link.id in (select link_id from short_names where look = ${lookOf(name)})
    and link.agent_id in (select agent.id from agents as agent where ${agentSeen(sight)})
  `).execute(db)
  return rows[0]
}

export const findNamesOf = (db: DbOrTx, linkIds: readonly number[]) =>
  db
    .selectFrom('short_names')
    .select(['link_id as linkId', 'name'])
    .where(sql<boolean>`link_id = any (${linkIds}::bigint[])`)
    .orderBy('changed_in')
    .execute()

/** The names that an agent's short links have had, deleted ones as well. */
export async function countNames(tx: Tx, agentId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from short_links as link
    join short_names as name on name.link_id = link.id
    where link.agent_id = ${agentId}
  `.execute(tx)
  return rows[0]?.count ?? 0
}

/** Whose a name is that reads like this one, whether it still leads anywhere or not. */
export const findHolder = (tx: Tx, name: string) =>
  tx
    .selectFrom('short_names')
    .select('link_id as linkId')
    .where('look', '=', lookOf(name))
    .executeTakeFirst()

/** The number of the next change. The caller holds the lock of short links. */
async function nextChange(tx: Tx): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(changed_in), 0) + 1 as next from short_names
  `.execute(tx)
  return rows[0]?.next ?? 1
}

export async function insertName(tx: Tx, linkId: number, name: string): Promise<void> {
  await tx
    .insertInto('short_names')
    .values({ look: lookOf(name), name, link_id: linkId, changed_in: await nextChange(tx) })
    .execute()
}

export async function deleteLink(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('short_links').set({ deleted_at: tx.now }).where('id', '=', id).execute()
  await tx
    .updateTable('short_names')
    .set({ changed_in: await nextChange(tx) })
    .where('link_id', '=', id)
    .execute()
}

export async function renameLink(tx: Tx, id: number, name: string): Promise<void> {
  await tx.updateTable('short_links').set({ name }).where('id', '=', id).execute()
}

export async function findSiteOfType(db: DbOrTx, typeId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('link_types')
    .select('site_id')
    .where('id', '=', typeId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.site_id
}
