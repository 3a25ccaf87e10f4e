import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx, Tx } from './database.ts'

/**
 * The numbers of advisory locks. They stay as they are, so that during a rolling restart old and new processes wait for
 * each other; functions in migrations repeat some.
 */
export const lockIds = {
  schema: 7308,
  world: 7307,
  archives: 7316,
  partitions: 7306,
  visitors: 7320,
  reports: 96,
  order: 7319,
  rates: 7318,
  proposals: 7310,
  balances: 7309,
} as const

/** The arguments of PostgreSQL's functions for an advisory lock: what it locks. */
export type Lock = RawBuilder<unknown>

/**
 * All advisory locks, each of which ends with its transaction. A transaction that needs several takes them in this order,
 * so that no two wait for each other.
 */
export const locks = {
  /** One restore at a time. */
  restore: named('restore'),
  /** One process at a time verifies pay, logs and totals. */
  verification: named('verify pay, logs and totals'),
  /** One process at a time migrates. kysely takes one of its own within. */
  schema: numbered('schema'),
  /** One process at a time fills the database with a seed, or distributes it. */
  world: numbered('world'),
  firstSuperadmin: named('first superadmin'),
  migrateAgents: named('migrate agents'),
  /** Archiving and restoring months of clicks. Shared: what must not happen meanwhile. */
  archives: numbered('archives'),
  /** Creating and dropping partitions. */
  partitions: numbered('partitions'),
  /** Forgetting visitors. Shared: from their recall to the commit of their clicks. */
  visitors: numbered('visitors'),
  /** The reports of one order, so that an approval finds what it approves. */
  reports: (orderKey: string): Lock =>
    sql`hashtextextended(${orderKey}, ${sql.lit(lockIds.reports)})`,
  /** What is settled about one order. `order_is_open` tries to share it. */
  order: (key: string): Lock => sql`${sql.lit(lockIds.order)}, hashtext(${key})`,
  /** Backdating a link type's rates. Shared: sales that are priced at them. */
  rates: (typeId: number): Lock => sql`${sql.lit(lockIds.rates)}, ${typeId}`,
  closePeriod: named('close a pay period'),
  /** Decisions about proposals, and adjustments, which add up against a limit. */
  proposals: numbered('proposals'),
  /** Writing mails about facts. */
  factMails: named('mails about facts'),
  /** Choosing what to send to partners next. */
  deliveries: named('deliveries'),
  /** Changes of short links, so that processes read them in commit order. */
  shortLinks: named('short links'),
  /** Looking for alarms, by one process at a time. */
  alarms: named('look for alarms'),
  /** Changes of balances, so that entries are numbered in commit order. Closing holds it for long. */
  balances: numbered('balances'),
}

function numbered(name: keyof typeof lockIds): Lock {
  return sql`${sql.lit(lockIds[name])}`
}

/** PostgreSQL takes 64 bits, so the number is the beginning of a hash. */
function named(name: string): Lock {
  const number = createHash('sha256').update(name).digest().readBigInt64BE()
  return sql`${number.toString()}::bigint`
}

/** Waits for a lock and holds it alone until the transaction ends. */
export async function takeLock(tx: Tx, lock: Lock): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lock})`.execute(tx)
}

/** Waits for a lock and shares it until the transaction ends. */
export async function shareLock(tx: Tx, lock: Lock): Promise<void> {
  await sharing(lock).execute(tx)
}

/** The query of {@link shareLock}, to be part of another. */
export const sharing = (lock: Lock) => sql`select pg_advisory_xact_lock_shared(${lock})`

/** False at once if somebody else holds or shares the lock. */
export const tryLock = (tx: Tx, lock: Lock): Promise<boolean> =>
  isTaken(tx, sql`pg_try_advisory_xact_lock(${lock})`)

/** False at once if somebody else holds the lock alone. */
export const tryShareLock = (tx: Tx, lock: Lock): Promise<boolean> =>
  isTaken(tx, sql`pg_try_advisory_xact_lock_shared(${lock})`)

/** Whether somebody holds a lock of one number now. Takes nothing, so whoever tries to take it does not find it taken. */
export async function isHeld(db: DbOrTx, lock: Lock): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (
      select from pg_locks, (select (${lock})::bigint as number) as lock
      where locktype = 'advisory' and granted and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
        and classid::bigint = (number >> 32) & 4294967295
        and objid::bigint = number & 4294967295
    ) as held
  `.execute(db)
  return rows[0]?.held === true
}

async function isTaken(tx: Tx, trying: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select ${trying} as taken`.execute(tx)
  return rows[0]?.taken === true
}
