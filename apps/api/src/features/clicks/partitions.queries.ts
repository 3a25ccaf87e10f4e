import { addMonths, type Day, monthOf, todayNewYork } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import { findLayout, type Layout } from '../../db/citus/layout.ts'
import { appRole, type Db, type Tx } from '../../db/database.ts'
import { errorCode, inTransaction, lockNotAvailable } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'

const MONTHS_AHEAD = 3
const MONTHS_OF_VISITORS = 3

/**
 * Creates the monthly partitions of clicks and seen visitors from the month of `from` to the month of `to`,
 * both inclusive, by default from this month to three months ahead. Idempotent and safe in several processes at
 * once. `ownerDb` needs the rights of the tables' owner.
 */
export async function ensurePartitions(
  ownerDb: Db,
  clock: Clock,
  range: { from?: Day; to?: Day } = {},
): Promise<void> {
  const layout = await findLayout(ownerDb)
  const today = todayNewYork(clock.now())
  const first = monthOf(range.from ?? today)
  const last = monthOf(range.to ?? addMonths(today, MONTHS_AHEAD))
  for (let month = first; month <= last; month = addMonths(month, 1)) {
    await ownerDb.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(7306)`.execute(tx)
      for (const table of partitionedTables) await ensurePartition(tx, table, month, layout)
    })
  }
}

/**
 * Drops what makes visitors known of months that ended more than {@link MONTHS_OF_VISITORS} months ago: no click arrives
 * so late. Idempotent. A partition that somebody reads is left for the next time, so that no click waits for it.
 */
export async function dropOldVisitors(ownerDb: Db, clock: Clock): Promise<void> {
  const oldest = addMonths(monthOf(todayNewYork(clock.now())), -MONTHS_OF_VISITORS)
  const { rows } = await sql<{ name: string }>`
    select relname::text as name
    from pg_inherits
    join pg_class on pg_class.oid = inhrelid
    where inhparent = 'seen_visitors'::regclass
      and relname::text ~ '^seen_visitors_[0-9]{4}_[0-9]{2}$'
      and relname::text < ${partitionName('seen_visitors', oldest)}
    order by relname
  `.execute(ownerDb)
  for (const { name } of rows) {
    try {
      await inTransaction(ownerDb, async (tx) => {
        await sql`set local lock_timeout = '200ms'`.execute(tx)
        await sql`drop table if exists ${sql.table(name)}`.execute(tx)
      })
    } catch (error) {
      if (errorCode(error) !== lockNotAvailable) throw error
      return
    }
  }
  await sql`delete from seen_visitors_default where day < ${oldest}::date`.execute(ownerDb)
}

const partitionName = (table: string, month: Day): string =>
  `${table}_${month.slice(0, 7).replace('-', '_')}`

type Partitioned = {
  table: string
  /** The partition key. */
  column: string
  key: string[]
  /** The bound at the start of a month. */
  bound: (month: Day) => string
}

const partitionedTables: Partitioned[] = [
  {
    table: 'clicks',
    column: 'clicked_at',
    key: ['agent_id', 'clicked_at', 'nonce'],
    // UTC months need no zone rules; the last evening of a New York month is in the next partition.
    bound: (month) => `${month} 00:00:00+00`,
  },
  {
    table: 'seen_visitors',
    column: 'day',
    key: ['day', 'agent_id', 'type_id', 'ip'],
    bound: (month) => month,
  },
]

async function ensurePartition(
  tx: Tx,
  partitioned: Partitioned,
  month: Day,
  layout: Layout,
): Promise<void> {
  const { table, column, key } = partitioned
  const name = partitionName(table, month)
  const { rows } = await sql<{ found: string | null }>`
    select to_regclass(${name}) as found
  `.execute(tx)
  if (rows[0]?.found) return

  const from = sql.lit(partitioned.bound(month))
  const before = sql.lit(partitioned.bound(addMonths(month, 1)))
  const partition = sql.table(name)
  // Created standalone and then attached, so that clicks are not blocked.
  await sql`
    create table ${partition} (
      like ${sql.table(table)} including defaults including storage,
      constraint ${sql.ref(`${name}__pk`)} primary key (${sql.join(key.map((part) => sql.ref(part)))})
    )
  `.execute(tx)
  // Earlier rows are in the default partition, and would prevent attaching.
  const late = {
    from: sql.table(`${table}_default`),
    where: sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${before}`,
    to: partition,
  }
  await (layout === 'together' ? moveRows(tx, late) : moveRowsOnCitus(tx, late))
  await sql`
    alter table ${sql.table(table)} attach partition ${partition} for values from (${from}) to (${before})
  `.execute(tx)
  if (table === 'clicks')
    await sql`revoke update, delete on ${partition} from ${sql.ref(appRole)}`.execute(tx)
}

type Move = { from: RawBuilder<unknown>; where: RawBuilder<unknown>; to: RawBuilder<unknown> }

const moveRows = (tx: Tx, { from, where, to }: Move) =>
  sql`
    with moved as (delete from ${from} where ${where} returning *)
    insert into ${to} select * from moved
  `.execute(tx)

/** On a distributed database, a new table's rows are on the coordinator until it is attached. */
async function moveRowsOnCitus(tx: Tx, { from, where, to }: Move): Promise<void> {
  // No click may arrive between the two statements: it would be deleted without having been copied.
  await sql`lock table ${from} in exclusive mode`.execute(tx)
  await sql`insert into ${to} select * from ${from} where ${where}`.execute(tx)
  await sql`delete from ${from} where ${where}`.execute(tx)
}
