import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import type { statementLinesEndpoints } from '@tallyroom/contract/pay/bookings/statement-lines'
import {
  type StatementRow,
  statementSections,
} from '@tallyroom/contract/pay/statements/statement-sections'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { notFound } from '../../errors.ts'
import { toldReason } from '../bookings/line-facts.ts'
import { getSeenStatement } from './statements.ts'
import {
  findEarlierPayments,
  findLineEvents,
  type LineOfBookings,
  sumLineEvents,
} from './statement-line.queries.ts'

type Calls = typeof statementLinesEndpoints

/**
 * The bookings behind a line that the viewer sees. They add up exactly to the line's amount, once what earlier
 * statements paid for the same week is subtracted.
 *
 * @throws NOT_FOUND for lines that are not the viewer's, and for adjustments: they have no bookings.
 */
export async function getStatementLine(
  db: Db,
  viewer: Viewer,
  id: number,
  { key, ...page }: RequestOf<Calls['statementLine']>['query'],
): Promise<AnswerOf<Calls['statementLine']>> {
  const { scope, row, content } = await getSeenStatement(db, viewer, id)
  const section = statementSections(content).find(({ rows }) => rows.some((one) => one.key === key))
  const line = section?.rows.find((one) => one.key === key)
  if (!section || !line) throw notFound('line')
  const bookings = bookingsOf(line, row, section.days)
  if (!bookings) throw notFound('line')

  const { total, amount: eventsAmount } = await sumLineEvents(db, bookings)
  const events = await findLineEvents(db, bookings, page)
  const earlier = await findEarlierPayments(db, bookings)
  return {
    currency: line.currency,
    amount: line.amount,
    sum: earlier.reduce((sum, one) => sum + one.amount, eventsAmount),
    events: events.map(({ occurredAt, backdating, ...event }) => ({
      ...event,
      occurredAt: occurredAt?.toISOString() ?? null,
      reason: toldReason(backdating ?? undefined, scope.sees === 'everything'),
    })),
    total,
    eventsAmount,
    earlier,
  }
}

type Seen = Awaited<ReturnType<typeof getSeenStatement>>['row']

/** Undefined for an adjustment. */
function bookingsOf(
  { of, currency, rate }: StatementRow,
  { periodId, period, kind, payeeId }: Seen,
  lateDays: { start: string; end: string } | undefined,
): LineOfBookings | undefined {
  switch (of.kind) {
    case 'rate':
      return {
        kind: 'rate',
        line: of.line,
        periodId,
        payee: { kind, id: payeeId },
        days: lateDays ?? period,
      }
    case 'tier':
      return { kind: 'tier', line: of.line, currency, rate: rate ?? 0, periodStart: period.start }
    case 'adjustment':
      return undefined
  }
}
