import { addDays, addMonths, atNewYork, todayNewYork } from '@tallyroom/domain/new-york'
import type { Db } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import {
  type Addressed,
  countSeen,
  countWhole,
  cutWhole,
  removeOldestSeen,
} from './cut-addresses.queries.ts'

/** What is cut, in the operator's words. The common logs are a chain of hashes: a changed entry would break it. */
const addressed: (Addressed & { name: string })[] = [
  { name: 'clicks', table: 'clicks', at: 'clicked_at' },
  { name: 'sign-ins', table: 'sessions', at: 'started_at' },
  { name: 'postbacks', table: 'postbacks', at: 'received_at' },
]

const DAY_MS = 86_400_000

/**
 * Cuts addresses older than so many months, counted back from today in New York, down to their network, and removes
 * the marks of visitors who were seen then. A day at a time, each by itself: it may be stopped and run again. What was
 * counted stays counted: a click keeps whether it was unique, and no click of those days comes any more.
 *
 * @param ownerDb the app's own role may change none of these tables.
 * @param isTry counts, and changes nothing.
 * @returns for each kind how many there are, or were.
 */
export async function cutAddresses(
  { db: ownerDb, clock }: { db: Db; clock: Clock },
  { months, isTry }: { months: number; isTry: boolean },
): Promise<{ name: string; count: number }[]> {
  const today = todayNewYork(clock.now())
  const firstKept = sameDayMonthsAgo(today, months)
  const before = atNewYork(firstKept, '00:00')
  const counts: { name: string; count: number }[] = []
  for (const one of addressed) {
    const { count, first } = await countWhole(ownerDb, one, before)
    counts.push({ name: one.name, count: isTry || !first ? count : await cutByDay(one, first) })
  }
  counts.push({ name: 'marks of visitors seen', count: await forgetSeen() })
  return counts

  async function cutByDay(one: Addressed, first: Date): Promise<number> {
    let cut = 0
    for (let from = first.getTime(); from < before.getTime(); from += DAY_MS) {
      const end = new Date(Math.min(from + DAY_MS, before.getTime()))
      cut += await cutWhole(ownerDb, one, new Date(from), end)
    }
    return cut
  }

  async function forgetSeen(): Promise<number> {
    if (isTry) return countSeen(ownerDb, firstKept)
    let removed = 0
    for (;;) {
      const more = await removeOldestSeen(ownerDb, firstKept)
      if (more === 0) return removed
      removed += more
    }
  }
}

/** Of a month that is too short, its last day. */
function sameDayMonthsAgo(day: string, months: number): string {
  const first = addMonths(day, -months)
  const wanted = addDays(first, Number(day.slice(8)) - 1)
  const next = addMonths(first, 1)
  return wanted < next ? wanted : addDays(next, -1)
}
