import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from './database.ts'

/**
 * Runs `fn` unless another process is already running it, and then returns 'busy' at once. It runs in one
 * transaction with an advisory lock, which also ends if the process dies.
 *
 * @param key identifies the work; PostgreSQL hashes it to 64 bits.
 */
export function onlyOne<T>(
  db: Db,
  key: number | string,
  fn: (tx: Tx) => Promise<T>,
): Promise<T | 'busy'> {
  return db.transaction().execute(async (tx) => {
    const lock = typeof key === 'number' ? String(key) : hashKey(key)
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(${lock}::bigint) as mine
    `.execute(tx)
    return rows[0]?.mine ? await fn(tx) : 'busy'
  })
}

/** The same for work in several transactions: a separate idle transaction holds the lock while `fn` runs. */
export const onlyOneRun = <T>(db: Db, key: string, fn: () => Promise<T>): Promise<T | 'busy'> =>
  onlyOne(db, key, async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    return fn()
  })

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest().readBigInt64BE().toString()
}
