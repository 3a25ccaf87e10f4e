import type { PROFIT_GROUPINGS, ProfitRow } from '@tallyroom/contract/pay/profit'
import { toCentavos, toCents } from '@tallyroom/domain/pay'
import type { Db } from '../../db/database.ts'
import { inTransaction, oneSnapshot } from '../../db/transaction.ts'
import { notFound } from '../../errors.ts'
import { type BookedSum, sumBookings, sumOthers } from './profit.queries.ts'
import { type ClosedPeriod, findClosedPeriods } from './settings.queries.ts'

/**
 * Earning, payouts and margin of closed periods. Each period's pesos are converted by its own exchange rate, once for
 * each row.
 *
 * @throws NOT_FOUND for a period that is not closed.
 */
export const findProfit = (
  db: Db,
  by: (typeof PROFIT_GROUPINGS)[number],
  name: string | undefined,
): Promise<ProfitRow[]> =>
  inTransaction(
    db,
    async (tx) => {
      const periods = await findClosedPeriods(tx)
      const only = periods.find((period) => period.name === name)
      if (name !== undefined && !only) throw notFound('closed period')
      const bookings = await sumBookings(tx, by, only?.id)
      const others = await sumOthers(tx, only?.id)
      const parts = [...bookings.map(partOf), ...others.map((one) => otherPartOf(by, one))]
      const rows = Map.groupBy(parts, ({ periodId, id }) => (by === 'period' ? periodId : id))
      return [...rows.values()]
        .map((group) => rowOf(by, group, periods))
        .toSorted(by === 'period' ? newestFirst(periods) : largestFirst)
    },
    oneSnapshot,
  )

type Part = {
  periodId: number
  id: number | null
  name: string
  events: number
  earningCents: number
  rates: number
  tiers: number
  adjustments: number
  /** Adjustments in dollars. */
  adjustmentCents: number
}

const partOf = ({ periodId, id, name, events, earningCents, centavos }: BookedSum): Part => ({
  periodId,
  id,
  name,
  events,
  earningCents,
  rates: centavos,
  tiers: 0,
  adjustments: 0,
  adjustmentCents: 0,
})

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
  tiers: one.tiers,
  adjustments: one.centavos,
  adjustmentCents: one.cents,
})

function rowOf(
  by: (typeof PROFIT_GROUPINGS)[number],
  parts: readonly Part[],
  periods: readonly ClosedPeriod[],
): ProfitRow {
  const row = {
    events: 0,
    earningCents: 0,
    ratesCentavos: 0,
    tiersCentavos: 0,
    adjustmentsCentavos: 0,
    payoutCentavos: 0,
  }
  let payoutCents: number | null = 0
  for (const [periodId, ofPeriod] of Map.groupBy(parts, (part) => part.periodId)) {
    const rate = periods.find(({ id }) => id === periodId)?.pesosE4 ?? null
    let centavos = 0
    for (const part of ofPeriod) {
      // A payee in dollars needs an exchange rate only if something is converted.
      const adjusted =
        part.adjustments + (rate === null ? 0 : toCentavos(part.adjustmentCents, rate))
      row.events += part.events
      row.earningCents += part.earningCents
      row.ratesCentavos += part.rates
      row.tiersCentavos += part.tiers
      row.adjustmentsCentavos += adjusted
      centavos += part.rates + part.tiers + adjusted
    }
    row.payoutCentavos += centavos
    payoutCents =
      payoutCents === null || (rate === null && centavos !== 0)
        ? null
        : payoutCents + (rate === null ? 0 : toCents(centavos, rate))
  }
  const [first] = parts
  const period = by === 'period' ? periods.find(({ id }) => id === first?.periodId) : undefined
  const key = period?.name ?? (first?.id === null || first === undefined ? null : String(first.id))
  return {
    key,
    name: period?.name ?? first?.name ?? '',
    ...row,
    payoutCents,
    marginCents: payoutCents === null ? null : row.earningCents - payoutCents,
    exchangeRate:
      period?.pesosE4 == null
        ? null
        : { pesosE4: period.pesosE4, source: period.pesosSource ?? '', setBy: period.pesosSetBy },
  }
}

/** Newest first, by day, because names of half-months, weeks and months do not sort together. */
function newestFirst(periods: readonly ClosedPeriod[]) {
  const placeOf = new Map(periods.map(({ name }, place) => [name, place]))
  return (one: ProfitRow, other: ProfitRow) =>
    (placeOf.get(other.key ?? '') ?? 0) - (placeOf.get(one.key ?? '') ?? 0)
}

const largestFirst = (one: ProfitRow, other: ProfitRow) =>
  other.earningCents - one.earningCents || (one.name < other.name ? -1 : 1)
