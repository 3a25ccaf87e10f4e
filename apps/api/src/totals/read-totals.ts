import { type Day, todayNewYork } from '@tallyroom/domain/new-york'
import { expectPlacements, findPlacements } from '../db/citus/placements.ts'
import type { Db, Tx } from '../db/database.ts'
import {
  errorCode,
  inSnapshot,
  inTransaction,
  lockNotAvailable,
  withFacts,
} from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { sharedRuns } from '../lib/shared-runs.ts'
import { hasPending, type Reach } from './fold-totals.queries.ts'
import { totalsStoreOf } from './totals-store.ts'

/** The database that totals are folded in, the one that reports read (often the same), and the clock. */
export type TotalsDatabases = { db: Db; reportDb: Db; clock: Clock }

/**
 * Runs `read` in one snapshot that includes everything committed before the call. Everybody who reads totals does it
 * here and names the rows with `totalsSource`.
 *
 * @throws UNAVAILABLE while a rebuild or a deletion holds the totals for more than {@link patienceMs}.
 */
export async function readTotals<T>(
  databases: TotalsDatabases,
  read: (tx: Tx, today: Day) => Promise<T>,
  reach: Reach = {},
): Promise<T> {
  await foldForReader(databases, reach)
  return readFoldedTotals(databases, read)
}

/**
 * The same as of the last fold, which is seconds ago. For pages that poll: thousands of them must not queue for the
 * lock of a fold.
 */
export const readFoldedTotals = <T>(
  { reportDb }: Pick<TotalsDatabases, 'reportDb'>,
  read: (tx: Tx, today: Day) => Promise<T>,
): Promise<T> => inSnapshot(reportDb, (tx) => read(tx, todayNewYork(tx.now)))

/**
 * Streams `read` in one snapshot, which stays open until the last value is taken or the consumer stops. The database
 * ends the snapshot when nothing is requested for 30 seconds.
 *
 * @throws UNAVAILABLE like {@link readTotals}.
 * @throws ShardsMoved after the last value, if a cluster has moved shards meanwhile.
 */
export async function* streamTotals<T>(
  databases: TotalsDatabases,
  read: (tx: Tx, today: Day) => AsyncIterable<T>,
  reach: Reach = {},
): AsyncGenerator<T> {
  await foldForReader(databases, reach)
  const { reportDb } = databases
  const placements = await findPlacements(reportDb)
  const begun = await reportDb
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  const tx = withFacts(reportDb, begun)
  try {
    yield* read(tx, todayNewYork(tx.now))
  } finally {
    await tx.rollback().execute()
  }
  // What was sent can't be taken back. Without its end, nobody takes it for whole.
  await expectPlacements(reportDb, placements)
}

/** Reads events and totals as of one instant while both are being written. */
export async function readEventsAndTotals<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  const store = await totalsStoreOf(db)
  return inSnapshot(db, async (tx) => {
    await store.takeSnapshot(db, tx)
    return read(tx)
  })
}

/** How long a fold waits for another one, a rebuild or a deletion. */
const patienceMs = 5_000

/**
 * Folds if anything pending concerns the reader: past days rarely have anything, nor has a single agent.
 *
 * @throws UNAVAILABLE like {@link readTotals}.
 */
async function foldForReader(
  { db, clock }: Pick<TotalsDatabases, 'db' | 'clock'>,
  reach: Reach,
): Promise<void> {
  const { scope, until } = reach
  const now = clock.now()
  const isOver = until !== undefined && until < todayNewYork(now)
  const { mayLack } = await totalsStoreOf(db)
  const isNarrow = isOver || (scope !== undefined && scope.sees !== 'everything')
  if (isNarrow && !(await mayLack(db, reach))) return
  readAt.set(db, now.getTime())
  foldedAt.set(db, now.getTime())
  await foldOrRefuse(db)
}

/**
 * Folds for pages that poll, which don't wait for it: see {@link readFoldedTotals}.
 *
 * @throws UNAVAILABLE like {@link readTotals}.
 */
export async function foldOrRefuse(db: Db): Promise<void> {
  if ((await foldTotals(db)) !== 'busy') return
  throw new AppError(
    'UNAVAILABLE',
    'The figures are not available now: totals are being rebuilt, or the database is slow.',
    { retryAfter: 60 },
  )
}

/**
 * Folds if a reader has asked for a fold in the last seconds, but none has for {@link pauseMs}: so the next one waits for
 * few events, and many folds are not for few events each.
 */
export async function foldWhileRead({
  db,
  clock,
}: Pick<TotalsDatabases, 'db' | 'clock'>): Promise<void> {
  const now = clock.now().getTime()
  const since = (times: WeakMap<Db, number>) => Math.abs(now - (times.get(db) ?? 0))
  if (since(readAt) >= readingMs || since(foldedAt) < pauseMs) return
  const store = await totalsStoreOf(db)
  await store.foldAhead(() => {
    foldedAt.set(db, now)
    return foldTotals(db)
  })
}

/** When a reader last asked for a fold, and when the last fold for readers began, as epoch milliseconds. */
const readAt = new WeakMap<Db, number>()
const foldedAt = new WeakMap<Db, number>()
const pauseMs = 200
const readingMs = 3_000

/**
 * Adds what events have contributed since the last fold to every level, in one transaction: readers see an event in
 * all levels or in none. Runs every few seconds and before each read that needs it. Callers in this process that
 * arrive during a fold share the next one, which includes everything committed before they arrived.
 *
 * @returns 'busy' when a rebuild or a deletion holds the levels for too long.
 */
export function foldTotals(db: Db): Promise<Folded> {
  let fold = folds.get(db)
  if (!fold) {
    fold = sharedRuns(() => foldOnce(db))
    folds.set(db, fold)
  }
  return fold()
}

type Folded = 'folded' | 'nothing to fold' | 'busy'

const folds = new WeakMap<Db, () => Promise<Folded>>()

async function foldOnce(db: Db): Promise<Folded> {
  if (!(await hasPending(db))) return 'nothing to fold'
  const store = await totalsStoreOf(db)
  try {
    return await inTransaction(
      db,
      async (tx) => {
        await store.lockFolds(tx, { patienceMs })
        return (await store.fold(tx)) ? 'folded' : 'nothing to fold'
      },
      { isolation: 'repeatable read' },
    )
  } catch (error) {
    if (errorCode(error) === lockNotAvailable) return 'busy'
    throw error
  }
}
