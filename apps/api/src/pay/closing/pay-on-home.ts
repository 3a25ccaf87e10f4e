import { type Day, endOfDayExclusive } from '@tallyroom/domain/new-york'
import type { DbOrTx } from '../../db/database.ts'
import { findCalendar, openPeriods } from '../terms/calendar.ts'

/**
 * The pay periods that are over but not closed, and when the first one ended; undefined while pay
 * is off.
 */
export async function findPeriodsToClose(
  db: DbOrTx,
  today: Day,
): Promise<{ count: number; since: Date | null } | undefined> {
  const calendar = await findCalendar(db)
  if (!calendar) return undefined
  const over = openPeriods(calendar, today).filter(({ end }) => end < today)
  const [first] = over
  return { count: over.length, since: first ? endOfDayExclusive(first.end) : null }
}
