import { setTimeout as sleep } from 'node:timers/promises'
import type { AccessMode, IsolationLevel } from 'kysely'
import type { Db, DbOrTx, Tx } from './database.ts'

/** Tries of one transaction that keeps losing to others. */
const maxTries = 6

/**
 * Runs `fn` in a transaction of its own. When PostgreSQL ends it in favour of another transaction
 * (serialization failure, deadlock), `fn` runs again from the start, so it may only touch the database.
 *
 * A lost connection is not retried: whether the commit happened is then unknown, and only the caller
 * knows whether its work may be done twice. See {@link isUnavailable}.
 */
export async function inTransaction<T>(
  db: Db,
  fn: (tx: Tx) => Promise<T>,
  { isolation, accessMode }: { isolation?: IsolationLevel; accessMode?: AccessMode } = {},
): Promise<T> {
  let transaction = db.transaction()
  if (isolation) transaction = transaction.setIsolationLevel(isolation)
  if (accessMode) transaction = transaction.setAccessMode(accessMode)
  for (let tries = 1; ; tries++) {
    try {
      return await transaction.execute(fn)
    } catch (error) {
      if (!lostToAnother(error) || tries === maxTries) throw error
      await sleep(Math.random() * 10 * 2 ** tries)
    }
  }
}

/** Runs `fn` in the transaction that is under way, or else in one of its own. */
export const withinTransaction = <T>(db: DbOrTx, fn: (tx: Tx) => Promise<T>): Promise<T> =>
  isTransaction(db) ? fn(db) : inTransaction(db, fn)

const isTransaction = (db: DbOrTx): db is Tx => db.isTransaction

/** The SQLSTATE of an error that PostgreSQL raised, or the system's code of one that came before it. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}

/** Whether PostgreSQL ended a transaction in favour of another one: the same work may be done at once again. */
export function lostToAnother(error: unknown): boolean {
  const code = errorCode(error)
  return code === '40001' || code === '40P01'
}

/**
 * Whether the database could not be reached, went away, or can't take work just now (starting, stopping,
 * full, out of sessions, a read-only standby). The same work may succeed later; nothing is wrong with it.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  const code = errorCode(error)
  if (code !== undefined) return unavailableStates.test(code) || unreachable.has(code)
  // The driver's own errors carry a message and nothing else.
  return error instanceof Error && lostConnection.test(error.message)
}

const unavailableStates = /^(08...|53...|58...|57P0[1-5]|25006|25P03)$/

const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT', // the socket's file: the server is not running
])

const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|The server does not support SSL|read ECONNRESET|Query read timeout|The database gives no sign of life)/
