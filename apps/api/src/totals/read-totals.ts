import { type Day, todayNewYork } from '@tallyroom/domain/new-york'
import { untilShownEverywhere } from '../db/citus/between-phases.ts'
import { commitEverywhere, findLayout, type Layout } from '../db/citus/layout.ts'
import type { Db, Tx } from '../db/database.ts'
import { errorCode, inTransaction, lockNotAvailable, oneSnapshot } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { sharedRuns } from '../lib/shared-runs.ts'
import { foldAtOnce, rowsOf } from './fold-at-once.queries.ts'
import {
  addToLevel,
  deletePending,
  hasPending,
  lockTotals,
  openNewestDay,
  pendingAddition,
  pendingAgentWeeks,
  type Reach,
} from './fold-totals.queries.ts'
import { summedLevels } from './levels.ts'
import { keepWeekAvp, officeWeeksOf, remakeOfficeWeeks } from './week-avp.queries.ts'

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
  { reportDb, clock }: Pick<TotalsDatabases, 'reportDb' | 'clock'>,
  read: (tx: Tx, today: Day) => Promise<T>,
): Promise<T> => inTransaction(reportDb, (tx) => read(tx, todayNewYork(clock.now())), oneSnapshot)

/**
 * Streams `read` in one snapshot, which stays open until the last value is taken or the consumer stops. The database
 * ends the snapshot when nothing is requested for 30 seconds.
 *
 * @throws UNAVAILABLE like {@link readTotals}.
 */
export async function* streamTotals<T>(
  databases: TotalsDatabases,
  read: (tx: Tx, today: Day) => AsyncIterable<T>,
  reach: Reach = {},
): AsyncGenerator<T> {
  await foldForReader(databases, reach)
  const { reportDb, clock } = databases
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

/** How long a fold waits for another one, a rebuild or a deletion. */
const patienceMs = 5_000

/**
 * Folds if anything pending concerns the reader: past days rarely have anything, nor has a single agent. On Citus, everybody
 * waits for a running fold, because its commit reaches the machines one after another.
 *
 * @throws UNAVAILABLE like {@link readTotals}.
 */
async function foldForReader(
  { db, clock }: Pick<TotalsDatabases, 'db' | 'clock'>,
  reach: Reach,
): Promise<void> {
  const { scope, until } = reach
  const isOver = until !== undefined && until < todayNewYork(clock.now())
  const isNarrow = isOver || (scope !== undefined && scope.sees !== 'everything')
  if (isNarrow && (await layoutOf(db)) === 'together' && !(await hasPending(db, reach))) return
  const now = clock.now().getTime()
  readAt.set(db, now)
  foldedAt.set(db, now)
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
 * few events, and many folds are not for few events each. Not on Citus, where a fold costs more than its events.
 */
export async function foldWhileRead({
  db,
  clock,
}: Pick<TotalsDatabases, 'db' | 'clock'>): Promise<void> {
  const now = clock.now().getTime()
  const since = (times: WeakMap<Db, number>) => Math.abs(now - (times.get(db) ?? 0))
  if (since(readAt) >= readingMs || since(foldedAt) < pauseMs) return
  if ((await layoutOf(db)) !== 'together') return
  foldedAt.set(db, now)
  await foldTotals(db)
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

const layouts = new WeakMap<Db, Layout>()

/** Asked once, because a database can't be distributed while the app is connected. */
async function layoutOf(db: Db): Promise<Layout> {
  const layout = layouts.get(db) ?? (await findLayout(db))
  layouts.set(db, layout)
  return layout
}

async function foldOnce(db: Db): Promise<Folded> {
  if (!(await hasPending(db))) return 'nothing to fold'
  const layout = await layoutOf(db)
  try {
    return await inTransaction(
      db,
      async (tx) => {
        await lockTotals(tx, { patienceMs })
        // An agent's row of an earlier fold that is not shown yet would be counted as a new one, and missed by the month.
        if (layout === 'distributed') await untilShownEverywhere(tx)
        const days = await openNewestDay(tx)
        if (!days) return 'nothing to fold'
        if (layout === 'distributed') await foldLevelByLevel(tx, days.openDay)
        else {
          const changed = await foldAtOnce(tx, days)
          if (changed.length > 0) await keepWeekAvp(tx, rowsOf(changed), layout)
        }
        if (days.closedDay) await remakeOfficeWeeks(tx, officeWeeksOf(days.closedDay), layout)
        return 'folded'
      },
      { isolation: 'repeatable read' },
    )
  } catch (error) {
    if (errorCode(error) === lockNotAvailable) return 'busy'
    throw error
  }
}

/** Citus cannot change several distributed tables in one statement. */
async function foldLevelByLevel(tx: Tx, openDay: Day | undefined): Promise<void> {
  const addition = await pendingAddition(tx, 'distributed')
  // Coarsest first: a detail row counts as new while the agents' level does not have it yet.
  for (const level of summedLevels.toReversed()) await addToLevel(tx, level, addition, openDay)
  await keepWeekAvp(tx, pendingAgentWeeks, 'distributed')
  await deletePending(tx)
  await commitEverywhere(tx)
}
