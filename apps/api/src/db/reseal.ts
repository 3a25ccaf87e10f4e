import type { Log } from '../lib/log/log.ts'
import type { Db, Tx } from './database.ts'
import { inTransaction } from './transaction.ts'

/**
 * Re-encrypts rows with the newest key after a rotation. Runs on each start before requests arrive. Rows that no key can
 * decrypt are kept, in case the key is restored.
 *
 * @param what they are called in the log @param again stores one anew; false if no key can decrypt it
 * @param after what follows if any were re-encrypted
 */
export async function reseal<Row>(
  { db, log }: { db: Db; log: Log },
  what: string,
  find: (tx: Tx) => Promise<readonly Row[]>,
  again: (tx: Tx, row: Row) => Promise<boolean>,
  after?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const [resealed, unreadable] = await inTransaction(db, async (tx) => {
    const stale = await find(tx)
    let opened = 0
    for (const row of stale) if (await again(tx, row)) opened += 1
    if (opened > 0) await after?.(tx)
    return [opened, stale.length - opened]
  })
  if (resealed > 0) log.info({ resealed }, `re-encrypted ${what} with the newest key`)
  if (unreadable > 0) log.warn({ unreadable }, `${what} are encrypted with a missing key`)
}
