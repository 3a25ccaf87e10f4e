import { setTimeout as sleep } from 'node:timers/promises'
import type { Day } from '@tallyroom/domain/new-york'
import { ArchiveError, nameOf } from './archives.ts'

/** How long clicks may wait for the lock in one try, and how often it is tried. */
const PATIENCE = { ms: 200, pauseMs: 500, tries: 60 }

/**
 * Repeats what needs a lock that clicks wait for, until it gets the lock. Each try may wait `patienceMs` for it and
 * returns false after that.
 *
 * @param otherwise what follows if it never gets the lock, for the message
 * @throws ArchiveError if it never gets the lock.
 */
export async function whenFree(
  otherwise: string,
  attempt: (patienceMs: number) => Promise<boolean>,
): Promise<void> {
  for (let tries = 1; !(await attempt(PATIENCE.ms)); tries++) {
    if (tries === PATIENCE.tries) {
      throw new ArchiveError(`The clicks are in use by a long query, so ${otherwise}`)
    }
    await sleep(PATIENCE.pauseMs)
  }
}

export const notArchived = (month: Day) => `${nameOf(month)} is not archived. Try again.`
