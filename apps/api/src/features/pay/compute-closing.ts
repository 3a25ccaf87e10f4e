import type { Payee, StatementContent } from '@tallyroom/contract/pay-statement'
import { type Currency, type PayPeriod, settingsOn } from '@tallyroom/domain/pay'
import type { DbOrTx } from '../../db/database.ts'
import { balanceText, findBalances, findCurrencies, findMinimums } from './balances.queries.ts'
import { findPayeeNames, type PayeeKey, payeeText } from './payees.queries.ts'
import type { Booking, ToBook } from './book-events.queries.ts'
import { type Calendar, closedPeriodOf, payeeKindOf } from './calendar.ts'
import { findUnbookedAdjustments, type UnbookedAdjustment } from './closing.queries.ts'
import { makeStatement } from './make-statement.ts'
import type { ExchangeRate } from './settings.queries.ts'
import { findTierLines } from './tiers.ts'

/** What is closed, by whom, when and with which exchange rate. */
export type Closing = {
  calendar: Calendar
  period: PayPeriod
  periodId: number
  exchangeRate: ExchangeRate | undefined
  closedAt: Date
  closedBy: string
}

/** A statement, and the adjustments that it books. */
export type MadeStatement = { content: StatementContent; adjustmentIds: number[] }

export const toBookOf = ({ calendar, period, periodId, closedAt }: Closing): ToBook => ({
  periodId,
  lastDay: period.end,
  payeeKind: payeeKindOf(settingsOn(calendar.settings, period.start).payees),
  startedAt: calendar.state.startedAt,
  now: closedAt,
  settings: calendar.settings,
})

/**
 * Computes statements from a period's bookings, tier payments, adjustments and balances. Preview and closing share this
 * computation.
 *
 * @throws MissingExchangeRate
 */
export async function computeStatements(
  db: DbOrTx,
  closing: Closing,
  booked: readonly Booking[],
): Promise<MadeStatement[]> {
  const { calendar, period, periodId } = closing
  const settings = settingsOn(calendar.settings, period.start)
  const currencies = await findCurrencies(db)
  const currencyOf = (payee: PayeeKey): Currency => currencies.get(payeeText(payee)) ?? 'PHP'
  const payeeKind = payeeKindOf(settings.payees)

  const tiers = await findTierLines(db, {
    calendar,
    period,
    periodId,
    payeeKind,
    booked,
    currencyOf,
  })
  const adjustments = await findUnbookedAdjustments(db)
  const bookingsOf = Map.groupBy(booked, (one) =>
    payeeText({ kind: one.payeeKind, id: one.payeeId }),
  )
  const tiersOf = Map.groupBy(tiers, ({ payee }) => payeeText(payee))
  const adjustmentsOf = Map.groupBy(adjustments, (one) => payeeText(payeeOf(one)))
  const payees = distinctPayees([
    ...booked.map((one): PayeeKey => ({ kind: one.payeeKind, id: one.payeeId })),
    ...tiers.map(({ payee }) => payee),
    ...adjustments.map(payeeOf),
  ])

  const names = await findPayeeNames(db, payees)
  const minimums = await findMinimums(db)
  const balances = new Map((await findBalances(db)).map((one) => [balanceText(one), one.balance]))
  const closedPeriods = [...calendar.closed, period]
  const named = payees
    .map((payee): Payee => ({ ...payee, name: names.get(payeeText(payee)) ?? '' }))
    .toSorted(byName)
  return named.map((payee, index) => {
    const key = payeeText(payee)
    const currency = currencyOf(payee)
    const own = adjustmentsOf.get(key) ?? []
    const content = makeStatement({
      number: numberOf(period, index + 1, calendar.state.epoch),
      period: {
        name: period.name,
        start: period.start,
        end: period.end,
        payees: settings.payees,
        avp: settings.avp,
      },
      payee,
      currency,
      closedBy: closing.closedBy,
      closedAt: closing.closedAt,
      bookings: bookingsOf.get(key) ?? [],
      tiers: (tiersOf.get(key) ?? []).map(({ line }) => line),
      adjustments: own.map(lineOf),
      carried: balances.get(balanceText({ ...payee, currency })) ?? 0,
      minimum:
        minimums.get(balanceText({ ...payee, currency })) ??
        (currency === 'PHP' ? settings.minimumCentavos : settings.minimumCents),
      exchangeRate: closing.exchangeRate,
      periodOf: (day) => closedPeriodOf(closedPeriods, day),
    })
    return { content, adjustmentIds: own.map(({ id }) => id) }
  })
}

export const lineOf = ({
  id,
  currency,
  amount,
  reason,
  madeAt,
  madeBy,
}: Omit<UnbookedAdjustment, 'kind' | 'payeeId'>): StatementContent['adjustments'][number] => ({
  id,
  currency,
  amount,
  reason,
  by: madeBy,
  at: madeAt.toISOString(),
})

/** Restoring a backup raises the epoch, so that no number is issued twice. */
const numberOf = ({ name }: PayPeriod, running: number, epoch: number): string =>
  `${name}${epoch > 1 ? `-E${epoch}` : ''}-${String(running).padStart(4, '0')}`

const payeeOf = ({ kind, payeeId }: UnbookedAdjustment): PayeeKey => ({ kind, id: payeeId })

const distinctPayees = (payees: readonly PayeeKey[]): PayeeKey[] => [
  ...new Map(payees.map(({ kind, id }) => [payeeText({ kind, id }), { kind, id }])).values(),
]

function byName(one: Payee, other: Payee): number {
  if (one.kind !== other.kind) return one.kind === 'office' ? -1 : 1
  if (one.name !== other.name) return one.name < other.name ? -1 : 1
  return one.id - other.id
}
