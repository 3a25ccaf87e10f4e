import { rateText } from '@tallyroom/contract/pay/statements/statement-sections'
import { statementContentSchema } from '@tallyroom/contract/pay/statements/statement'
import { toldEventOf } from '@tallyroom/domain/event-types'
import { type Day, dayOf } from '@tallyroom/domain/new-york'
import type { BalanceEntryKind } from '@tallyroom/domain/pay'
import { taxRateText } from '@tallyroom/domain/withholding'
import type { Db } from '../../db/database.ts'
import { inSnapshot } from '../../db/transaction.ts'
import { findMovements, type Movement } from '../books/movements.queries.ts'
import { findBookedAdjustments } from '../ledger/adjustments.queries.ts'
import { payeeText } from '../terms/payees.queries.ts'
import { findBookings } from '../bookings/book-events.queries.ts'
import { findNamingOfBookings } from '../bookings/line-facts.queries.ts'
import { findClosedPeriods, findExchangeRates } from '../terms/settings.queries.ts'
import { findStatementsOfPeriod } from '../statements/statements.queries.ts'
import { findAllTierPayments } from '../bookings/tiers.queries.ts'
import { noPeriod } from '../terms/no-period.ts'

/** What a row can be. docs/operations.md describes them, and a test compares. */
export const EXPORT_ENTRIES = [
  'event',
  'tier',
  'adjustment',
  'not income',
  'conversion',
  'carried',
  'total',
  'tax',
  'exchange rate',
  'payment',
  'failed',
  'cancelled',
  'returned',
  'outside',
  'correction',
  'write-off',
  'converted',
  'advance',
  'instalment',
  'received',
  'given back',
  'given up',
  'advance given up',
] as const
type ExportEntry = (typeof EXPORT_ENTRIES)[number]

/** What a period's export has of each kind of entry of a balance made on its days. A statement's is its `total`. */
const entryOfKind: Record<BalanceEntryKind, ExportEntry | null> = {
  statement: null,
  payment: 'payment',
  failed: 'failed',
  cancelled: 'cancelled',
  returned: 'returned',
  outside: 'outside',
  correction: 'correction',
  conversion: 'converted',
  advance: 'advance',
  instalment: 'instalment',
  received: 'received',
  'given back': 'given back',
  'given up': 'given up',
  'advance given up': 'advance given up',
  // Beside its statement, as it is a part of it.
  tax: null,
}

/** The columns of a period's export. Amounts are in minor units; docs/operations.md describes them. */
export const EXPORT_COLUMNS = [
  'entry',
  'statement',
  'payee_kind',
  'payee_id',
  'payee',
  'day',
  'currency',
  'amount',
  'event',
  'event_type',
  'quantity',
  'agent_id',
  'agent',
  'office_id',
  'office',
  'site',
  'link_type',
  'text',
  'run',
  'reference',
  'bank_reference',
  'money_day',
] as const

type ExportRow = Partial<Record<(typeof EXPORT_COLUMNS)[number], string | number>> & {
  entry: ExportEntry
}

/**
 * All entries of a closed period: one row for each event, tier line and adjustment, two for each conversion, one each for the
 * sum of a statement, the balance that it carried in and the tax that it withheld, and whatever else changed a balance on the days of the period.
 * Events, tier lines, adjustments of both kinds and conversions add up to the statement, in its currency, and to 0 in the other.
 *
 * @throws NOT_FOUND for a period that is not closed.
 */
export const exportPeriod = (db: Db, name: string): Promise<ExportRow[]> =>
  inSnapshot(db, async (tx) => {
    const period = (await findClosedPeriods(tx)).find((one) => one.name === name)
    if (!period) throw noPeriod('closed')
    const statements = await findStatementsOfPeriod(tx, period.id)
    const byPayee = new Map(
      statements.map((one) => [payeeText({ kind: one.kind, id: one.payeeId }), one]),
    )
    const byId = new Map(statements.map((one) => [one.id, one]))
    const of = (one: (typeof statements)[number] | undefined): Partial<ExportRow> =>
      one
        ? {
            statement: one.number,
            payee_kind: one.kind,
            payee_id: one.payeeId,
            payee: one.payeeName,
          }
        : {}
    const namingOf = await findNamingOfBookings(tx, period.id)
    const bookings = (await findBookings(tx, period.id)).map((one): ExportRow => ({
      entry: 'event',
      ...of(byPayee.get(payeeText({ kind: one.payeeKind, id: one.payeeId }))),
      day: one.day,
      currency: 'PHP',
      amount: one.payoutCentavos,
      event: one.eventId,
      event_type: toldEventOf(one.eventType, namingOf(one)) ?? '',
      quantity: one.quantity,
      agent_id: one.agentId,
      agent: one.agentName,
      office_id: one.officeId,
      office: one.officeName,
      site: one.siteName,
      link_type: one.typeName,
      text: one.paidBy === 'tier' ? `by tier, week of ${one.avpWeek}` : '',
    }))
    const tiers = (await findAllTierPayments(tx))
      .filter(({ statementId }) => byId.has(statementId))
      .map((one): ExportRow => ({
        entry: 'tier',
        ...of(byId.get(one.statementId)),
        day: one.week,
        currency: one.currency,
        amount: one.currency === 'PHP' ? one.centavos : one.cents,
        quantity: one.paidSales,
        agent_id: one.agentId,
        agent: one.agentName,
        office_id: one.officeId,
        office: one.officeName,
        text: `tier ${one.tier}, ${one.sales} sales in the week of ${one.week}`,
      }))
    const adjustments = (await findBookedAdjustments(tx, period.id)).map((one): ExportRow => ({
      entry: one.countsAs === 'not income' ? one.countsAs : 'adjustment',
      ...of(byId.get(one.statementId ?? 0)),
      day: dayOf(one.madeAt),
      currency: one.currency,
      amount: one.amount,
      text: one.reason,
    }))
    const carried = statements.map((one): ExportRow => ({
      entry: 'carried',
      ...of(one),
      currency: one.currency,
      amount: one.carried,
    }))
    const totals = statements.map((one): ExportRow => ({
      entry: 'total',
      ...of(one),
      day: period.end,
      currency: one.currency,
      amount: one.amount,
    }))
    const contents = new Map(
      statements.map(({ id, content }) => [
        id,
        statementContentSchema.parse(JSON.parse(content.toString())),
      ]),
    )
    const conversions = statements.flatMap((one): ExportRow[] => {
      const { conversion } = contents.get(one.id) ?? {}
      if (!conversion) return []
      const text = `${rateText(conversion.pesosE4)}, ${conversion.source}`
      const row = { entry: 'conversion' as const, ...of(one), day: period.end, text }
      return [
        { ...row, currency: conversion.from, amount: -conversion.amount },
        { ...row, currency: one.currency, amount: conversion.converted },
      ]
    })
    const taxes = statements.flatMap((one): ExportRow[] => {
      const { tax } = contents.get(one.id) ?? {}
      if (!tax || tax.withheld === 0) return []
      return [
        {
          entry: 'tax',
          ...of(one),
          day: period.end,
          currency: one.currency,
          amount: -tax.withheld,
          text: `${taxRateText(tax.rateBp)}, ${tax.code}, ${tax.quarter}`,
        },
      ]
    })
    const rate = (await findExchangeRates(tx)).get(name)
    const rates: ExportRow[] = rate
      ? [{ entry: 'exchange rate', text: `${rateText(rate.pesosE4)}, ${rate.source}` }]
      : []
    const movements = (await findMovements(tx, period)).flatMap(exportMovement)
    return [
      ...rates,
      ...[
        ...bookings,
        ...tiers,
        ...adjustments,
        ...conversions,
        ...totals,
        ...carried,
        ...taxes,
      ].toSorted(byStatement),
      ...movements,
    ]
  })

function exportMovement(one: Movement & { day: Day }): ExportRow[] {
  const entry = one.isWriteOff ? 'write-off' : entryOfKind[one.kind]
  if (entry === null) return []
  return [
    {
      entry,
      payee_kind: one.payee.kind,
      payee_id: one.payee.id,
      payee: one.payee.name,
      day: one.day,
      currency: one.currency,
      amount: one.amount,
      text: `${one.reason ?? ''}${one.notIncome === 0 ? '' : ', not income'}`,
      run: one.run ?? '',
      reference: one.reference ?? one.outside?.voucher ?? '',
      bank_reference: one.bankReference ?? '',
      money_day: one.returnedOn ?? one.outside?.paidOn ?? '',
    },
  ]
}

const byStatement = (one: ExportRow, other: ExportRow) =>
  (one.statement ?? '') < (other.statement ?? '')
    ? -1
    : (one.statement ?? '') > (other.statement ?? '')
      ? 1
      : 0
