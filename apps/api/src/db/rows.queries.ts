import { type Generated, type Insertable, type Kysely, sql, type Updateable } from 'kysely'
import type { DbOrTx, Tx } from './database.ts'
import type { DB } from './types.ts'

export type TableWith<Column extends string> = {
  [Name in keyof DB]: Column extends keyof DB[Name] ? Name : never
}[keyof DB]

/** Inserts a row and returns its id. */
export async function insertRow<Name extends TableWith<'id'>>(
  db: DbOrTx,
  table: Name,
  row: Insertable<DB[Name]>,
): Promise<number> {
  const { id } = await withRows(db)
    .insertInto(table as 'rows')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Inserts one row, or several. */
export async function insertRows<Name extends keyof DB>(
  db: DbOrTx,
  table: Name,
  rows: Insertable<DB[Name]> | readonly Insertable<DB[Name]>[],
): Promise<void> {
  const all: readonly Insertable<DB[Name]>[] = Array.isArray(rows) ? rows : [rows]
  for (let at = 0; at < all.length; at += AT_ONCE) {
    await withRows(db)
      .insertInto(table as 'rows')
      .values(all.slice(at, at + AT_ONCE))
      .execute()
  }
}

/** A statement has 65,535 parameters at most. */
const AT_ONCE = 1000

/** Updates the row of a form. Forms that were loaded before are then stale. */
export async function updateRow<Name extends TableWith<'id'> & TableWith<'version'>>(
  tx: Tx,
  table: Name,
  id: number,
  columns: Updateable<DB[Name]>,
): Promise<void> {
  await withRows(tx)
    .updateTable(table as 'rows')
    .set({ ...columns, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .execute()
}

/** Kysely knows the columns of a table by its name, which is open above. */
const withRows = (db: DbOrTx) =>
  db as unknown as Kysely<{ rows: { id: Generated<number>; version: Generated<number> } }>
