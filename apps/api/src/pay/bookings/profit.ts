import type { PROFIT_GROUPINGS, ProfitRow } from '@tallyroom/contract/pay/bookings/profit'
import { toCentavos, toCents } from '@tallyroom/domain/conversion'
import type { Currency } from '@tallyroom/domain/pay'
import type { Db } from '../../db/database.ts'
import { inSnapshot } from '../../db/transaction.ts'
import { type BookedSum, sumBookings, sumOthers } from './profit.queries.ts'
import { type ClosedPeriod, findClosedPeriods } from '../terms/settings.queries.ts'
import { noPeriod } from '../terms/no-period.ts'

/**
 * Earning, payouts and margin of closed periods. What was paid in a currency counts in it, and is converted by its period's
 * own exchange rate, once for each row.
 *
 * @throws NOT_FOUND for a period that is not closed.
 */
export const findProfit = (
  db: Db,
  by: (typeof PROFIT_GROUPINGS)[number],
  name: string | undefined,
): Promise<ProfitRow[]> =>
  inSnapshot(db, async (tx) => {
    const periods = await findClosedPeriods(tx)
    const only = periods.find((period) => period.name === name)
    if (name !== undefined && !only) throw noPeriod('closed')
    const bookings = await sumBookings(tx, by, only?.id)
    const others = await sumOthers(tx, only?.id)
    const parts = [...bookings.map(partOf), ...others.map((one) => otherPartOf(by, one))]
    const rows = Map.groupBy(parts, ({ periodId, id }) => (by === 'period' ? periodId : id))
    return [...rows.values()]
      .map((group) => rowOf(by, group, periods))
      .toSorted(by === 'period' ? newestFirst(periods) : largestFirst)
  })

type Sums = Readonly<Record<Currency, number>>

type Part = {
  periodId: number
  id: number | null
  name: string
  events: number
  earningCents: number
  /** In centavos. */
  rates: number
  /** In minor units of the currency in which they were paid. */
  tiers: Sums
  adjustments: Sums
}

const partOf = ({ periodId, id, name, events, earningCents, centavos }: BookedSum): Part => ({
  periodId,
  id,
  name,
  events,
  earningCents,
  rates: centavos,
  tiers: NOTHING,
  adjustments: NOTHING,
})

const NOTHING = { PHP: 0, USD: 0 }

const otherPartOf = (
  by: (typeof PROFIT_GROUPINGS)[number],
  one: Awaited<ReturnType<typeof sumOthers>>[number],
): Part => ({
  periodId: one.periodId,
  id: by === 'office' ? one.officeId : null,
  name: by === 'office' ? one.name : 'AVP tiers and adjustments',
  events: 0,
  earningCents: 0,
  rates: 0,
  tiers: { PHP: one.tierCentavos, USD: one.tierCents },
  adjustments: { PHP: one.centavos, USD: one.cents },
})

function rowOf(
  by: (typeof PROFIT_GROUPINGS)[number],
  parts: readonly Part[],
  periods: readonly ClosedPeriod[],
): ProfitRow {
  const row = { events: 0, earningCents: 0, ratesCentavos: 0 }
  let tiersCentavos: number | null = 0
  let adjustmentsCentavos: number | null = 0
  let payoutCents: number | null = 0
  for (const [periodId, ofPeriod] of Map.groupBy(parts, (part) => part.periodId)) {
    const rate = periods.find(({ id }) => id === periodId)?.pesosE4 ?? null
    const paid = { PHP: 0, USD: 0 }
    for (const { events, earningCents, rates, tiers, adjustments } of ofPeriod) {
      row.events += events
      row.earningCents += earningCents
      row.ratesCentavos += rates
      tiersCentavos = plus(tiersCentavos, inPesos(tiers, rate))
      adjustmentsCentavos = plus(adjustmentsCentavos, inPesos(adjustments, rate))
      paid.PHP += rates + tiers.PHP + adjustments.PHP
      paid.USD += tiers.USD + adjustments.USD
    }
    payoutCents = plus(payoutCents, inDollars(paid, rate))
  }
  const [first] = parts
  const period = by === 'period' ? periods.find(({ id }) => id === first?.periodId) : undefined
  const key = period?.name ?? (first?.id === null || first === undefined ? null : String(first.id))
  return {
    key,
    name: period?.name ?? first?.name ?? '',
    ...row,
    tiersCentavos,
    adjustmentsCentavos,
    payoutCentavos: plus(row.ratesCentavos, plus(tiersCentavos, adjustmentsCentavos)),
    payoutCents,
    marginCents: payoutCents === null ? null : row.earningCents - payoutCents,
    exchangeRate:
      period?.pesosE4 == null
        ? null
        : { pesosE4: period.pesosE4, source: period.pesosSource ?? '', setBy: period.pesosSetBy },
  }
}

/** What is paid in the other currency needs an exchange rate; null if there is none. */
const inPesos = ({ PHP, USD }: Sums, rate: number | null): number | null =>
  USD === 0 ? PHP : rate === null ? null : PHP + toCentavos(USD, rate)

const inDollars = ({ PHP, USD }: Sums, rate: number | null): number | null =>
  PHP === 0 ? USD : rate === null ? null : USD + toCents(PHP, rate)

const plus = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one + other

/** Newest first, by day, because names of half-months, weeks and months do not sort together. */
function newestFirst(periods: readonly ClosedPeriod[]) {
  const placeOf = new Map(periods.map(({ name }, place) => [name, place]))
  return (one: ProfitRow, other: ProfitRow) =>
    (placeOf.get(other.key ?? '') ?? 0) - (placeOf.get(one.key ?? '') ?? 0)
}

const largestFirst = (one: ProfitRow, other: ProfitRow) =>
  other.earningCents - one.earningCents || (one.name < other.name ? -1 : 1)
