import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'kysely'
import type { Db, Tx } from './database.ts'
import { type Lock, tryLock } from './locks.ts'
import { inPlainTransaction } from './transaction.ts'

/**
 * Runs `fn` unless another process is already running it, and then returns 'busy' at once. It runs in one
 * transaction with an advisory lock, which also ends if the process dies.
 */
export function onlyOne<T>(db: Db, lock: Lock, fn: (tx: Tx) => Promise<T>): Promise<T | 'busy'> {
  return inPlainTransaction(db, async (tx) => ((await tryLock(tx, lock)) ? fn(tx) : 'busy'))
}

/** The same for work in several transactions: a separate idle transaction holds the lock while `fn` runs. */
export function onlyOneRun<T>(db: Db, lock: Lock, fn: () => Promise<T>): Promise<T | 'busy'> {
  const outside = AsyncLocalStorage.snapshot() // the work is none of that transaction's
  return onlyOne(db, lock, async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    return outside(fn)
  })
}
