import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccessMode, IsolationLevel, Transaction } from 'kysely'
import {
  expectPlacements,
  findPlacements,
  type Placements,
  ShardsMoved,
} from './citus/placements.ts'
import type { Db, DbOrTx, Tx } from './database.ts'
import { doOnce, sendingNothing, wasDone } from './do-once.ts'
import type { DB } from './types.ts'

/** Maximum attempts of a transaction that keeps failing on conflicts. */
const maxTries = 6

/**
 * Runs `fn` in its own transaction. On a serialization failure or deadlock, or if a cluster has moved shards during a snapshot,
 * `fn` runs again from the start, with an instant of its own, so it must only touch the database.
 *
 * A lost connection is not retried: the outcome of the commit is unknown, and only the caller knows whether the
 * work is idempotent. See {@link isUnavailable}. Within `sendingForm`, what the same form did before is not done again.
 */
export async function inTransaction<T>(
  db: Db,
  fn: (tx: Tx) => Promise<T>,
  { isolation, accessMode }: { isolation?: IsolationLevel; accessMode?: AccessMode } = {},
): Promise<T> {
  let transaction = db.transaction()
  if (isolation) transaction = transaction.setIsolationLevel(isolation)
  if (accessMode) transaction = transaction.setAccessMode(accessMode)
  const isSnapshot = isolation === 'repeatable read'
  for (let tries = 1; ; tries++) {
    let placements: Placements
    try {
      placements = isSnapshot ? await findPlacements(db) : undefined
      if (accessMode === 'read only') {
        const read = await transaction.execute((begun) => fn(withFacts(db, begun)))
        if (isSnapshot) await expectPlacements(db.beside, placements)
        return read
      }
      const result = await transaction.execute(async (begun) => {
        const tx = withFacts(db, begun)
        const done = await doOnce(tx, () => fn(tx))
        if (isSnapshot) await expectPlacements(db.beside, placements)
        if (rehearsals.getStore()) throw new Rehearsed()
        return done
      })
      wasDone()
      return result
    } catch (thrown) {
      const error = await reasonOf(thrown, db, placements)
      if (!lostToAnother(error) || tries === maxTries) throw error
      await sleep(Math.random() * 10 * 2 ** tries)
    }
  }
}

/**
 * What failed, or was refused, in a snapshot in which a shard moved is the move's: a statement may find the shard gone, or rows
 * missing. Not where the outcome of the commit is unknown.
 */
async function reasonOf(thrown: unknown, db: Db, placements: Placements): Promise<unknown> {
  if (placements === undefined || thrown instanceof Rehearsed || isUnavailable(thrown))
    return thrown
  return expectPlacements(db.beside, placements).then(
    () => thrown,
    (error: unknown) => (error instanceof ShardsMoved ? error : thrown),
  )
}

/** Runs `fn` in a transaction that is neither retried nor what a form does: for locks around other work. */
export const inPlainTransaction = <T>(db: Db, fn: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().execute((begun) => fn(withFacts(db, begun)))

/** Gives a transaction its facts. Whoever begins one otherwise calls it first. */
export function withFacts<Begun extends Transaction<DB>>({ clock }: Db, begun: Begun): Begun & Tx {
  let now: Date | undefined
  return Object.defineProperty(begun, 'now', {
    get: () => (now ??= clock.now()),
    configurable: true,
  }) as Begun & Tx // a property that TypeScript does not see
}

const rehearsals = new AsyncLocalStorage<true>()

/** Ends a transaction of {@link rehearse} that would have been committed. */
class Rehearsed extends Error {
  override name = 'Rehearsed'
}

/**
 * Runs `work`, which must write nothing outside of {@link inTransaction}, until its first writing transaction would be
 * committed, and rolls that back.
 *
 * @throws whatever `work` throws before
 */
export async function rehearse(work: () => Promise<unknown>): Promise<void> {
  try {
    await sendingNothing(() => rehearsals.run(true, work))
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error
  }
}

/** Runs `fn`, which only reads, in a transaction of its own: all of the same moment. */
export const inSnapshot = <T>(db: Db, fn: (tx: Tx) => Promise<T>): Promise<T> =>
  inTransaction(db, fn, { isolation: 'repeatable read', accessMode: 'read only' })

/** Runs `fn` in the current transaction, or else in a new one. */
export const withinTransaction = <T>(db: DbOrTx, fn: (tx: Tx) => Promise<T>): Promise<T> =>
  isTransaction(db) ? fn(db) : inTransaction(db, fn)

/** The instant of the transaction; outside of one, that of the clock. */
export const nowOf = (db: DbOrTx): Date => (isTransaction(db) ? db.now : db.clock.now()) // oxlint-disable-line tallyroom/one-instant -- it is no transaction

const isTransaction = (db: DbOrTx): db is Tx => db.isTransaction

/** The SQLSTATE of a PostgreSQL error, or the system error code of a connection error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}

/** The SQLSTATE of a lock that was not acquired within `lock_timeout`. */
export const lockNotAvailable = '55P03'

/** The SQLSTATE of a statement that took longer than `statement_timeout`. */
export const STATEMENT_TIMED_OUT = '57014'

/** Whether the transaction failed on a conflict with another one and can be retried at once. */
export function lostToAnother(error: unknown): boolean {
  const code = errorCode(error)
  return code === '40001' || code === '40P01' || error instanceof ShardsMoved
}

/**
 * Whether the database is unreachable or temporarily unable to work (starting, stopping, full, out of sessions,
 * read-only standby). The same work may succeed later.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  const code = errorCode(error)
  if (code === INTERNAL_ERROR) return error instanceof Error && lostMachine.test(error.message)
  if (code !== undefined) return unavailableStates.test(code) || unreachable.has(code)
  // Errors of the driver itself only have a message.
  return error instanceof Error && lostConnection.test(error.message)
}

const unavailableStates = /^(08...|53...|58...|57P0[1-5]|25006|25P03)$/

/** Citus reports a machine that dies during a statement with this state and a message of its own or libpq's. */
const INTERNAL_ERROR = 'XX000'

const lostMachine =
  /SSL SYSCALL error|connection marked as essential|server closed the connection|could not (receive data from|send data to) server|no connection to the server|could not commit transaction for shard|connection not open|SSL connection has been closed|postmaster was shut down/i

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
  'ENOENT', // no socket file: the server is not running
])

const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|The server does not support SSL|read ECONNRESET|Query read timeout|The database does not respond)/
