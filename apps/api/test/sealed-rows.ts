import type { Insertable } from 'kysely'
import type { DbOrTx } from '../src/db/database.ts'
import type { TableWith } from '../src/db/rows.queries.ts'
import { withinTransaction } from '../src/db/transaction.ts'
import type { DB } from '../src/db/types.ts'
import { insertSealed, insertSealedRows, type SealedTable } from '../src/seals/index.ts'

/** Inserts a row with its seal, as the app does, and returns its id. */
export const buildSealed = <Name extends SealedTable & TableWith<'id'>>(
  db: DbOrTx,
  table: Name,
  row: Insertable<DB[Name]>,
): Promise<number> => withinTransaction(db, (tx) => insertSealed(tx, table, row))

/** The same for tables whose keys are not made by the database. */
export const buildSealedRows = <Name extends SealedTable>(
  db: DbOrTx,
  table: Name,
  rows: Insertable<DB[Name]> | readonly Insertable<DB[Name]>[],
): Promise<void> => withinTransaction(db, (tx) => insertSealedRows(tx, table, rows))
