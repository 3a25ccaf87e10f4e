import { sql, type Updateable } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'

export type SiteRow = NonNullable<Awaited<ReturnType<typeof findSite>>>

/** A site that is not deleted, including hidden and suspended ones. */
export const findSite = (db: DbOrTx, siteId: number) =>
  selectSites(db).where('site.id', '=', siteId).executeTakeFirst()

/** The same with a row lock, under which nobody can add a link type, manual or key. */
export const lockSite = (tx: Tx, siteId: number) =>
  selectSites(tx).where('site.id', '=', siteId).forNoKeyUpdate('site').executeTakeFirst()

/** Those of the sites that are not deleted. */
export const findSitesById = (db: DbOrTx, siteIds: readonly number[]) =>
  selectSites(db)
    .where(sql<boolean>`site.id = any(${siteIds}::bigint[])`)
    .execute()

const selectSites = (db: DbOrTx) =>
  db.selectFrom('sites as site').selectAll('site').where('site.deleted_at', 'is', null)

/** A site's number of link types, of offices that may sell it, and the site that its visitors are sent to instead, unless that is deleted. */
export async function countAround(db: DbOrTx, siteId: number) {
  const { rows } = await sql<Around>`
    select
      (
        select count(*) from link_types where site_id = ${siteId} and deleted_at is null
      ) as "typeCount",
      (select count(*) from office_sites where site_id = ${siteId}) as "officesAllowed",
      (select count(*) from offices) as "officesTotal",
      (
        select instead.site_id
        from link_types as instead
        join sites as site on site.instead_type_id = instead.id
        join sites as home on home.id = instead.site_id
        where site.id = ${siteId} and instead.deleted_at is null and home.deleted_at is null
      ) as "insteadSiteId"
  `.execute(db)
  return rows[0] ?? { typeCount: 0, officesAllowed: 0, officesTotal: 0, insteadSiteId: null }
}

type Around = {
  typeCount: number
  officesAllowed: number
  officesTotal: number
  insteadSiteId: number | null
}

/** Whether links of a link type work, as far as it and its site go; undefined if either is deleted. */
export const findTypeState = (db: DbOrTx, typeId: number) =>
  db
    .selectFrom('link_types as type')
    .innerJoin('sites as site', 'site.id', 'type.site_id')
    .select(['type.active as typeActive', 'site.active as siteActive'])
    .where('type.id', '=', typeId)
    .where('type.deleted_at', 'is', null)
    .where('site.deleted_at', 'is', null)
    .executeTakeFirst()

/** Locks those of the sites that are not deleted. */
export const lockSites = (tx: Tx, siteIds: readonly number[]) =>
  selectSites(tx)
    .where(sql<boolean>`site.id = any(${siteIds}::bigint[])`)
    .orderBy('site.id')
    .forNoKeyUpdate('site')
    .execute()

/** Sites that already have the status and flag are not touched. */
export async function setStatusOfSites(
  tx: Tx,
  siteIds: readonly number[],
  { active, useApproveSale }: { active: boolean; useApproveSale: boolean },
): Promise<void> {
  await sql`
    update sites
    set active = ${active}, version = version + 1
    where id = any(${siteIds}::bigint[])
      and (active <> ${active} or use_approve_sale <> ${useApproveSale})
  `.execute(tx)
}

/** Sets what a site decides about pay. */
export async function updateDecided(
  tx: Tx,
  siteIds: readonly number[],
  decided: Updateable<DB['sites']>,
): Promise<void> {
  await tx
    .updateTable('sites')
    .set(decided)
    .where(sql<boolean>`id = any(${siteIds}::bigint[])`)
    .execute()
}

/**
 * Marks a site and its link types as deleted, as clicks, sales and statistics refer to them forever. Deletes
 * what only an active site needs: office permissions, its manual and its postback keys.
 */
export async function deleteSiteRows(tx: Tx, siteId: number, at: Date): Promise<void> {
  for (const table of ['office_sites', 'agent_sites_off', 'site_manuals', 'site_keys'] as const) {
    await tx.deleteFrom(table).where('site_id', '=', siteId).execute()
  }
  await tx
    .updateTable('link_types')
    .set((type) => ({ deleted_at: at, version: type('version', '+', 1) }))
    .where('site_id', '=', siteId)
    .where('deleted_at', 'is', null)
    .execute()
  await tx
    .updateTable('sites')
    .set((site) => ({ deleted_at: at, version: site('version', '+', 1) }))
    .where('id', '=', siteId)
    .execute()
}
