import type { Day } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import { untilShownEverywhere } from '../../db/citus/between-phases.ts'
import { commitEverywhere } from '../../db/citus/layout.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { addToLevel, deletePending, openNewestDay, weekOf } from '../fold-totals.queries.ts'
import { summedLevels } from '../levels.ts'
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

  async fold(tx) {
    // An agent's row of an earlier fold that is not shown yet would be counted as a new one, and missed by the month.
    await untilShownEverywhere(tx)
    const days = await openNewestDay(tx)
    if (!days) return false
    await foldLevelByLevel(tx, days.openDay)
    if (days.closedDay) await remakeOfficeWeeks(tx, officeWeeksOf(days.closedDay))
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

/** Blocks new events, too. */
async function lockTotalsAndEvents(tx: Tx): Promise<void> {
  await sql`lock table totals_pending in exclusive mode`.execute(tx)
  await untilShownEverywhere(tx)
}

/** Several sessions on a worker would have a snapshot each. `limit 1` asks every shard, `limit 0` none. */
async function useEverySession(tx: Tx): Promise<void> {
  await sql`set local citus.max_adaptive_executor_pool_size to 1`.execute(tx)
  await sql`select agent_id from clicks limit 1`.execute(tx)
  await sql`select sale_key from sale_keys limit 1`.execute(tx)
}

/** Several distributed tables can't be changed in one statement. */
async function foldLevelByLevel(tx: Tx, openDay: Day | undefined): Promise<void> {
  const addition = {
    rows: sql`select * from totals_pending`,
    detailRows: await newDetailRows(tx),
  }
  // Coarsest first: a detail row counts as new while the agents' level does not have it yet.
  for (const level of summedLevels.toReversed()) await addToLevel(tx, level, addition, openDay)
  await keepWeekAvp(tx, pendingAgentWeeks, remakeOfficeWeeks)
  await deletePending(tx)
  await commitEverywhere(tx)
}

/** The weeks of agents with pending rows, in the form that `keepWeekAvp` expects. */
const pendingAgentWeeks = sql`
  select distinct agent_id, ${weekOf(sql`day`)} as day from totals_pending
`

type DetailRow = { day: Day; agentId: number; officeId: number }

/**
 * The rows of days and agents that pending ones will add, by day and office. A join would pull the agents' totals to the
 * coordinator, so the few rows in question are looked up by key.
 */
async function newDetailRows(tx: Tx): Promise<RawBuilder<unknown>> {
  const { rows: keys } = await sql<DetailRow>`
    select distinct day, agent_id as "agentId", office_id as "officeId" from totals_pending
  `.execute(tx)
  const { rows: present } = await sql<DetailRow>`
    select day, agent_id as "agentId", office_id as "officeId"
    from totals_day_agent
    where agent_id = any(${[...new Set(keys.map(({ agentId }) => agentId))]}::integer[])
      and day = any(${[...new Set(keys.map(({ day }) => day))]}::date[])
  `.execute(tx)
  const nameOf = ({ day, agentId, officeId }: DetailRow) => `${day} ${agentId} ${officeId}`
  const known = new Set(present.map(nameOf))
  const added = Map.groupBy(
    keys.filter((key) => !known.has(nameOf(key))),
    ({ day, officeId }) => `${day} ${officeId}`,
  )
  const groups = [...added].map(([name, rows]) => [...name.split(' '), rows.length])
  return sql`
    select *
    from unnest(
      ${groups.map(([day]) => day)}::date[],
      ${groups.map(([, officeId]) => officeId)}::integer[],
      ${groups.map(([, , count]) => count)}::bigint[]
    ) as added (day, office_id, detail_rows)
  `
}

/** All rows are deleted first, because the workers cannot check row by row which ones remain. */
async function remakeOfficeWeeks(tx: Tx, changed: OfficeWeeks): Promise<void> {
  await deleteOfficeWeeks(tx, changed, sql`true`)
  await insertOfficeWeeks(tx, changed)
}
