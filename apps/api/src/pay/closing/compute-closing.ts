import type { Payee } from '@tallyroom/contract/pay/terms/payees'
import type { StatementContent, TierLine } from '@tallyroom/contract/pay/statements/statement'
import {
  minimumIn,
  type Currency,
  type PayeeKind,
  type PayPeriod,
  settingsOn,
} from '@tallyroom/domain/pay'
import type { DbOrTx } from '../../db/database.ts'
import { findAdvances } from '../ledger/advances.queries.ts'
import {
  balanceText,
  findBalances,
  findCurrencies,
  findMinimums,
} from '../ledger/balances.queries.ts'
import { findPayeeNames, type PayeeKey, payeeText } from '../terms/payees.queries.ts'
import type { Booking, ToBook, Whose } from '../bookings/book-events.queries.ts'
import { type Calendar, closedPeriodOf, payeeKindOf } from '../terms/calendar.ts'
import { findUnbookedAdjustments, type UnbookedAdjustment } from './closing.queries.ts'
import { findDocuments } from '../terms/documents.ts'
import { makeStatement, type StatementParts } from '../statements/make-statement.ts'
import type { ExchangeRate } from '../terms/settings.queries.ts'
import { findDocumentSerials } from '../statements/statements.queries.ts'
import { findTaxTerms } from '../acts/tax-rates.ts'
import { findTierLines, type Pretended } from '../bookings/tiers.ts'

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

/** What one payee's statement of a period is made of. */
export type PayeeParts = {
  payee: PayeeKey
  currency: Currency
  bookings: readonly Booking[]
  tiers: readonly TierLine[]
  adjustments: readonly UnbookedAdjustment[]
}

type PartsToFind = {
  calendar: Calendar
  period: PayPeriod
  periodId: number
  booked: readonly Booking[]
  adjustments: readonly UnbookedAdjustment[]
  /** Only these agents' tiers; everybody's without. */
  agents?: Pick<Whose, 'agentIds'>
  /** Open periods before this one, as if they were closed. */
  pretended?: Pretended
}

/** A period's bookings, what tiers pay, and adjustments, by payee. What anybody earned is a sum of these. */
export async function findParts(
  db: DbOrTx,
  {
    booked,
    adjustments,
    agents = {},
    pretended = { bookings: [], tiers: [] },
    ...period
  }: PartsToFind,
): Promise<PayeeParts[]> {
  const settings = settingsOn(period.calendar.settings, period.period.start)
  const currencies = await findCurrencies(db)
  const currencyOf = (payee: PayeeKey): Currency => currencies.get(payeeText(payee)) ?? 'PHP'
  const payeeKind: PayeeKind = payeeKindOf(settings.payees)
  const about = { ...period, payeeKind, booked, currencyOf, agents, pretended }
  const tiers = await findTierLines(db, about)
  const bookingsOf = Map.groupBy(booked, (one) => payeeText(bookedFor(one)))
  const tiersOf = Map.groupBy(tiers, ({ payee }) => payeeText(payee))
  const adjustmentsOf = Map.groupBy(adjustments, (one) => payeeText(payeeOf(one)))
  const payees = distinctPayees([
    ...booked.map(bookedFor),
    ...tiers.map(({ payee }) => payee),
    ...adjustments.map(payeeOf),
  ])
  return payees.map((payee) => ({
    payee,
    currency: currencyOf(payee),
    bookings: bookingsOf.get(payeeText(payee)) ?? [],
    tiers: (tiersOf.get(payeeText(payee)) ?? []).map(({ line }) => line),
    adjustments: adjustmentsOf.get(payeeText(payee)) ?? [],
  }))
}

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
  const { calendar, period } = closing
  const adjustments = await findUnbookedAdjustments(db)
  const parts = await findParts(db, { ...closing, booked, adjustments })
  const names = await findPayeeNames(
    db,
    parts.map(({ payee }) => payee),
  )
  const balances = new Map((await findBalances(db)).map((one) => [balanceText(one), one.balance]))
  const terms = await findTerms(db, closing)
  const advances = await findAdvances(db, {})
  const taxOf = await findTaxTerms(db, period.end)
  const documentOf = await findDocuments(db, period.end, await findDocumentSerials(db))
  return parts
    .map((one) => ({
      ...one,
      payee: { ...one.payee, name: names.get(payeeText(one.payee)) ?? '' },
    }))
    .toSorted((one, other) => byName(one.payee, other.payee))
    .map((one, index) => ({
      content: statementFrom(one, terms, {
        number: numberOf(period, index + 1, calendar.state.epoch),
        carried: balances.get(balanceText({ ...one.payee, currency: one.currency })) ?? 0,
        tax: taxOf({ ...one.payee, currency: one.currency }),
        advances: advances.get(balanceText({ ...one.payee, currency: one.currency })) ?? [],
        document: documentOf(one.payee),
      }),
      adjustmentIds: one.adjustments.map(({ id }) => id),
    }))
}

/** What all statements of a closing have in common. */
type Terms = Closing & {
  minimums: ReadonlyMap<string, number>
  /** Open periods before this one that count as closed. */
  earlier?: readonly PayPeriod[]
}

export const findTerms = async (db: DbOrTx, closing: Closing): Promise<Terms> => ({
  ...closing,
  minimums: await findMinimums(db),
})

/** @throws MissingExchangeRate */
export function statementFrom(
  { payee, currency, bookings, tiers, adjustments }: PayeeParts & { payee: Payee },
  { calendar, period, minimums, earlier = [], closedBy, closedAt, exchangeRate }: Terms,
  {
    number,
    ...before
  }: { number: string } & Pick<StatementParts, 'carried' | 'tax' | 'advances' | 'document'>,
): StatementContent {
  const settings = settingsOn(calendar.settings, period.start)
  const closedPeriods = [...calendar.closed, ...earlier, period]
  return makeStatement({
    number,
    period: {
      name: period.name,
      start: period.start,
      end: period.end,
      payees: settings.payees,
      avp: settings.avp,
    },
    payee,
    currency,
    closedBy,
    closedAt,
    bookings,
    tiers,
    adjustments: adjustments.map(lineOf),
    ...before,
    minimum: minimums.get(balanceText({ ...payee, currency })) ?? minimumIn(currency, settings),
    holdingDays: settings.holdingDays,
    exchangeRate,
    periodOf: (day) => closedPeriodOf(closedPeriods, day),
  })
}

const bookedFor = ({ payeeKind, payeeId }: Booking): PayeeKey => ({ kind: payeeKind, id: payeeId })

export const lineOf = ({
  id,
  currency,
  amount,
  reason,
  countsAs,
  madeAt,
  madeBy,
}: Omit<UnbookedAdjustment, 'kind' | 'payeeId'>): StatementContent['adjustments'][number] => ({
  id,
  currency,
  amount,
  reason,
  // What is earned has no word for it, as before there was another kind.
  ...(countsAs === 'not income' && { countsAs }),
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
