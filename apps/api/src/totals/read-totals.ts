import { type Day, todayNewYork } from '@tallyroom/domain/new-york'
import type { Db, Tx } from '../db/database.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Clock } from '../lib/clock.ts'
import { foldTotals } from './fold-totals.ts'

/** Where the totals are kept up to date, where reports read them (often the same), and what day it is. */
export type TotalsDatabases = { db: Db; reportDb: Db; clock: Clock }

/**
 * Reads totals within one snapshot that holds everything committed before the call. The one way to read them: how
 * they are brought up to date before is nobody else's business. `totalsSource` says which rows answer a question.
 */
export async function readTotals<T>(
  { db, reportDb, clock }: TotalsDatabases,
  read: (tx: Tx, today: Day) => Promise<T>,
): Promise<T> {
  await foldTotals(db)
  return inTransaction(reportDb, (tx) => read(tx, todayNewYork(clock.now())), {
    isolation: 'repeatable read',
    accessMode: 'read only',
  })
}

/**
 * The same for what is read bit by bit: the snapshot is held until all is read, or nobody wants any more. The
 * database ends it when nothing is asked for half a minute.
 */
export async function* streamTotals<T>(
  { db, reportDb, clock }: TotalsDatabases,
  read: (tx: Tx, today: Day) => AsyncIterable<T>,
): AsyncGenerator<T> {
  await foldTotals(db)
  const tx = await reportDb
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  try {
    yield* read(tx, todayNewYork(clock.now()))
  } finally {
    await tx.rollback().execute()
  }
}
