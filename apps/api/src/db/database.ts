import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { type Clock, systemClock } from '../lib/clock.ts'
import { asApp, type Connection, withSettings } from './connection.ts'
import { refuseGuarded } from './guarded-writes.ts'
import { prepareMarked } from './prepared.ts'
import type { Pulse } from './pulse.ts'
import type { DB } from './types.ts'
import { valueTypes } from './value-types.ts'

export type Db = Kysely<DB> & {
  /** What transactions take their instant from. */
  readonly clock: Clock
  /**
   * A session besides the pool's, for what a transaction asks outside of itself. With one of the pool's, transactions would wait
   * for each other. It is opened when it is first used, and closed when it is idle.
   */
  readonly beside: Kysely<DB>
}

/** A transaction and its own facts, which `inTransaction` gives it. */
export type Tx = Transaction<DB> & Facts

export type Facts = {
  /**
   * The instant of everything that the transaction does: code below it reads no clock. It is taken when it is first asked
   * for, so a transaction that locks first is later than those that it has waited for.
   */
  readonly now: Date
}

/** For functions that work inside and outside of a transaction. */
export type DbOrTx = Db | Tx

export type Database = {
  db: Db
  pool: pg.Pool
  /** Waits for running queries, then ends all sessions. Idempotent. */
  close(): Promise<void>
}

export type DatabaseOptions = {
  /** Maximum number of sessions. */
  max: number
  /** The name in the server's session lists. */
  applicationName: string
  /** Keep the rights of the owner, for migrations and partitions. Otherwise sessions are {@link asApp}. */
  asOwner?: boolean
  /** While the database is silent, waiting callers are refused. */
  pulse?: Pulse
  /** The system's if omitted. */
  clock?: Clock
}

/** Timeout of the app's statements. */
const statementTimeoutMs = 30_000
/** A frozen server cannot time out a statement itself, so the driver closes the session. */
const queryTimeoutMs = statementTimeoutMs + 5_000
/** Releases the locks of a transaction that was never ended. */
const idleInTransactionMs = 30_000

/**
 * Compiling a plan, or starting workers for it, takes longer than running it: our queries read few rows, though monthly
 * partitions make them look expensive. And the workers' cores are those that store clicks.
 */
const planning = { jit: 'off', max_parallel_workers_per_gather: 0 }

/** Opens a pool of sessions. It connects on the first query. */
export function openDatabase(connection: Connection, options: DatabaseOptions): Database {
  const { url } = withSettings(options.asOwner ? connection : asApp(connection), {
    datestyle: 'ISO',
    timezone: 'UTC',
    ...(options.asOwner
      ? {}
      : {
          statement_timeout: statementTimeoutMs,
          idle_in_transaction_session_timeout: idleInTransactionMs,
          ...planning,
        }),
  })
  const openPool = (max: number) => {
    const pool = new pg.Pool({
      connectionString: url,
      application_name: options.applicationName,
      max,
      connectionTimeoutMillis: 5_000,
      ...(options.asOwner ? {} : { query_timeout: queryTimeoutMs }),
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types: valueTypes,
    })
    // A session lost while idle, or between two statements of a transaction, has no query to fail. Without a
    // listener, its error would end the process.
    pool.on('error', ignore)
    pool.on('connect', (client) => client.on('error', ignore))
    pool.on('connect', prepareMarked)
    if (!options.asOwner) pool.on('connect', refuseGuarded)
    options.pulse?.guard(pool)
    return pool
  }
  const pool = openPool(options.max)
  const besides = openPool(1)

  const db = Object.assign(kyselyOn(pool), {
    clock: options.clock ?? systemClock,
    beside: kyselyOn(besides),
  })
  let closing: Promise<unknown> | undefined
  return {
    db,
    pool,
    close: async () => void (await (closing ??= Promise.all([pool.end(), besides.end()]))),
  }
}

const kyselyOn = (pool: pg.Pool) => new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })

function ignore(): void {}
