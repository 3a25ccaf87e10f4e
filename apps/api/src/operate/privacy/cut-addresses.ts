import { addDays, addMonths, atNewYork, todayNewYork } from '@tallyroom/domain/new-york'
import type { Db } from '../../db/database.ts'
import { conflict } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { whileNotArchiving, forgetVisitorsBefore } from '../../tracking/index.ts'
import { type Addressed, countSeen, countWhole, cutWhole } from './cut-addresses.queries.ts'

/**
 * The tables with the names shown to the operator. The common logs are excluded, because changing an entry
 * would break their hash chain.
 */
const addressed: (Addressed & { name: string })[] = [
  { name: 'clicks', table: 'clicks', at: 'clicked_at' },
  { name: 'sign-ins', table: 'sessions', at: 'started_at' },
  { name: 'uses of API tokens', table: 'api_tokens', at: 'last_used_at' },
  { name: 'postbacks', table: 'postbacks', at: 'received_at' },
]

/** The name of the one kind that is deleted, not cut. */
export const VISITORS_SEEN = 'records of visitors seen'

const DAY_MS = 86_400_000

/**
 * Cuts addresses older than the given months, counted back from today in New York, to their network, and
 * deletes the visitors seen then. Works day by day, so it can be interrupted and repeated. Figures do not
 * change: a click stores whether it was unique. A click of those days that arrives later counts as unique.
 *
 * @param ownerDb because the app's own role may not change these tables.
 * @param isTry only counts.
 * @returns the number of addresses for each kind.
 * @throws CONFLICT while clicks are archived or restored.
 */
export async function cutAddresses(
  services: { db: Db; clock: Clock },
  options: { months: number; isTry: boolean },
): Promise<{ name: string; count: number }[]> {
  let counts: { name: string; count: number }[] = []
  const outcome = await whileNotArchiving(services.db, async () => {
    counts = await cutNow(services, options)
  })
  if (outcome === 'busy') {
    throw conflict('Clicks are being archived or restored. Try again when that has finished.')
  }
  return counts
}

async function cutNow(
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
  const seen = await (isTry ? countSeen : forgetVisitorsBefore)(ownerDb, firstKept)
  counts.push({ name: VISITORS_SEEN, count: seen })
  return counts

  async function cutByDay(one: Addressed, first: Date): Promise<number> {
    let cut = 0
    for (let from = first.getTime(); from < before.getTime(); from += DAY_MS) {
      const end = new Date(Math.min(from + DAY_MS, before.getTime()))
      cut += await cutWhole(ownerDb, one, new Date(from), end)
    }
    return cut
  }
}

/** In a shorter month, its last day. */
function sameDayMonthsAgo(day: string, months: number): string {
  const first = addMonths(day, -months)
  const wanted = addDays(first, Number(day.slice(8)) - 1)
  const next = addMonths(first, 1)
  return wanted < next ? wanted : addDays(next, -1)
}
