import type { linkTypesEndpoints } from '@tallyroom/contract/link-types'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'

type SortField = RequestOf<typeof linkTypesEndpoints.typesBySite>['query']['sortField']

export type LinkTypeRow = NonNullable<Awaited<ReturnType<typeof findType>>>

/** The link types of a site, including suspended ones, which have a past. */
export const findTypesOfSite = (
  db: DbOrTx,
  siteId: number,
  { sortField, ascending }: { sortField: SortField; ascending: boolean },
): Promise<LinkTypeRow[]> =>
  selectTypes(db)
    .where('site_id', '=', siteId)
    .orderBy(sortColumns[sortField], ascending ? 'asc' : 'desc')
    .orderBy(sortColumns.typename)
    .orderBy('id')
    .execute()

const sortColumns = {
  typename: sql`lower(typename) collate "C"`,
  typealias: sql`lower(typealias) collate "C"`,
  id: sql`id`,
  url: sql`url collate "C"`,
  payout: sql`payout_centavos`,
  earning: sql`earning_cents`,
  lpp: sql`lpp`,
  status: sql`not active`,
  bbrCh: sql`lower(bbr_ch) collate "C"`,
} satisfies Record<SortField, unknown>

/** A link type that is not deleted. */
export const findType = (db: DbOrTx, typeId: number) =>
  selectTypes(db).where('id', '=', typeId).executeTakeFirst()

/** The same with a row lock. */
export const lockType = (tx: Tx, typeId: number) =>
  selectTypes(tx).where('id', '=', typeId).forNoKeyUpdate().executeTakeFirst()

const selectTypes = (db: DbOrTx) =>
  db.selectFrom('link_types').selectAll().where('deleted_at', 'is', null)

/** Returns the new link type's id. A duplicate alias violates `link_types__typealias`. */
export async function insertType(tx: Tx, type: Insertable<DB['link_types']>): Promise<number> {
  const { id } = await tx
    .insertInto('link_types')
    .values(type)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateTypeRow(
  tx: Tx,
  typeId: number,
  columns: Updateable<DB['link_types']>,
): Promise<void> {
  await tx
    .updateTable('link_types')
    .set({ ...columns, version: sql`version + 1` })
    .where('id', '=', typeId)
    .execute()
}
