import type { Db, Tx } from '../db/database.ts'
import { inTransaction, oneSnapshot } from '../db/transaction.ts'
import { totalsStoreOf } from './totals-store.ts'

/** Reads events and totals as of one instant while both are being written. */
export async function readEventsAndTotals<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  const store = await totalsStoreOf(db)
  return inTransaction(
    db,
    async (tx) => {
      await store.takeSnapshot(db, tx)
      return read(tx)
    },
    oneSnapshot,
  )
}
