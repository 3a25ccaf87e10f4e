import type { Day } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import { untilShownEverywhere } from '../../db/citus/between-phases.ts'
import { commitEverywhere, workInSequence } from '../../db/citus/layout.ts'
import type { Tx } from '../../db/database.ts'
import { columns } from '../../db/list-query.ts'
import { prepared } from '../../db/prepared.ts'
import { errorCode, inTransaction, lockNotAvailable } from '../../db/transaction.ts'
import { folded, isNewDetail } from '../fold-at-once.queries.ts'
import {
  addToLevel,
  deletePending,
  findOpenDay,
  limitLocks,
  lockInTurn,
  openPendingDay,
  type Patience,
  type PendingDays,
  sums,
  weekOf,
} from '../fold-totals.queries.ts'
import { agentWeekLevel, hasOpenDay, metrics, otherMetrics, summedLevels } from '../levels.ts'
import type { TotalsStore } from '../totals-store.ts'
import {
  deleteOfficeWeeks,
  insertOfficeWeeks,
  keepWeekAvp,
  type OfficeWeeks,
  officeWeeksOf,
} from '../week-avp.queries.ts'

/** The machines share no snapshot, and a commit reaches them one after another. */
export const totalsOnCluster: TotalsStore = {
  // The commit of a running fold reaches the machines one after another, so everybody waits for it.
  mayLack: () => Promise.resolve(true),
  // A fold costs more than its events.
  foldAhead: () => Promise.resolve(),

  lockFolds,

  async fold(tx) {
    // Each session on a worker has a snapshot of its own, so there may be one only. And the open day is on every machine.
    await workInSequence(tx)
    await keepOneSession(tx)
    // An agent's row of an earlier fold that is not shown yet would be counted as a new one, and missed by the month.
    await untilShownEverywhere(tx)
    const pending = await sumPending(tx)
    if (!pending) return false
    const days = await openPendingDay(tx, { ...pending, open: await findOpenDay(tx) })
    const details = await findNewDetails(tx)
    await foldAgents(tx, days, pending.hasOnlyClicks && details.length === 0)
    await foldOffices(tx, days, pending.sums, details)
    await deletePending(tx)
    const { closedDay } = days
    if (closedDay) await remakeOfficeWeeks(tx, officeWeeksOf(closedDay))
    await commitEverywhere(tx)
    return true
  },

  lock: lockTotalsAndEvents,

  /**
   * Each session on a worker takes its snapshot when it is first used, so all are used once while nothing changes: events and
   * folds wait for some milliseconds.
   */
  takeSnapshot: (db, tx) =>
    // In another transaction, whose end releases the lock.
    inTransaction(db, async (lock) => {
      await lockTotalsAndEvents(lock)
      await useEverySession(tx)
    }),

  // A table that is on every machine can only be written before many shards are read.
  findDayToOpen: () => Promise.resolve(undefined),

  remakeOfficeWeeks,
}

/** A table of the coordinator's: a shard that moves locks all that move with it, for as long as that takes. */
function lockFolds(tx: Tx, patience?: Patience): Promise<void> {
  return lockInTurn(tx, 'totals_day_office', patience)
}

/** Events and folds wait as long. */
const PATIENCE_MS = 2_000

/** As while a shard moves. The SQLSTATE says that the same work succeeds later. */
class EventsAreLocked extends Error {
  override name = 'EventsAreLocked'
  readonly code = '57P03'
}

/**
 * Blocks new events, too. They queue behind whoever waits for this lock, and a move holds one that conflicts, for minutes or hours:
 * so it is asked for with little patience.
 */
async function lockTotalsAndEvents(tx: Tx): Promise<void> {
  await lockFolds(tx)
  await limitLocks(tx, PATIENCE_MS)
  try {
    await sql`lock table totals_pending in exclusive mode`.execute(tx)
  } catch (cause) {
    if (errorCode(cause) !== lockNotAvailable) throw cause
    throw new EventsAreLocked('Events are in use for too long, as while a shard is being moved.', {
      cause,
    })
  }
  await limitLocks(tx, 0)
  await untilShownEverywhere(tx)
}

/** `limit 1` asks every shard, `limit 0` none. */
async function useEverySession(tx: Tx): Promise<void> {
  await keepOneSession(tx)
  await sql`select agent_id from clicks limit 1`.execute(tx)
  await sql`select sale_key from sale_keys limit 1`.execute(tx)
}

/** Several sessions on a worker would have a snapshot each. */
const keepOneSession = (tx: Tx) =>
  sql`set local citus.max_adaptive_executor_pool_size to 1`.execute(tx)

const officeColumns = ['office_id', 'site_id', 'type_id', ...metrics] as const

type Sum = { day: Day } & Record<(typeof officeColumns)[number], number>

/** What is pending, summed by office and link type, from the first to the last day. Undefined if nothing is. */
async function sumPending(tx: Tx) {
  const { rows } = await sql<Sum>`
    select day, office_id, site_id, type_id, ${sums(metrics)}
    from totals_pending
    group by day, office_id, site_id, type_id
    order by day
  `.execute(tx)
  const [oldest, newest] = [rows[0]?.day, rows.at(-1)?.day]
  if (oldest === undefined || newest === undefined) return undefined
  const hasOnlyClicks = rows.every((row) => otherMetrics.every((metric) => row[metric] === 0))
  return { oldest, newest, hasOnlyClicks, sums: rows }
}

type Detail = { day: Day; officeId: number; count: number }

/** How many rows of days and agents pending ones will add, by day and office. On each machine, looked up by key. */
async function findNewDetails(tx: Tx): Promise<Detail[]> {
  const { rows } = await sql<Detail>`
    select day, office_id as "officeId", count(*) as count
    from (select distinct day, agent_id, office_id from totals_pending) as keys
    where ${isNewDetail}
    group by day, office_id
  `.execute(tx)
  return rows
}

/**
 * Adds pending rows to the levels of agents, each on the machine of its agent. Several distributed tables can't be changed in
 * one statement.
 *
 * @param areKnown whether only clicks are pending, of days and agents that already have a row: then those of the open day
 * change no week.
 */
async function foldAgents(
  tx: Tx,
  { openDay: open, areAllOpen }: PendingDays,
  areKnown: boolean,
): Promise<void> {
  const pending = { rows: sql`select * from totals_pending`, detailRows: sql`` }
  const keepsWeeks = areAllOpen && areKnown
  for (const level of agentLevels) {
    const keeps = level === agentWeekLevel ? keepsWeeks : areAllOpen && !hasOpenDay(level.unit)
    if (!keeps) await addToLevel(tx, level, pending, open)
  }
  if (!keepsWeeks) await keepWeekAvp(tx, pendingAgentWeeks, remakeOfficeWeeks)
}

const agentLevels = summedLevels.filter(({ dimensions }) => dimensions.includes('agent_id'))
const officeLevels = summedLevels.filter((level) => !agentLevels.includes(level))

/** The weeks of agents with pending rows, in the form that `keepWeekAvp` expects. */
const pendingAgentWeeks = sql`
  select distinct agent_id, ${weekOf(sql`day`)} as day from totals_pending
`

/** Adds the sums to the levels of offices, all on the coordinator, in one statement. */
async function foldOffices(
  tx: Tx,
  { openDay: open, areAllOpen }: PendingDays,
  added: readonly Sum[],
  details: readonly Detail[],
): Promise<void> {
  const levels = officeLevels.filter(({ unit }) => hasOpenDay(unit) || !areAllOpen)
  await sql`
    ${prepared}
    with added as materialized (
      select *
      from unnest(
        ${added.map(({ day }) => day)}::date[],
        ${sql.join(officeColumns.map((name) => sql`${added.map((row) => row[name])}::bigint[]`))}
      ) as added (day, ${columns(officeColumns)})
    ),
    details as materialized (
      select *
      from unnest(
        ${details.map(({ day }) => day)}::date[],
        ${details.map(({ officeId }) => officeId)}::integer[],
        ${details.map(({ count }) => count)}::bigint[]
      ) as details (day, office_id, detail_rows)
    ),
    ${sql.join(levels.map((level) => folded(level, open)))}
    select
  `.execute(tx)
}

/** All rows are deleted first, because the workers cannot check row by row which ones remain. */
async function remakeOfficeWeeks(tx: Tx, changed: OfficeWeeks): Promise<void> {
  await deleteOfficeWeeks(tx, changed, sql`true`)
  await insertOfficeWeeks(tx, changed)
}
