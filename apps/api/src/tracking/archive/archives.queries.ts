import { addMonths, type Day, dayOf, NEW_YORK } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'
import { errorCode, lockNotAvailable } from '../../db/transaction.ts'
import { locks, tryLock, tryShareLock } from '../../db/locks.ts'
import { partitionName } from '../clicks/partitions.queries.ts'

/** An archived month. `month` is its first day; `file` is relative to the archive folder. */
export type Archive = {
  month: Day
  file: string
  sha256: string
  contentSha256: string
  bytes: number
  clicks: number
}

/** Months are those of UTC, like the partitions of clicks. */
export const startOfMonth = (month: Day): Date => new Date(`${month}T00:00:00Z`)

/** The New York days of a month's clicks. A UTC month begins in the evening of the last day of the previous month. */
export const daysOf = (month: Day): DateRange => ({
  start: dayOf(startOfMonth(month)),
  end: dayOf(startOfMonth(addMonths(month, 1)).getTime() - 1),
})

export const partitionOf = (month: Day) => sql.table(partitionName('clicks', month))

/**
 * Locks archives for one run at a time, and against deletions of agents and cuts of addresses. Lifts the idle timeout,
 * because the session waits while files are written.
 */
export async function tryLockArchives(tx: Tx): Promise<boolean> {
  await mayStayIdle(tx)
  return tryLock(tx, locks.archives)
}

/** Keeps archives unchanged until the transaction ends (a shared lock). False if a run is changing them. */
export async function tryHoldArchives(tx: Tx): Promise<boolean> {
  await mayStayIdle(tx)
  return tryShareLock(tx, locks.archives)
}

/** Lets a session wait while files are written. */
export const mayStayIdle = (tx: Tx) =>
  sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)

/** Months before `before` with clicks in the default partition, and without an archive. */
export async function findStrayMonths(db: Db, before: Day): Promise<Day[]> {
  const { rows } = await sql<{ month: Day }>`
    select distinct date_trunc('month', clicked_at at time zone 'UTC')::date as month
    from clicks_default
    where clicked_at < ${startOfMonth(before)}
      and date_trunc('month', clicked_at at time zone 'UTC')::date not in (select month from click_archives)
  `.execute(db)
  return rows.map(({ month }) => month)
}

/** Blocks changes of a month's clicks, but not reads, until the transaction ends. */
export const lockPartition = (tx: Tx, month: Day) =>
  sql`lock table ${partitionOf(month)} in share mode`.execute(tx)

export async function hasClicks(tx: Tx, month: Day): Promise<boolean> {
  const { rows } = await sql`select 1 from ${partitionOf(month)} limit 1`.execute(tx)
  return rows.length > 0
}

/** Counts clicks whose microseconds a file would lose: it stores milliseconds. */
export async function countFiner(tx: Tx, month: Day): Promise<number> {
  const { rows } = await sql<{ clicks: number }>`
    select count(*) as clicks from ${partitionOf(month)}
    where clicked_at <> date_trunc('milliseconds', clicked_at)
  `.execute(tx)
  return rows[0]?.clicks ?? 0
}

/** Inserts the sums of a month's clicks into `click_seals`. */
const sumsOf = (month: Day): RawBuilder<unknown> => sql`
  select
    ${month}::date as month,
    (clicked_at at time zone ${sql.lit(NEW_YORK)})::date as day,
    agent_id, office_id, site_id, type_id,
    count(*)::integer as clicks,
    (count(*) filter (where uncounted = 'blacklisted'))::integer as blacklisted,
    (count(*) filter (where uncounted is null))::integer as raws,
    (count(*) filter (where uncounted is null and is_unique))::integer as uniques
  from ${partitionOf(month)} as click
  left join link_types as type on type.id = click.type_id
  group by 2, agent_id, office_id, site_id, type_id
`

export const insertSeals = (tx: Tx, month: Day) =>
  sql`
    insert into click_seals (
      month, day, agent_id, office_id, site_id, type_id, clicks, blacklisted, raws, uniques
    )
    ${sumsOf(month)}
  `.execute(tx)

/** The number of differences between the seals and the sums of the month's clicks: 0 if they agree. */
export async function countUnsealed(tx: Tx, month: Day): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*) as rows
    from (
      select day, agent_id, office_id, site_id, type_id
      from (
        select day, agent_id, office_id, site_id, type_id, clicks, blacklisted, raws, uniques
        from click_seals
        where month = ${month}::date
        union all
        select day, agent_id, office_id, site_id, type_id, -clicks, -blacklisted, -raws, -uniques
        from (${sumsOf(month)}) as sums
      ) as seals_and_sums
      group by day, agent_id, office_id, site_id, type_id
      having (sum(clicks), sum(blacklisted), sum(raws), sum(uniques)) <> (0, 0, 0, 0)
    ) as differing
  `.execute(tx)
  return rows[0]?.rows ?? 0
}

/** The sum of a month's clicks for one value of a dimension. */
export type Sum = {
  dimension: string
  value: string
  clicks: number
  raws: number
  uniques: number
}

export const SUMMED_BY = ['day', 'agent_id', 'office_id', 'site_id', 'type_id'] as const

/** The month's seals, summed by each dimension separately: day, agent, office, site and link type. */
export async function sumSeals(tx: Tx, month: Day): Promise<Sum[]> {
  const by = (column: string) => sql`
    select
      ${column} as dimension, ${sql.ref(column)}::text as value,
      sum(clicks)::bigint as clicks, sum(raws)::bigint as raws, sum(uniques)::bigint as uniques
    from click_seals
    where month = ${month}::date
    group by ${sql.ref(column)}
  `
  const { rows } = await sql<Sum>`${sql.join(SUMMED_BY.map(by), sql` union all `)}`.execute(tx)
  return rows
}

/** How long the rest of a transaction waits for each lock. */
export const limitLockWaits = (tx: Tx, patienceMs: number) =>
  sql`set local lock_timeout = ${sql.lit(`${patienceMs}ms`)}`.execute(tx)

/**
 * Drops a month's clicks; false if the lock is not acquired within `patienceMs`, which is also the
 * longest that clicks have to wait. Call it last: it blocks clicks until the transaction ends.
 */
export async function tryDropPartition(tx: Tx, month: Day, patienceMs: number): Promise<boolean> {
  await limitLockWaits(tx, patienceMs)
  await sql`savepoint before_drop`.execute(tx)
  try {
    await sql`drop table ${partitionOf(month)}`.execute(tx)
    return true
  } catch (error) {
    if (errorCode(error) !== lockNotAvailable) throw error
    await sql`rollback to savepoint before_drop`.execute(tx)
    return false
  }
}

/** The archived months, oldest first. */
export const findArchives = (db: DbOrTx): Promise<Archive[]> =>
  db
    .selectFrom('click_archives')
    .select(['month', 'file', 'sha256', 'content_sha256 as contentSha256', 'bytes', 'clicks'])
    .orderBy('month')
    .execute()

/** Forgets that a month was archived, with its sums. */
export async function deleteArchive(tx: Tx, month: Day): Promise<void> {
  for (const table of ['click_seals', 'archive_purges', 'click_archives'] as const) {
    await tx.deleteFrom(table).where('month', '=', month).execute()
  }
}
