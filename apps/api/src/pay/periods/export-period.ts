import { EVENT_TYPE } from '@tallyroom/domain/event-types'
import type { Db } from '../../db/database.ts'
import { inTransaction, oneSnapshot } from '../../db/transaction.ts'
import { notFound } from '../../errors.ts'
import { findBookedAdjustments } from './adjustments.queries.ts'
import { payeeText } from './payees.queries.ts'
import { findBookings } from './book-events.queries.ts'
import { findClosedPeriods } from './settings.queries.ts'
import { findStatementsOfPeriod } from './statements.queries.ts'
import { findAllTierPayments } from './tiers.queries.ts'

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
] as const

type ExportRow = Partial<Record<(typeof EXPORT_COLUMNS)[number], string | number>>

/**
 * All entries of a closed period: one row for each event, tier line and adjustment, and one for each balance that a
 * statement carried in. All rows but that one add up to the statement, after conversion to its currency.
 *
 * @throws NOT_FOUND for a period that is not closed.
 */
export const exportPeriod = (db: Db, name: string): Promise<ExportRow[]> =>
  inTransaction(
    db,
    async (tx) => {
      const period = (await findClosedPeriods(tx)).find((one) => one.name === name)
      if (!period) throw notFound('closed period')
      const statements = await findStatementsOfPeriod(tx, period.id)
      const byPayee = new Map(
        statements.map((one) => [payeeText({ kind: one.kind, id: one.payeeId }), one]),
      )
      const byId = new Map(statements.map((one) => [one.id, one]))
      const of = (one: (typeof statements)[number] | undefined): ExportRow =>
        one
          ? {
              statement: one.number,
              payee_kind: one.kind,
              payee_id: one.payeeId,
              payee: one.payeeName,
            }
          : {}
      const bookings = (await findBookings(tx, period.id)).map((one): ExportRow => ({
        entry: 'event',
        ...of(byPayee.get(payeeText({ kind: one.payeeKind, id: one.payeeId }))),
        day: one.day,
        currency: 'PHP',
        amount: one.payoutCentavos,
        event: one.eventId,
        event_type: one.eventType === EVENT_TYPE.sale ? 'sale' : 'bonus',
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
        entry: 'adjustment',
        ...of(byId.get(one.statementId ?? 0)),
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
      return [...bookings, ...tiers, ...adjustments, ...carried].toSorted(byStatement)
    },
    oneSnapshot,
  )

const byStatement = (one: ExportRow, other: ExportRow) =>
  (one.statement ?? '') < (other.statement ?? '')
    ? -1
    : (one.statement ?? '') > (other.statement ?? '')
      ? 1
      : 0
