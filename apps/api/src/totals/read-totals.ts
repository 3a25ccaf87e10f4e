import { type Day, todayNewYork } from '@tallyroom/domain/new-york'
import { findLayout } from '../db/citus/layout.ts'
import type { Db, Tx } from '../db/database.ts'
import { errorCode, inTransaction } from '../db/transaction.ts'
import type { Clock } from '../lib/clock.ts'
import {
  addToLevel,
  deletePending,
  hasPending,
  lockTotals,
  pendingAddition,
} from './fold-totals.queries.ts'
import { summedLevels } from './levels.ts'
import { keepWeekAvp } from './week-avp.queries.ts'

/** The database that totals are folded in, the one that reports read (often the same), and the clock. */
export type TotalsDatabases = { db: Db; reportDb: Db; clock: Clock }

/**
 * Runs `read` in one snapshot that includes everything committed before the call. Everybody who reads totals does it
 * here and names the rows with `totalsSource`.
 */
export async function readTotals<T>(
  databases: TotalsDatabases,
  read: (tx: Tx, today: Day) => Promise<T>,
): Promise<T> {
  await foldTotals(databases.db)
  return readFoldedTotals(databases, read)
}

/**
 * The same as of the last fold, which is seconds ago. For pages that poll: thousands of them must not queue for the
 * lock of a fold.
 */
export const readFoldedTotals = <T>(
  { reportDb, clock }: Pick<TotalsDatabases, 'reportDb' | 'clock'>,
  read: (tx: Tx, today: Day) => Promise<T>,
): Promise<T> =>
  inTransaction(reportDb, (tx) => read(tx, todayNewYork(clock.now())), {
    isolation: 'repeatable read',
    accessMode: 'read only',
  })

/**
 * Streams `read` in one snapshot, which stays open until the last value is taken or the consumer stops. The database
 * ends the snapshot when nothing is requested for 30 seconds.
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

/** How long a report waits for another fold before it reads what has been folded so far. */
const patienceMs = 1_000

/**
 * Adds what events have contributed since the last fold to every level, in one transaction: readers see an event in
 * all levels or in none. Runs every few seconds and before each read.
 *
 * @returns 'busy' when another fold or a rebuild holds the levels for more than a second.
 */
export async function foldTotals(db: Db): Promise<'folded' | 'nothing to fold' | 'busy'> {
  if (!(await hasPending(db))) return 'nothing to fold'
  const layout = await findLayout(db)
  try {
    await inTransaction(
      db,
      async (tx) => {
        await lockTotals(tx, { patienceMs })
        const addition = await pendingAddition(tx, layout)
        // Coarsest first: a detail row counts as new while the agents' level does not have it yet.
        for (const level of summedLevels.toReversed()) await addToLevel(tx, level, addition)
        await keepWeekAvp(tx, layout)
        await deletePending(tx)
      },
      { isolation: 'repeatable read' },
    )
    return 'folded'
  } catch (error) {
    if (errorCode(error) === lockNotAvailable) return 'busy'
    throw error
  }
}

const lockNotAvailable = '55P03'
