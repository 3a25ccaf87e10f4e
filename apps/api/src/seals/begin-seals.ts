import type { Db, Tx } from '../db/database.ts'
import { inTransaction } from '../db/transaction.ts'
import { appendSeals } from './seal.ts'
import { sealedColumnsOf, type SealedTable, sealedTableNames } from './sealed-tables.ts'
import {
  findBegun,
  findFilled,
  findNewestSeals,
  findRowHashes,
  lockSealHead,
  type NewSeal,
} from './seals.queries.ts'

/**
 * Begins the seals of every table that has none: its rows are sealed as they are found. Runs on each start before
 * requests arrive, and does nothing but after an upgrade that seals more tables or more columns. Then rows that differ
 * from their seals are left as they are, so that `pay verify` goes on naming them.
 */
export const beginSeals = ({ db }: { db: Db }): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockSealHead(tx)
    const begun = await findBegun(tx)
    const begin = sealedTableNames.filter((table) => {
      const former = begun.get(table)
      return !former || String(former) !== String(sealedColumnsOf(table))
    })
    if (begin.length === 0) return
    const filled = await findFilled(tx)
    const seals: NewSeal[] = []
    for (const table of begin) {
      const columns = sealedColumnsOf(table)
      seals.push({ ...nothing, kind: 'begun', table, key: '', columns, begunAt: tx.now })
      if (filled.has(table)) seals.push(...(await sealsOfFound(tx, table, begun.get(table))))
    }
    await appendSeals(tx, seals)
  })

/** @param former the columns that were sealed before; undefined if none were */
async function sealsOfFound(
  tx: Tx,
  table: SealedTable,
  former: readonly string[] | undefined,
): Promise<NewSeal[]> {
  const columns = sealedColumnsOf(table)
  const sealed = await findNewestSeals(tx, table)
  // What was sealed in a column that is gone can't be compared any more.
  const compared = former?.every((column) => columns.includes(column)) ? former : undefined
  const formerly = compared ? await findRowHashes(tx, table, 'all', compared) : []
  const intact = new Set(
    formerly.filter(({ key, content }) => sealed.get(key)?.equals(content)).map(({ key }) => key),
  )
  const rows = (await findRowHashes(tx, table, 'all')).filter(({ key }) => {
    if (!former) return !sealed.has(key)
    return compared ? intact.has(key) : sealed.has(key)
  })
  return rows.map((row): NewSeal => ({ ...nothing, kind: 'found', table, ...row }))
}

const nothing = { content: null, fixed: null, was: null, columns: null, begunAt: null }
