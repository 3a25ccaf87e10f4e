import type { RateLine, TierLine } from '@tallyroom/contract/pay/statements/statement'
import type { BookedEvent, StatementLine } from '@tallyroom/contract/pay/bookings/statement-lines'
import { startOfDay } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import type { Currency } from '@tallyroom/domain/pay'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { aboutSale } from '../../db/event-types.ts'
import { approveSaleThen } from '../../catalogue/index.ts'
import { pageOf } from '../../db/list-query.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'

/** Selects the bookings behind a line. */
export type LineOfBookings =
  | { kind: 'rate'; line: RateLine; periodId: number; payee: PayeeKey; days: DateRange }
  | {
      kind: 'tier'
      line: TierLine
      currency: Currency
      /** What the tier pays for a sale, in minor units of the currency. */
      rate: number
      /** The first day of the statement's period. Bookings of later periods are on other lines. */
      periodStart: string
    }

type EventRow = Omit<BookedEvent, 'occurredAt' | 'reason'> & {
  occurredAt: Date | null
  /** Of a difference; null for others, and if the event was deleted with its agent. */
  backdating: { reason: string; payeesRead: boolean } | null
}

/** The number of bookings behind a line, and their sum. */
export async function sumLineEvents(db: DbOrTx, line: LineOfBookings) {
  const { rows } = await sql<{ total: number; amount: number }>`
    select count(*) as total, coalesce(sum(${amountOf(line)}), 0)::bigint as amount
    from bookings as booking
    where ${await matching(db, line)}
  `.execute(db)
  return rows[0] ?? { total: 0, amount: 0 }
}

/** Newest first. The events of a deleted agent are gone; their bookings are not. */
export async function findLineEvents(
  db: DbOrTx,
  line: LineOfBookings,
  page: { page: number; pageSize: number },
): Promise<EventRow[]> {
  const { rows } = await sql<EventRow & { siteId: number; soldAt: Date | null }>`
    select
      booking.event_id as "eventId", event.occurred_at as "occurredAt", booking.day,
      booking.event_type as "eventType", event.reversal, booking.site_id as "siteId",
      booking.site_name as "siteName", coalesce(original.occurred_at, event.occurred_at) as "soldAt",
      coalesce(site.use_approve_sale, false) as "useApproveSale", booking.type_name as "typeName",
      event.transaction_id as "transactionId", booking.quantity,
      booking.is_part as "isPart",
      ${line.kind === 'tier' ? sql`${line.rate}::bigint` : sql`booking.rate_centavos`} as rate,
      (${amountOf(line)})::bigint as amount, booking.settled_outside as "settledOutside",
      case when backdating.id is not null then json_build_object(
        'reason', backdating.reason, 'payeesRead', backdating.payees_read
      ) end as backdating
    from bookings as booking
    left join sale_events as event
      on event.agent_id = booking.agent_id and event.id = booking.event_id
    left join sale_events as original
      on original.agent_id = booking.agent_id and original.id = ${aboutSale('event')}
    left join sites as site on site.id = booking.site_id
    left join rate_backdatings as backdating on backdating.id = event.backdating_id
    where ${await matching(db, line)}
    order by booking.day desc, event.occurred_at desc nulls last, booking.event_id
    ${pageOf(page)}
  `.execute(db)
  const usedApproveSale = await approveSaleThen(db)
  return rows.map(({ siteId, soldAt, ...event }) => ({
    ...event,
    useApproveSale: usedApproveSale(siteId, event.useApproveSale, soldAt ?? startOfDay(event.day)),
  }))
}

/** What earlier statements paid for the same week. The line subtracts it. */
export async function findEarlierPayments(
  db: DbOrTx,
  line: LineOfBookings,
): Promise<StatementLine['earlier']> {
  if (line.kind === 'rate') return []
  const { agentId, officeId, week } = line.line
  const { rows } = await sql<StatementLine['earlier'][number]>`
    select
      statement.id as "statementId", statement.number, payment.paid_sales as sales, payment.tier,
      -${sql.ref(line.currency === 'USD' ? 'payment.cents' : 'payment.centavos')} as amount
    from tier_payments as payment
    join statements as statement on statement.id = payment.statement_id
    join pay_periods as period on period.id = statement.period_id
    where payment.week = ${week}::date and payment.agent_id = ${agentId}
      and payment.office_id = ${officeId} and period.start_day < ${line.periodStart}::date
    order by payment.id
  `.execute(db)
  return rows
}

/** What this line pays for one booking. */
const amountOf = (line: LineOfBookings): RawBuilder<number> =>
  line.kind === 'rate'
    ? sql`booking.payout_centavos`
    : sql`case when booking.settled_outside then 0 else booking.quantity * ${line.rate}::bigint end`

/** The agent comes first, because bookings are distributed by agent. */
async function matching(db: DbOrTx, line: LineOfBookings): Promise<RawBuilder<unknown>> {
  const { agentId, officeId } = line.line
  const whose = sql`booking.agent_id = ${agentId} and booking.office_id = ${officeId}`
  if (line.kind === 'tier') {
    const { rows } = await sql<{ id: number }>`
      select id from pay_periods where start_day <= ${line.periodStart}::date
    `.execute(db)
    return sql`
      ${whose} and booking.avp_week = ${line.line.week}::date and booking.quantity <> 0
      and booking.period_id = any(${rows.map(({ id }) => id)}::bigint[])
    `
  }
  const { siteId, typeId, rateCentavos, rateSource, tierWeek, settledOutside, fraud } = line.line
  const { differences, parts } = line.line
  return sql`
    ${whose} and booking.period_id = ${line.periodId} and booking.payee_kind = ${line.payee.kind}
    and booking.payee_id = ${line.payee.id}
    and booking.day between ${line.days.start}::date and ${line.days.end}::date
    and booking.site_id = ${siteId} and booking.type_id = ${typeId}
    and ${
      tierWeek === null
        ? sql`booking.rate_centavos = ${rateCentavos} and (booking.rate_source = 'office') = ${rateSource === 'office'}`
        : // Whatever their rates: these pay nothing. Differences in earnings alone are on no line.
          sql`(booking.quantity <> 0 or booking.rate_centavos <> 0)`
    }
    and case when booking.paid_by = 'tier' then booking.avp_week end
      is not distinct from ${tierWeek}::date
    and booking.settled_outside = ${settledOutside} and booking.fraud = ${fraud}
    and (booking.quantity = 0) = ${differences !== undefined || parts !== undefined}
    and booking.is_part = ${parts !== undefined}
  `
}
