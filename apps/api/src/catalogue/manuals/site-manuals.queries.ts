import type { sortFields } from '@tallyroom/contract/list-choices'
import type { Manual, ManualItem } from '@tallyroom/contract/catalogue/manuals'
import { type RawBuilder, sql } from 'kysely'
import { everything, type Scope } from '../../access/scope.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { sellable } from '../sites/sites.queries.ts'

/**
 * The manuals that a viewer can see: those of the sites in scope, optionally with sites that cannot be sold at
 * present.
 */
export type ManualSight = { scope: Scope; withUnavailable: boolean }

export type ManualOrder = { sortField: (typeof sortFields.siteManuals)[number]; ascending: boolean }

const sortColumns = {
  sitename: sql`lower(site.sitename) collate "C"`,
  title: sql`lower(manual.title) collate "C"`,
} satisfies Record<ManualOrder['sortField'], RawBuilder<unknown>>

const itemColumns = [
  'manual.id',
  'manual.site_id as siteId',
  'site.sitename',
  'manual.title',
] as const

export const findManuals = (
  db: DbOrTx,
  sight: ManualSight,
  { sortField, ascending }: ManualOrder,
): Promise<ManualItem[]> => {
  const way = ascending ? 'asc' : 'desc'
  return selectManuals(db, sight)
    .select(itemColumns)
    .orderBy(sortColumns[sortField], way)
    .orderBy('manual.id', way)
    .execute()
}

/** The manuals among these ids, with their texts. */
export const findManualsById = (db: DbOrTx, ids: readonly number[]): Promise<Manual[]> =>
  selectManuals(db, { scope: everything(), withUnavailable: true })
    .select([...itemColumns, 'manual.html', 'manual.version'])
    .where(sql<boolean>`manual.id = any(${ids}::bigint[])`)
    .execute()

export const findManual = (
  db: DbOrTx,
  sight: ManualSight,
  id: number,
): Promise<Manual | undefined> =>
  selectManuals(db, sight)
    .select([...itemColumns, 'manual.html', 'manual.version'])
    .where('manual.id', '=', id)
    .executeTakeFirst()

/** With a row lock. */
export const lockManual = (tx: Tx, id: number) =>
  tx
    .selectFrom('site_manuals')
    .select('version')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const findSitesWithoutManual = (db: DbOrTx) =>
  db
    .selectFrom('sites as site')
    .select(['site.id', 'site.sitename', 'site.active'])
    .where('site.deleted_at', 'is', null)
    .where('site.id', 'not in', (query) =>
      query.selectFrom('site_manuals').select('site_manuals.site_id'),
    )
    .orderBy(sql`lower(site.sitename) collate "C"`)
    .orderBy('site.id')
    .execute()

/** False if it does not exist. */
export async function deleteManualRow(db: DbOrTx, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('site_manuals')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0
}

function selectManuals(db: DbOrTx, { scope, withUnavailable }: ManualSight) {
  const sites = sellable(db, scope).select('site.id')
  const available = sites.where('site.active', '=', true).where('site.hidden', '=', false)
  return db
    .selectFrom('site_manuals as manual')
    .innerJoin('sites as site', 'site.id', 'manual.site_id')
    .where('manual.site_id', 'in', withUnavailable ? sites : available)
}
