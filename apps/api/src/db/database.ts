import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { type Connection, withSettings } from './connection.ts'
import { prepareMarked } from './prepared.ts'
import type { Pulse } from './pulse.ts'
import type { DB } from './types.ts'
import { valueTypes } from './value-types.ts'

export type Db = Kysely<DB>
export type Tx = Transaction<DB>
/** For functions that neither begin nor need a transaction. */
export type DbOrTx = Db | Tx

export type Database = {
  db: Db
  pool: pg.Pool
  /** Waits for running queries, then ends every session. May be called twice. */
  close(): Promise<void>
}

export type DatabaseOptions = {
  /** The most sessions at once. */
  max: number
  /** What the server's own lists of sessions show. */
  applicationName: string
  /** Keep the rights of the URL's user (migrations, partitions). Otherwise {@link appRole} applies. */
  asOwner?: boolean
  /** Whose silence ends what waits for the database. */
  pulse?: Pulse
}

/** The role the app works as. It owns nothing and may not change events; the migrations make it. */
export const appRole = 'tallyroom_app'

/** Longest a statement of the app may run. */
const statementTimeoutMs = 30_000
/** A server that hangs can't end a statement itself: the driver then gives the session up. */
const queryTimeoutMs = statementTimeoutMs + 5_000
/** A transaction that forgot to end must not hold its locks for ever. */
const idleInTransactionMs = 30_000

/** A pool of sessions. Nothing is connected until the first query. */
export function openDatabase(connection: Connection, options: DatabaseOptions): Database {
  const { url } = withSettings(connection, {
    datestyle: 'ISO',
    timezone: 'UTC',
    ...(options.asOwner
      ? {}
      : {
          role: appRole,
          statement_timeout: statementTimeoutMs,
          idle_in_transaction_session_timeout: idleInTransactionMs,
        }),
  })
  const pool = new pg.Pool({
    connectionString: url,
    application_name: options.applicationName,
    max: options.max,
    connectionTimeoutMillis: 5_000,
    ...(options.asOwner ? {} : { query_timeout: queryTimeoutMs }),
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: valueTypes,
  })
  // A session lost while idle, or between two statements of a transaction, has no query to fail: without
  // a listener its error would end the process. The next query fails, or gets a fresh session.
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  pool.on('connect', prepareMarked)
  options.pulse?.guard(pool)

  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  let closing: Promise<void> | undefined
  return { db, pool, close: () => (closing ??= pool.end()) }
}

function ignore(): void {}
