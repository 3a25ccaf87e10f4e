import type { Earned } from '@tallyroom/contract/pay/closing/earned'
import { eventKindOf } from '@tallyroom/domain/event-types'
import type { Day } from '@tallyroom/domain/new-york'
import { type CountsAs, CURRENCIES, type Currency, type PayPeriod } from '@tallyroom/domain/pay'
import type { DbOrTx } from '../../db/database.ts'
import type { Booking, Whose } from '../bookings/book-events.queries.ts'
import type { Calendar } from '../terms/calendar.ts'
import type { PayeeParts } from './compute-closing.ts'
import {
  findBookedAdjustments,
  findPaidByRates,
  findStatementCurrencies,
  paidAs,
} from '../bookings/earned.queries.ts'
import { inOneCurrency, MissingExchangeRate } from '../statements/make-statement.ts'
import { findOpenParts, isAdjustmentOf, type OpenParts } from './open-parts.ts'
import { type PayeeKey, payeeText } from '../terms/payees.queries.ts'
import {
  type ClosedPeriod,
  type ExchangeRate,
  findExchangeRates,
} from '../terms/settings.queries.ts'
import { findTiersOfPeriods } from '../bookings/tiers.queries.ts'

export type EarnedFor = Earned & { payee: PayeeKey }

/** What each payee of a period is paid for somebody's events. */
export type EarnedPeriod = { period: PayPeriod; isClosed: boolean; to: EarnedFor[] }

type Sums = Omit<Earned, 'amount' | 'currency' | 'notIncome'>

/** The same, with what of the adjustments is not income. */
type AllSums = Sums & { others: Record<Currency, number> }

type ToSum = {
  closed: readonly ClosedPeriod[]
  open: readonly PayPeriod[]
  now: Date
  whose: Whose
}

/**
 * What was earned in pay periods: as closed ones paid it, and as open ones would if they were closed now, one after
 * another. The open ones begin with the next one to close. Whoever says what somebody is paid asks here.
 */
export async function findEarned(
  db: DbOrTx,
  calendar: Calendar,
  { closed, open, now, whose }: ToSum,
): Promise<{ periods: EarnedPeriod[]; openParts: OpenParts[] }> {
  const openParts =
    open.length > 0 ? await findOpenParts(db, { calendar, periods: open, now, whose }) : []
  const rates = open.length > 0 ? await findExchangeRates(db) : new Map<string, ExchangeRate>()
  return {
    openParts,
    periods: [
      ...(await findClosed(db, closed, whose)),
      ...openParts.map(({ period, parts }) => ({
        period,
        isClosed: false,
        to: parts.map((one) => earnedFor(one, rates.get(period.name))),
      })),
    ],
  }
}

/** What several payees earned, by currency. An amount is unknown if one of them is. */
export function addUp(earned: readonly Earned[]): Earned[] {
  return CURRENCIES.flatMap((currency) => {
    const [first, ...more] = earned.filter((one) => one.currency === currency)
    if (!first) return []
    const { currency: _same, amount: _own, notIncome: _of, ...sums } = first
    const total = more.reduce<Sums>(added, sums)
    const all = [first, ...more]
    return [
      {
        currency,
        amount: sumKnown(all.map(({ amount }) => amount)),
        notIncome: sumKnown(all.map(({ notIncome }) => notIncome)),
        ...total,
      },
    ]
  })
}

/** Null if one of them is not known. */
const sumKnown = (amounts: readonly (number | null)[]): number | null =>
  amounts.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0)

/** One payee's parts of a period as sums. */
const earnedFor = (parts: PayeeParts, exchangeRate: ExchangeRate | undefined): EarnedFor => ({
  payee: parts.payee,
  ...withAmount(sumsOf(parts), parts.currency, exchangeRate),
})

/** What one payee's parts of a period pay, in minor units of each currency. */
export const paidByParts = (parts: PayeeParts): Record<Currency, number> => paidBy(sumsOf(parts))

/** What of it is not income. */
export const notIncomeIn = (parts: PayeeParts): Record<Currency, number> => sumsOf(parts).others

/** What some events pay, at the tiers that their weeks have reached so far. Minor units. */
export function paidForBookings(
  parts: readonly PayeeParts[],
  isOne: (booking: Booking) => boolean,
): Record<Currency, number> {
  const sums = { PHP: 0, USD: 0 }
  const weeks = new Map(
    parts.flatMap(({ tiers }) => tiers).map((line) => [weekKey(line.week, line), line]),
  )
  for (const booking of parts.flatMap(({ bookings }) => bookings).filter(isOne)) {
    sums.PHP += booking.payoutCentavos
    const line = booking.avpWeek === null ? undefined : weeks.get(weekKey(booking.avpWeek, booking))
    if (!line || booking.settledOutside) continue
    sums[line.currency] +=
      booking.quantity * (line.currency === 'PHP' ? line.rateCentavos : line.rateCents)
  }
  return sums
}

const weekKey = (week: Day, { agentId, officeId }: { agentId: number; officeId: number }) =>
  `${week} ${agentId} ${officeId}`

function sumsOf({ bookings, tiers, adjustments }: PayeeParts): AllSums {
  const sums = nothing()
  for (const booking of bookings) sums[kindOf(booking)] += booking.payoutCentavos
  for (const { currency: paidIn, centavos, cents } of tiers) {
    sums.tiers[paidIn] += paidIn === 'PHP' ? centavos : cents
  }
  for (const one of adjustments) addAdjustment(sums, one)
  return sums
}

function addAdjustment(
  { adjustments, others }: AllSums,
  { currency, amount, countsAs }: { currency: Currency; amount: number; countsAs: CountsAs },
): void {
  adjustments[currency] += amount
  if (countsAs === 'not income') others[currency] += amount
}

const kindOf = ({ quantity, eventType }: Booking) =>
  quantity === 0 ? 'differences' : paidAs[eventKindOf(eventType)]

async function findClosed(
  db: DbOrTx,
  periods: readonly ClosedPeriod[],
  whose: Whose,
): Promise<EarnedPeriod[]> {
  if (periods.length === 0) return []
  const ids = periods.map(({ id }) => id)
  const found = new Map<string, { periodId: number; payee: PayeeKey; sums: AllSums }>()
  const sumsFor = ({ periodId, payeeKind, payeeId }: OfPayee): AllSums => {
    const payee = { kind: payeeKind, id: payeeId }
    const key = keyOf(periodId, payee)
    const one = found.get(key) ?? { periodId, payee, sums: nothing() }
    found.set(key, one)
    return one.sums
  }
  for (const paid of await findPaidByRates(db, ids, whose)) {
    const sums = sumsFor(paid)
    sums.rates += paid.rates
    sums.bonuses += paid.bonuses
    sums.differences += paid.differences
  }
  for (const paid of await findTiersOfPeriods(db, ids, whose)) {
    sumsFor(paid).tiers[paid.currency] += paid.currency === 'PHP' ? paid.centavos : paid.cents
  }
  const isOwn = isAdjustmentOf(whose)
  for (const one of await findBookedAdjustments(db, ids)) {
    const { payeeKind: kind, payeeId } = one
    if (isOwn({ kind, payeeId })) addAdjustment(sumsFor(one), one)
  }
  const currencies = new Map(
    (await findStatementCurrencies(db, ids)).map(({ periodId, payeeKind, payeeId, currency }) => [
      keyOf(periodId, { kind: payeeKind, id: payeeId }),
      currency,
    ]),
  )
  return periods.map((period) => ({
    period,
    isClosed: true,
    to: [...found.values()].flatMap(({ periodId, payee, sums }) => {
      if (periodId !== period.id) return []
      const { pesosE4, pesosSource } = period
      const rate = pesosE4 === null ? undefined : { pesosE4, source: pesosSource ?? '' }
      const currency = currencies.get(keyOf(periodId, payee)) ?? 'PHP'
      return [{ payee, ...withAmount(sums, currency, rate) }]
    }),
  }))
}

type OfPayee = { periodId: number; payeeKind: PayeeKey['kind']; payeeId: number }

const keyOf = (periodId: number, payee: PayeeKey) => `${periodId} ${payeeText(payee)}`

const nothing = (): AllSums => ({
  rates: 0,
  bonuses: 0,
  differences: 0,
  tiers: { PHP: 0, USD: 0 },
  adjustments: { PHP: 0, USD: 0 },
  others: { PHP: 0, USD: 0 },
})

const added = (one: Sums, other: Sums): Sums => ({
  rates: one.rates + other.rates,
  bonuses: one.bonuses + other.bonuses,
  differences: one.differences + other.differences,
  tiers: { PHP: one.tiers.PHP + other.tiers.PHP, USD: one.tiers.USD + other.tiers.USD },
  adjustments: {
    PHP: one.adjustments.PHP + other.adjustments.PHP,
    USD: one.adjustments.USD + other.adjustments.USD,
  },
})

const paidBy = ({
  rates,
  bonuses,
  differences,
  tiers,
  adjustments,
}: Sums): Record<Currency, number> => ({
  PHP: rates + bonuses + differences + tiers.PHP + adjustments.PHP,
  USD: tiers.USD + adjustments.USD,
})

function withAmount(
  { others, ...sums }: AllSums,
  currency: Currency,
  rate: { pesosE4: number; source: string } | undefined,
): Earned {
  try {
    const { amount } = inOneCurrency(paidBy(sums), currency, rate)
    return { currency, amount, notIncome: inOneCurrency(others, currency, rate).amount, ...sums }
  } catch (error) {
    if (!(error instanceof MissingExchangeRate)) throw error
    return { currency, amount: null, notIncome: null, ...sums }
  }
}
