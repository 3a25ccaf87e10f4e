import { type Day, endOfDayExclusive, NEW_YORK } from '@tallyroom/domain/new-york'
import { type AvpRule, type PayeeKind, settingsOn } from '@tallyroom/domain/pay'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { columns } from '../../db/list-query.ts'
import { weekOf } from '../../totals/index.ts'
import type { StoredSettings } from './settings.queries.ts'

/** What one event was paid. */
export type Booking = {
  agentId: number
  eventId: string
  payeeKind: PayeeKind
  payeeId: number
  day: Day
  avpWeek: Day | null
  paidBy: 'rate' | 'tier'
  eventType: number
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
}

/** An event that is not booked yet, and what would be booked for it. */
export type Unbooked = Booking & {
  /** The sale that it is about; null for a sale. */
  aboutSale: string | null
  /** It follows the booking of that sale: the same payee, paid by the same rule. */
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
    select ${bookingColumns}, about_sale as "aboutSale", inherits
    from (${unbooked(toBook, whose)}) as unbooked
  `.execute(db)
  return rows
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
 * a difference in what it pays, or that it counts again.
 */
function unbooked(toBook: ToBook, whose: Whose = {}): RawBuilder<unknown> {
  const { periodId, lastDay, payeeKind, startedAt, now, settings } = toBook
  const payeeId = payeeKind === 'office' ? sql`event.office_id` : sql`event.agent_id`
  const dayOf = (instant: RawBuilder<unknown>) =>
    sql<Day>`(${instant} at time zone ${sql.lit(NEW_YORK)})::date`
  return sql`
    select
      event.agent_id, event.event_id, ${periodId}::bigint as period_id,
      coalesce(event.earlier_kind, ${payeeKind}::text) as payee_kind,
      coalesce(event.earlier_id, ${payeeId}) as payee_id,
      event.day, event.avp_week, event.paid_by, event.event_type, event.quantity, event.is_part, event.office_id,
      event.site_id, event.type_id, event.rate_source,
      ${rateOf} as rate_centavos,
      case when event.paid_by = 'rate' then event.payout_centavos else 0 end as payout_centavos,
      event.earning_cents, event.fraud, event.settled_outside, event.about_sale,
      event.earlier_kind is not null as inherits,
      coalesce(account.username, 'deleted agent ' || event.agent_id) as agent_name,
      coalesce(office.name, 'deleted office ' || event.office_id) as office_name,
      coalesce(site.sitename, 'deleted site ' || event.site_id) as site_name,
      coalesce(type.typename, 'deleted link type ' || event.type_id) as type_name
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
            when daily.event_type = 0 and daily.avp
            then ${weekOf(sql`coalesce(daily.original_day, daily.day)`)}
          end as avp_week
        from (
          select
            event.agent_id, event.id as event_id, event.event_type, event.quantity, event.office_id,
            event.site_id, event.type_id, event.rate_source, event.payout_centavos,
            event.earning_cents, event.fraud, event.avp, event.part_ppm is not null as is_part,
            ${dayOf(sql`event.occurred_at`)} as day,
            ${dayOf(sql`original.occurred_at`)} as original_day,
            earlier.payee_kind as earlier_kind, earlier.payee_id as earlier_id,
            earlier.paid_by as earlier_paid_by, ${aboutSale} as about_sale,
            ${aboutSale} is not null and earlier.event_id is null
              and coalesce(original.recorded_at < ${startedAt}, false) as settled_outside
          from sale_events as event
          left join bookings as booked
            on booked.agent_id = event.agent_id and booked.event_id = event.id
          left join sale_events as original
            on original.agent_id = event.agent_id and original.id = ${aboutSale}
          left join bookings as earlier
            on earlier.agent_id = event.agent_id and earlier.event_id = ${aboutSale}
          where booked.event_id is null and event.event_type in (0, 1)
            and event.recorded_at >= ${startedAt} and event.recorded_at <= ${now}
            and event.occurred_at < ${endOfDayExclusive(lastDay)} and ${isWhose(sql`event`, whose)}
        ) as daily
      ) as weekly
    ) as event
    left join accounts as account on account.agent_id = event.agent_id
    left join offices as office on office.id = event.office_id
    left join sites as site on site.id = event.site_id
    left join link_types as type on type.id = event.type_id
  `
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

/** The sale that an event is about; null for a sale. */
const aboutSale = sql`coalesce(event.of_sale, event.reverses, event.adjusts)`

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
