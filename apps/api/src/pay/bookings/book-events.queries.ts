import type { BookedType } from '@tallyroom/domain/event-types'
import { type Day, endOfDayExclusive, NEW_YORK } from '@tallyroom/domain/new-york'
import { type AvpRule, type PayeeKind, settingsOn } from '@tallyroom/domain/pay'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { aboutSale, bookedTypes, typeOf } from '../../db/event-types.ts'
import { columns } from '../../db/list-query.ts'
import { weekOf } from '../../totals/index.ts'
import type { StoredSettings } from '../terms/settings.queries.ts'

/** What one event was paid. */
export type Booking = {
  agentId: number
  eventId: string
  payeeKind: PayeeKind
  payeeId: number
  day: Day
  avpWeek: Day | null
  paidBy: 'rate' | 'tier'
  eventType: BookedType
  quantity: number
  /** It takes back a part of what a sale pays. */
  isPart: boolean
  officeId: number
  siteId: number
  typeId: number
  rateSource: string
  rateCentavos: number
  payoutCentavos: number
  fraud: boolean
  settledOutside: boolean
  agentName: string
  officeName: string
  siteName: string
  typeName: string
  /** Of a difference that is not booked yet: the backdating that made it. */
  backdatingId?: number | null
}

/** An event that is not booked yet, and what would be booked for it. */
export type Unbooked = Booking & {
  /** The sale that it is about; null for a sale. */
  aboutSale: string | null
  /** Its payee follows from what was closed: that of the sale's booking or of the week's first line. */
  inherits: boolean
}

/** Whose events: these agents', those for an office, or both. Everybody's if neither is given. */
export type Whose = { agentIds?: readonly number[]; officeId?: number }

/** Selects the events to book. */
export type ToBook = {
  periodId: number
  /** The last day of the period. */
  lastDay: Day
  payeeKind: PayeeKind
  /** Events recorded before this were settled outside Tallyroom and are never booked. */
  startedAt: Date
  /** Events recorded after this are left to the next closing. */
  now: Date
  settings: readonly [StoredSettings, ...StoredSettings[]]
}

/** Books every event that is not booked, up to the period's last day, and returns exactly what it booked. */
export async function bookEvents(tx: Tx, toBook: ToBook): Promise<Booking[]> {
  // Read back, because Citus cannot return the rows of an `insert … select` that joins its own table.
  await sql`
    insert into bookings (${columns(kept)})
    select ${columns(kept)} from (${unbooked(toBook)}) as unbooked
  `.execute(tx)
  return findBookings(tx, toBook.periodId)
}

/** What `bookEvents` would book now. */
export async function findUnbooked(
  db: DbOrTx,
  toBook: ToBook,
  whose: Whose = {},
): Promise<Unbooked[]> {
  const { rows } = await sql<Unbooked>`
    select ${bookingColumns}, about_sale as "aboutSale", inherits, backdating_id as "backdatingId"
    from (${unbooked(toBook, whose)}) as unbooked
  `.execute(db)
  return rows
}

/** When an agent's last sale was made, and when one was last recorded, to the next millisecond. Null: never. */
export async function findLastEvent(db: DbOrTx, agentId: number) {
  const { rows } = await sql<{ soldAt: Date | null; recordedAt: Date | null }>`
    select
      max(occurred_at) as "soldAt", max(recorded_at) + interval '1 millisecond' as "recordedAt"
    from sale_events
    where agent_id = ${agentId}
  `.execute(db)
  return rows[0] ?? { soldAt: null, recordedAt: null }
}

/** The bookings of a period. */
export async function findBookings(db: DbOrTx, periodId: number): Promise<Booking[]> {
  const { rows } = await sql<Booking>`
    select ${bookingColumns} from bookings where period_id = ${periodId}
  `.execute(db)
  return rows
}

const names = {
  agent_id: 'agentId',
  event_id: 'eventId',
  payee_kind: 'payeeKind',
  payee_id: 'payeeId',
  day: 'day',
  avp_week: 'avpWeek',
  paid_by: 'paidBy',
  event_type: 'eventType',
  quantity: 'quantity',
  is_part: 'isPart',
  office_id: 'officeId',
  site_id: 'siteId',
  type_id: 'typeId',
  rate_source: 'rateSource',
  rate_centavos: 'rateCentavos',
  payout_centavos: 'payoutCentavos',
  fraud: 'fraud',
  settled_outside: 'settledOutside',
  agent_name: 'agentName',
  office_name: 'officeName',
  site_name: 'siteName',
  type_name: 'typeName',
} as const satisfies Record<string, keyof Booking>

const kept = ['period_id', 'earning_cents', ...Object.keys(names)]
const bookingColumns = sql.join(
  Object.entries(names).map(([column, name]) => sql`${sql.ref(column)} as ${sql.ref(name)}`),
)

/**
 * Selects events as bookings. Compares all events since pay was switched on with all bookings, so that neither clock
 * skew nor a late commit lets an event fall between two periods.
 *
 * A reversal is booked to the payee that was paid for the sale, by the same rule. So is whatever else is about the sale:
 * a difference in what it pays, or that it counts again. A late AVP sale is booked to the payee of its week's first line,
 * where its money is; whatever tiers alone pay, too.
 *
 * A reversal that is dated before its sale waits for it.
 */
function unbooked(toBook: ToBook, whose: Whose = {}): RawBuilder<unknown> {
  const { periodId, lastDay, payeeKind, startedAt, now, settings } = toBook
  const dayOf = (instant: RawBuilder<unknown>) =>
    sql<Day>`(${instant} at time zone ${sql.lit(NEW_YORK)})::date`
  return sql`
    select
      event.agent_id, event.event_id, ${periodId}::bigint as period_id,
      event.payee_kind,
      case when event.payee_kind = 'office' then event.office_id else event.agent_id end as payee_id,
      event.day, event.avp_week, event.paid_by, event.event_type, event.quantity, event.is_part, event.office_id,
      event.site_id, event.type_id, event.rate_source,
      ${rateOf} as rate_centavos,
      case when event.paid_by = 'rate' then event.payout_centavos else 0 end as payout_centavos,
      event.earning_cents, event.fraud, event.settled_outside, event.about_sale,
      event.inherits, event.backdating_id,
      coalesce(account.username, 'deleted agent ' || event.agent_id) as agent_name,
      coalesce(office.name, 'deleted office ' || event.office_id) as office_name,
      coalesce(site.sitename, 'deleted site ' || event.site_id) as site_name,
      coalesce(type.typename, 'deleted link type ' || event.type_id) as type_name
    from (
      select
        ruled.*,
        coalesce(line.payee_kind, ruled.earlier_kind) is not null as inherits,
        coalesce(
          case when ruled.paid_by = 'tier' then line.payee_kind end, ruled.earlier_kind, line.payee_kind,
          ${payeeKind}::text
        ) as payee_kind
      from (
        select
          weekly.*,
          case
            when weekly.earlier_paid_by is not null then weekly.earlier_paid_by
            when weekly.avp_week is null or weekly.settled_outside then 'rate'
            when ${ruleOfWeek(settings)} = 'instead' then 'tier'
            else 'rate'
          end as paid_by
        from (
          select
            daily.*,
            case
              when daily.event_type = ${typeOf.sale} and daily.avp
              then ${weekOf(sql`coalesce(daily.original_day, daily.day)`)}
            end as avp_week
          from (
            select
              event.agent_id, event.id as event_id, event.event_type, event.quantity, event.office_id,
              event.site_id, event.type_id, event.rate_source, event.payout_centavos,
              event.earning_cents, event.fraud, event.avp, event.part_ppm is not null as is_part,
              event.backdating_id,
              ${dayOf(sql`event.occurred_at`)} as day,
              ${dayOf(sql`original.occurred_at`)} as original_day,
              earlier.payee_kind as earlier_kind, earlier.paid_by as earlier_paid_by, ${aboutSale('event')} as about_sale,
              ${aboutSale('event')} is not null and earlier.event_id is null
                and coalesce(original.recorded_at < ${startedAt}, false) as settled_outside
            from sale_events as event
            left join bookings as booked
              on booked.agent_id = event.agent_id and booked.event_id = event.id
            left join sale_events as original
              on original.agent_id = event.agent_id and original.id = ${aboutSale('event')}
            left join bookings as earlier
              on earlier.agent_id = event.agent_id and earlier.event_id = ${aboutSale('event')}
            where booked.event_id is null and event.event_type in ${bookedTypes}
              and event.recorded_at >= ${startedAt} and event.recorded_at <= ${now}
              and event.occurred_at < ${endOfDayExclusive(lastDay)} and ${isWhose(sql`event`, whose)}
              and not ${waitsForSale(toBook)}
          ) as daily
        ) as weekly
      ) as ruled
      left join ${firstLines(toBook, whose)} as line
        on line.agent_id = ruled.agent_id and line.office_id = ruled.office_id
        and line.week = ruled.avp_week and not ruled.settled_outside
    ) as event
    left join accounts as account on account.agent_id = event.agent_id
    left join offices as office on office.id = event.office_id
    left join sites as site on site.id = event.site_id
    left join link_types as type on type.id = event.type_id
  `
}

/**
 * Whether an event, its sale `original` and that one's booking `earlier` are of a reversal that is dated before its sale,
 * which is not booked yet and lies behind the period's end.
 */
export const waitsForSale = ({ lastDay, startedAt }: Pick<ToBook, 'lastDay' | 'startedAt'>) =>
  sql<boolean>`coalesce(
    earlier.event_id is null and original.recorded_at >= ${startedAt}
      and original.occurred_at >= ${endOfDayExclusive(lastDay)},
    false
  )`

/** Who got the first line of each AVP week. None if it was always offices, or always agents. */
function firstLines({ settings }: ToBook, whose: Whose): RawBuilder<unknown> {
  const isOne = settings.every(({ payees }) => payees === settings[0].payees)
  return sql`(
    select distinct on (payment.agent_id, payment.office_id, payment.week)
      payment.agent_id, payment.office_id, payment.week, statement.payee_kind
    from tier_payments as payment
    join statements as statement on statement.id = payment.statement_id
    where ${isOne ? sql`false` : isWhose(sql`payment`, whose)}
    order by payment.agent_id, payment.office_id, payment.week, payment.id
  )`
}

/** Whether a row with an agent and an office is theirs. */
export function isWhose(
  row: RawBuilder<unknown>,
  { agentIds, officeId }: Whose,
): RawBuilder<boolean> {
  const isAgents = agentIds ? sql`${row}.agent_id = any(${agentIds}::integer[])` : sql`true`
  const isOffices = officeId === undefined ? sql`true` : sql`${row}.office_id = ${officeId}`
  return sql<boolean>`(${isAgents} and ${isOffices})`
}

/**
 * An office's events are paid to itself or to agents. The index of statements' rows begins with them, so that other
 * offices' rows are not read.
 */
export const isPaidFor = (row: RawBuilder<unknown>, { officeId }: Whose): RawBuilder<boolean> =>
  officeId === undefined
    ? sql<boolean>`true`
    : sql<boolean>`(
        ${row}.payee_kind = 'office' and ${row}.payee_id = ${officeId} or ${row}.payee_kind = 'agent'
      )`

/** An event's rate: its payout, positive for a reversal too. A difference (quantity 0) as it is. */
export const rateOf = sql`case when event.quantity = 0 then 1 else event.quantity end * event.payout_centavos`

/** Whether tiers or rates pay for the AVP sales of `avp_week`. */
function ruleOfWeek(settings: readonly [StoredSettings, ...StoredSettings[]]): RawBuilder<AvpRule> {
  const days = settings.map(({ fromDay }) => fromDay).toReversed()
  const cases = days.map(
    (day) => sql`when weekly.avp_week >= ${day}::date then ${settingsOn(settings, day).avp}::text`,
  )
  return sql<AvpRule>`case ${sql.join(cases, sql` `)} else ${settings[0].avp}::text end`
}
