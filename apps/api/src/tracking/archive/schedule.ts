import { addMonths, type Day, monthOf } from '@tallyroom/domain/new-york'
import { findPartitions } from '../clicks/partitions.queries.ts'
import { archiveClicks } from './archive-clicks.ts'
import { type ArchiveServices, ArchivesBusyError } from './archives.ts'
import { type Archive, findStrayMonths } from './archives.queries.ts'
import { purgeArchives } from './purge-archives.ts'
import { findPurges, findReplaced } from './purges.queries.ts'

/** Whether {@link tendArchives} may have something to do. */
export async function mayBeDue(
  { db, clickStore, clock }: Omit<ArchiveServices, 'folder'>,
  afterMonths: number | undefined,
): Promise<boolean> {
  const found: unknown[][] = [
    await findPurges(db),
    await findReplaced(db),
    await clickStore.months.findStill(db),
  ]
  if (afterMonths !== undefined) {
    const before = firstToStay(clock.now(), afterMonths)
    found.push(await findPartitions(db, 'clicks', before), await findStrayMonths(db, before))
  }
  return found.some(({ length }) => length > 0)
}

/**
 * Lets clicks in that a dead run has left out, purges deleted agents from the archives, and archives months that ended
 * `afterMonths` months ago. Does nothing while another process is doing so.
 *
 * @throws ArchiveError
 */
export async function tendArchives(
  services: ArchiveServices,
  afterMonths: number | undefined,
): Promise<Archive[]> {
  try {
    await services.clickStore.months.release(services.db)
    await purgeArchives(services)
    if (afterMonths === undefined) return []
    return await archiveClicks(services, {
      before: firstToStay(services.clock.now(), afterMonths),
    })
  } catch (error) {
    if (error instanceof ArchivesBusyError) return []
    throw error
  }
}

const firstToStay = (now: Date, afterMonths: number): Day =>
  addMonths(monthOf(now.toISOString().slice(0, 10)), -afterMonths)
