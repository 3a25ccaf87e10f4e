import type { Day } from '@tallyroom/domain/new-york'
import type { Db, Tx } from '../../db/database.ts'
import { errorCode, inPlainTransaction } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ClickMonths } from './click-months.ts'
import { tryHoldArchives, tryLockArchives } from './archives.queries.ts'
import { OperatorError } from '../../lib/operator-error.ts'

/** A refusal that the operator can act on. The message is for them. */
export class ArchiveError extends OperatorError {
  override name = 'ArchiveError'
}

/** Another process is changing archives. */
export class ArchivesBusyError extends ArchiveError {}

export type ArchiveServices = {
  /** With the rights of the tables' owner. */
  db: Db
  clickStore: { months: ClickMonths }
  clock: Clock
  /** Absolute path of the archive folder. */
  folder: string
}

/** How people write a month: `2026-01`. */
export const nameOf = (month: Day): string => month.slice(0, 7)

/**
 * @throws ArchivesBusyError if another run is changing archives, an agent is being deleted, or addresses are being cut.
 */
export async function lockArchives(tx: Tx): Promise<void> {
  if (!(await tryLockArchives(tx))) throw busy()
}

export const busy = (cause?: unknown) =>
  new ArchivesBusyError(
    [
      'Clicks are being archived by another process, an agent is being deleted, or addresses are being cut.',
      'Try again when it has finished.',
    ].join(' '),
    { cause },
  )

/**
 * Runs `fn` with the archives locked by a transaction of its own, so `fn` can commit several.
 *
 * @throws ArchivesBusyError as {@link lockArchives}
 */
export const withArchivesLocked = <T>(db: Db, fn: () => Promise<T>): Promise<T> =>
  inPlainTransaction(db, async (tx) => {
    await lockArchives(tx)
    return fn()
  })

/**
 * Runs `fn` while no run changes archives, or returns 'busy' at once. Waiting for such a run could
 * take minutes, during which a deletion would block everybody else. A separate transaction holds
 * the lock, so `fn` decides when to take its snapshot.
 */
export const whileNotArchiving = (db: Db, fn: () => Promise<void>): Promise<'busy' | 'done'> =>
  inPlainTransaction(db, async (tx) => {
    if (!(await tryHoldArchives(tx))) return 'busy'
    await fn()
    return 'done'
  })

/** For errors on a month that another run may have archived between finding and using it. */
export function busyIfGone(error: unknown): never {
  throw errorCode(error) === UNDEFINED_TABLE ? busy(error) : error
}

const UNDEFINED_TABLE = '42P01'
