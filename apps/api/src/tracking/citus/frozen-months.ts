import type { Day } from '@tallyroom/domain/new-york'
import type { Db } from '../../db/database.ts'
import { busyIfGone, nameOf, withArchivesLocked } from '../archive/archives.ts'
import { notArchived, whenFree } from '../archive/when-free.ts'
import { findFrozen, tryFreeze, tryThaw } from './frozen-months.queries.ts'

/**
 * Runs `fn` while a month can't change. A lock of its table would not do, because every
 * click locks the tables of all months. Late clicks wait in the spool. `fn` may drop the month.
 *
 * @throws ArchivesBusyError if another run changes archives; ArchiveError if the clicks are in use.
 */
export const whileFrozen = <T>(db: Db, month: Day, fn: () => Promise<T>): Promise<T> =>
  withArchivesLocked(db, async () => {
    await thawAll(db)
    await whenFree(notArchived(month), (patienceMs) => tryFreeze(db, month, patienceMs)).catch(
      busyIfGone,
    )
    const result = await fn().catch(async (error: unknown) => {
      // What went wrong first matters more. The hourly task tries to thaw again.
      await thawAll(db).catch(() => undefined)
      throw error
    })
    await thawAll(db)
    return result
  })

/** Thaws the months that a dead run has left frozen. */
export async function thawAbandoned(db: Db): Promise<void> {
  if ((await findFrozen(db)).length === 0) return
  await withArchivesLocked(db, () => thawAll(db))
}

async function thawAll(db: Db): Promise<void> {
  for (const month of await findFrozen(db)) {
    await whenFree(
      `clicks of ${nameOf(month)} still wait; the hourly task lets them in.`,
      (patienceMs) => tryThaw(db, month, patienceMs),
    )
  }
}
