import type { Db } from '../src/db/database.ts'
import { inTransaction } from '../src/db/transaction.ts'
import { totalsStoreOf } from '../src/totals/index.ts'

/** Holds that by which folds take turns, as another process's fold does. Returns what releases it. */
export async function holdFolds(db: Db): Promise<() => Promise<void>> {
  const store = await totalsStoreOf(db)
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holding = inTransaction(db, async (tx) => {
    await store.lockFolds(tx)
    held.resolve()
    await released.promise
  })
  await Promise.race([held.promise, holding])
  return () => {
    released.resolve()
    return holding
  }
}
