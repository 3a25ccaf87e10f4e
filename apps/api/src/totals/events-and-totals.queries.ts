import { sql } from 'kysely'
import { findLayout } from '../db/citus/layout.ts'
import type { Db, Tx } from '../db/database.ts'
import { inTransaction, oneSnapshot } from '../db/transaction.ts'
import { lockTotalsAndEvents } from './fold-totals.queries.ts'

/**
 * Reads events and totals as of one instant while both are being written. On a cluster, events and folds wait for some
 * milliseconds: each session on a worker takes its snapshot when it is first used, so all are used once while nothing changes.
 */
export async function readEventsAndTotals<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  const layout = await findLayout(db)
  return inTransaction(
    db,
    async (tx) => {
      if (layout === 'distributed') {
        // In another transaction, whose end releases the lock.
        await inTransaction(db, async (lock) => {
          await lockTotalsAndEvents(lock)
          await useEverySession(tx)
        })
      }
      return read(tx)
    },
    oneSnapshot,
  )
}

/** Several sessions on a worker would have a snapshot each. `limit 1` asks every shard, `limit 0` none. */
async function useEverySession(tx: Tx): Promise<void> {
  await sql`set local citus.max_adaptive_executor_pool_size to 1`.execute(tx)
  await sql`select agent_id from clicks limit 1`.execute(tx)
  await sql`select sale_key from sale_keys limit 1`.execute(tx)
}
