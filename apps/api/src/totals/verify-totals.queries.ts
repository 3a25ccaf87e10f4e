import type { Day } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { sql } from 'kysely'
import { columns } from '../db/list-query.ts'
import type { Db, Tx } from '../db/database.ts'
import { inTransaction } from '../db/transaction.ts'
import { noPause, type Pace, type Reach } from '../lib/log/progress.ts'
import { type Counted, countedEvents, hasSeals, isOnDays } from './counted-events.queries.ts'
import {
  dayOfLevel,
  deletePending,
  findOpenDay,
  isKeptBy,
  keptRows,
  sums,
  liftStatementTimeout,
} from './fold-totals.queries.ts'
import {
  derivations,
  finestLevel,
  type Level,
  LEVELS,
  metrics,
  summedLevels,
  type TotalsDifference,
} from './levels.ts'
import { readEventsAndTotals } from './read-totals.ts'
import { type TotalsStore, totalsStoreOf } from './totals-store.ts'
import { uniqueClickDifferences } from './unique-clicks.queries.ts'
import { fillWeekAvp, weekAvpDifferences } from './week-avp.queries.ts'

/**
 * Compares every level with the events, in one snapshot. Events can still be written.
 *
 * @returns at most `limit` differences per level; none when the totals are right.
 */
export function verifyTotals(
  db: Db,
  { limit = 20, reach, pace = noPause }: { limit?: number; reach?: Reach; pace?: Pace } = {},
): Promise<TotalsDifference[]> {
  return readEventsAndTotals(db, async (tx) => {
    await liftStatementTimeout(tx)
    const counted = { sealed: await hasSeals(tx), openDay: await findOpenDay(tx) }
    const found = await uniqueClickDifferences(tx, limit, counted)
    for (const [place, level] of summedLevels.entries()) {
      reach?.(place + 1, summedLevels.length + 1, 'levels')
      await pace()
      found.push(...(await differencesOf(tx, level, limit, counted)))
      if (level.sums.includes('detail_rows')) {
        found.push(...(await detailRowDifferences(tx, level, limit, counted)))
      }
    }
    found.push(...(await weekAvpDifferences(tx, limit)))
    return found
  })
}

/**
 * Compares the totals of some days with their events, by agent, office and link type. Call it in
 * {@link readEventsAndTotals}, or while neither can be written.
 *
 * @returns at most 20 differences of sums, and 20 of unique clicks.
 */
export async function verifyDays(tx: Tx, range: DateRange): Promise<TotalsDifference[]> {
  const counted = { sealed: await hasSeals(tx), range }
  return [
    ...(await uniqueClickDifferences(tx, 20, counted)),
    ...(await differencesOf(tx, finestLevel, 20, counted)),
  ]
}

/**
 * Rebuilds every level from the events, in one transaction. Events can still be written: what they add after the
 * snapshot stays pending and is folded in afterwards. On a cluster they wait: clicks on disk, postbacks
 * until they time out.
 */
export async function rebuildTotals(db: Db, reach?: Reach): Promise<void> {
  const store = await totalsStoreOf(db)
  return inTransaction(
    db,
    async (tx) => {
      await liftStatementTimeout(tx)
      await store.lock(tx)
      await recountTotals(tx, store, reach)
    },
    { isolation: 'repeatable read' },
  )
}

/**
 * Rebuilds every level within the transaction of a seed, which writes events without their totals.
 */
export async function recountTotals(tx: Tx, store: TotalsStore, reach?: Reach): Promise<void> {
  await store.lockFolds(tx)
  const openDay = await openNewestEventsDay(tx, store)
  await clearTotals(tx, LEVELS)
  await countEvents(tx, finestLevel)
  for (const [place, [level, finer]] of derivations.entries()) {
    reach?.(place + 1, derivations.length + 1, 'levels')
    await deriveLevel(tx, level, finer, openDay)
  }
  await fillWeekAvp(tx)
}

/** Opens the day of the newest event, counted or not: no total has a later one. Undefined without events. */
async function openNewestEventsDay(tx: Tx, store: TotalsStore): Promise<Day | undefined> {
  await tx.deleteFrom('totals_open_day').execute()
  const day = await store.findDayToOpen(tx)
  if (day !== undefined) await tx.insertInto('totals_open_day').values({ day }).execute()
  return day
}

/**
 * Empties every level and deletes pending rows, before the events of the same snapshot are counted
 * again.
 */
async function clearTotals(tx: Tx, levels: readonly Level[]): Promise<void> {
  await deletePending(tx)
  for (const level of levels) await sql`delete from ${sql.table(level.table)}`.execute(tx)
}

/** Counts all events into the finest level, ordered by day, so that the rows of a period lie together on disk. */
async function countEvents(tx: Tx, level: Level): Promise<void> {
  await sql`
    insert into ${sql.table(level.table)} (day, ${columns(level.dimensions)}, ${columns(metrics)})
    select day, ${columns(level.dimensions)}, ${sums(metrics)}
    from (${countedEvents({ sealed: await hasSeals(tx) })}) as events
    group by day, ${columns(level.dimensions)}
    order by day, ${columns(level.dimensions)}
  `.execute(tx)
}

/** Fills an empty level from a finer one, ordered by day. */
async function deriveLevel(
  tx: Tx,
  level: Level,
  finer: Level,
  openDay: Day | undefined,
): Promise<void> {
  const countsRows = level.sums.includes('detail_rows') && !finer.sums.includes('detail_rows')
  await sql`
    insert into ${sql.table(level.table)} (day, ${columns(level.dimensions)}, ${columns(level.sums)})
    select
      ${dayOfLevel(level)}, ${columns(level.dimensions)}, ${sums(countsRows ? metrics : level.sums)}
      ${countsRows ? sql`, count(*)` : sql``}
    from ${keptRows(level, sql`select * from ${sql.table(finer.table)}`, openDay)} as kept
    group by ${dayOfLevel(level)}, ${columns(level.dimensions)}
    order by ${dayOfLevel(level)}, ${columns(level.dimensions)}
  `.execute(tx)
}

/**
 * Compares a level and its pending rows with the events. A range must consist of whole units of the
 * level.
 */
async function differencesOf(
  tx: Tx,
  level: Level,
  limit: number,
  { openDay, ...counted }: Counted & { openDay?: Day | undefined },
): Promise<TotalsDifference[]> {
  const dimensions = columns(level.dimensions)
  const { range } = counted
  const isInRange = isOnDays(range)
  const { rows } = await sql<{ row: string; expected: string | null; actual: string | null }>`
    with expected as materialized (
      select ${dayOfLevel(level)} as day, ${dimensions}, ${sums(metrics)}
      from ${keptRows(level, countedEvents(counted), openDay)} as events
      group by ${dayOfLevel(level)}, ${dimensions}
    ),
    actual as materialized (
      select day, ${dimensions}, ${sums(metrics)}
      from (
        select day, ${dimensions}, ${columns(metrics)} from ${sql.table(level.table)} where ${isInRange}
        union all
        select ${dayOfLevel(level)}, ${dimensions}, ${columns(metrics)}
        from ${keptRows(level, sql`select * from totals_pending where ${isInRange}`, openDay)} as pending
      ) as folded_and_pending
      group by day, ${dimensions}
    ),
    sides as (
      select day, ${dimensions}, row(${columns(metrics)})::text as expected, null::text as actual from expected
      union all
      select day, ${dimensions}, null, row(${columns(metrics)})::text from actual
    )
    select row(day, ${dimensions})::text as row, max(expected) as expected, max(actual) as actual
    from sides
    group by day, ${dimensions}
    having max(expected) is distinct from max(actual)
    order by day, ${dimensions}
    limit ${limit}
  `.execute(tx)
  return rows.map(({ row, expected, actual }) => ({
    level: level.table,
    row,
    expected: expected ?? 'no row',
    actual: actual ?? 'no row',
  }))
}

/**
 * Compares an office level's counts of detail rows with the rows of days and agents that it counts.
 */
async function detailRowDifferences(
  tx: Tx,
  level: Level,
  limit: number,
  { openDay }: { openDay: Day | undefined },
): Promise<TotalsDifference[]> {
  const { rows } = await sql<{ row: string; expected: string; actual: string }>`
    with below as (
      select ${dayOfLevel(level)} as day, office_id, count(*) as detail_rows
      from totals_day_agent
      where ${isKeptBy(level, openDay)}
      group by ${dayOfLevel(level)}, office_id
    )
    select
      row(day, office_id)::text as row,
      coalesce(below.detail_rows, 0)::text as expected,
      coalesce(present.detail_rows, 0)::text as actual
    from below
    full join ${sql.table(level.table)} as present using (day, office_id)
    where below.detail_rows is distinct from present.detail_rows
    order by day, office_id
    limit ${limit}
  `.execute(tx)
  return rows.map((difference) => ({ level: `${level.table}.detail_rows`, ...difference }))
}
