import { addDays, addMonths, type Day, monthOf, todayNewYork } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import { appRole } from '../../db/connection.ts'
import type { Db, Tx } from '../../db/database.ts'
import { errorCode, inTransaction, lockNotAvailable } from '../../db/transaction.ts'
import { locks, takeLock } from '../../db/locks.ts'
import type { Clock } from '../../lib/clock.ts'

const MONTHS_AHEAD = 3
const DAYS_OF_VISITORS = 2

/**
 * Creates the monthly partitions of clicks and seen visitors from the month of `from` to the month of `to`,
 * both inclusive, by default from this month to three months ahead. Idempotent and safe in several processes at
 * once. What is in use for too long, as while a cluster moves a shard, is left for the next run: clicks would queue behind the
 * lock, and until then the default partition takes them. `ownerDb` needs the rights of the tables' owner.
 */
export async function ensurePartitions(
  ownerDb: Db,
  clock: Clock,
  range: { from?: Day; to?: Day } = {},
): Promise<void> {
  const today = todayNewYork(clock.now())
  const first = monthOf(range.from ?? today)
  const last = monthOf(range.to ?? addMonths(today, MONTHS_AHEAD))
  for (let month = first; month <= last; month = addMonths(month, 1)) {
    const isMade = await unlessInUse(ownerDb, CREATE_PATIENCE_MS, async (tx) => {
      await takeLock(tx, locks.partitions)
      for (const table of partitionedTables) await ensurePartition(tx, table, month)
    })
    if (!isMade) return
  }
}

const CREATE_PATIENCE_MS = 2_000
const DROP_PATIENCE_MS = 200

/** False, and nothing done, if `work` would wait longer for a lock. */
async function unlessInUse(
  ownerDb: Db,
  patienceMs: number,
  work: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  try {
    await inTransaction(ownerDb, async (tx) => {
      await sql`set local lock_timeout = ${sql.lit(patienceMs)}`.execute(tx)
      await work(tx)
    })
    return true
  } catch (error) {
    if (errorCode(error) !== lockNotAvailable) throw error
    return false
  }
}

/**
 * The first day whose visitors are surely remembered. Clicks of earlier days are `late` for `storeClicks`. Another day is
 * kept, because clocks differ, and a batch may begin before midnight and wait.
 */
export const firstRememberedDay = (clock: Clock): Day => addDays(firstKeptDay(clock.now()), 1)

const firstKeptDay = (now: Date): Day => addDays(todayNewYork(now), -DAYS_OF_VISITORS)

/**
 * Deletes the records of visitors who were seen more than {@link DAYS_OF_VISITORS} days ago, by the clock and by the
 * database's, because hardly any click arrives that late. Idempotent. The partition of a month that is in use is left for the
 * next run, so that no click has to wait.
 */
export async function forgetOldVisitors(ownerDb: Db, clock: Clock): Promise<void> {
  // A clock that is days ahead must not forget today's visitors.
  const now = clock.now()
  const { rows } = await sql<{ now: Date }>`
    select least(now(), ${now}) as now
  `.execute(ownerDb)
  const first = firstKeptDay(rows[0]?.now ?? now)
  for (const month of await findPartitions(ownerDb, 'seen_visitors', monthOf(first))) {
    const isGone = await unlessInUse(ownerDb, DROP_PATIENCE_MS, async (tx) => {
      // Two drops at once can fail in PostgreSQL's catalogs (XX000).
      await takeLock(tx, locks.partitions)
      const partition = sql.table(partitionName('seen_visitors', month))
      await sql`drop table if exists ${partition}`.execute(tx)
    })
    if (!isGone) return
  }
  await forgetVisitorsBefore(ownerDb, first)
}

/**
 * Deletes the records of visitors day by day, so that it can be interrupted. Visits each day once, although late clicks
 * may recall some of its visitors meanwhile. Returns the number of records.
 */
export async function forgetVisitorsBefore(ownerDb: Db, before: Day): Promise<number> {
  let removed = 0
  for (let day = await nextDay('0001-01-01'); day !== null; day = await nextDay(day)) {
    removed += await forgetVisitorsOf(ownerDb, day)
  }
  return removed

  async function nextDay(after: Day): Promise<Day | null> {
    const { rows } = await sql<{ day: Day | null }>`
      select min(day) as day from seen_visitors where day > ${after} and day < ${before}
    `.execute(ownerDb)
    return rows[0]?.day ?? null
  }
}

const forgetVisitorsOf = (ownerDb: Db, day: Day): Promise<number> =>
  inTransaction(ownerDb, async (tx) => {
    await takeLock(tx, locks.visitors)
    const { numAffectedRows } = await sql`
      delete from seen_visitors where day = ${day}
    `.execute(tx)
    return Number(numAffectedRows ?? 0)
  })

/** The months before `before` that have a partition of a table, oldest first. */
export async function findPartitions(
  db: Db,
  table: 'clicks' | 'seen_visitors',
  before: Day,
): Promise<Day[]> {
  const { rows } = await sql<{ name: string }>`
    select relname::text as name
    from pg_inherits
    join pg_class on pg_class.oid = inhrelid
    where inhparent = ${table}::regclass
      and relname::text ~ ${`^${table}_[0-9]{4}_[0-9]{2}$`}
      and relname::text < ${partitionName(table, before)}
    order by relname
  `.execute(db)
  return rows.map(({ name }) => `${name.slice(table.length + 1).replace('_', '-')}-01`)
}

/** How a month's partition gets its clicks. */
type Filling = {
  /** Called with the name of a new table, before it is filled. */
  place: (table: string) => Promise<void>
  fill: (partition: RawBuilder<unknown>, isNew: boolean) => Promise<void>
}

/**
 * Inserts into the partition of a past month of clicks, creating it if necessary. Other partitions can be created
 * meanwhile.
 */
export const fillPartition = (ownerTx: Tx, month: Day, filling: Filling): Promise<void> =>
  ensurePartition(ownerTx, clicksByMonth, month, filling)

export const partitionName = (table: string, month: Day): string =>
  `${table}_${month.slice(0, 7).replace('-', '_')}`

type Partitioned = {
  table: string
  /** The partition key. */
  column: string
  /** The bound at the start of a month. */
  bound: (month: Day) => string
}

const clicksByMonth: Partitioned = {
  table: 'clicks',
  column: 'clicked_at',
  // UTC months need no zone rules; the last evening of a New York month is in the next partition.
  bound: (month) => `${month} 00:00:00+00`,
}

const partitionedTables: Partitioned[] = [
  clicksByMonth,
  {
    table: 'seen_visitors',
    column: 'day',
    bound: (month) => month,
  },
]

async function ensurePartition(
  tx: Tx,
  partitioned: Partitioned,
  month: Day,
  filling?: Filling,
): Promise<void> {
  const { table, column } = partitioned
  const name = partitionName(table, month)
  const { rows } = await sql<{ found: string | null }>`
    select to_regclass(${name}) as found
  `.execute(tx)
  if (rows[0]?.found) return filling?.fill(sql.table(name), false)

  const from = sql.lit(partitioned.bound(month))
  const before = sql.lit(partitioned.bound(addMonths(month, 1)))
  const partition = sql.table(name)
  const key = await keyOf(tx, table)
  // Created standalone and then attached, so that clicks are not blocked.
  await sql`
    create table ${partition} (
      like ${sql.table(table)} including defaults including storage,
      constraint ${sql.ref(`${name}__pk`)} primary key (${sql.join(key.map((part) => sql.ref(part)))})
    )
  `.execute(tx)
  const isInMonth = sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${before}`
  const bound = sql.ref(`${name}__bound`)
  if (filling) {
    // Otherwise attaching would read the whole month while clicks wait.
    await sql`alter table ${partition} add constraint ${bound} check (${isInMonth})`.execute(tx)
    await filling.place(name)
    await filling.fill(partition, true)
    await takeLock(tx, locks.partitions)
  }
  // Earlier rows are in the default partition, and would prevent attaching.
  await moveRows(tx, { from: sql.table(`${table}_default`), where: isInMonth, to: partition })
  await sql`
    alter table ${sql.table(table)} attach partition ${partition} for values from (${from}) to (${before})
  `.execute(tx)
  if (filling) await sql`alter table ${partition} drop constraint ${bound}`.execute(tx)
  if (table === 'clicks')
    await sql`revoke update, delete on ${partition} from ${sql.ref(appRole)}`.execute(tx)
}

/**
 * The columns of a table's key. They may differ in tables that a backup of an older version is
 * loaded into.
 */
async function keyOf(tx: Tx, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname::text as name
    from pg_index
    join pg_attribute on attrelid = indrelid and attnum = any(indkey::smallint[])
    where indrelid = ${table}::regclass and indisprimary
    order by array_position(indkey::smallint[], attnum)
  `.execute(tx)
  return rows.map(({ name }) => name)
}

type Move = { from: RawBuilder<unknown>; where: RawBuilder<unknown>; to: RawBuilder<unknown> }

/** In two statements, because the tables may be on different machines. */
async function moveRows(tx: Tx, { from, where, to }: Move): Promise<void> {
  // No row may arrive between the two: it would be deleted without having been copied.
  await sql`lock table ${from} in exclusive mode`.execute(tx)
  await sql`insert into ${to} select * from ${from} where ${where}`.execute(tx)
  await sql`delete from ${from} where ${where}`.execute(tx)
}
