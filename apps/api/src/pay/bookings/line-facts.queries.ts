import type { SaleNaming } from '@tallyroom/domain/event-types'
import { type Day, endOfDayExclusive, startOfDay } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import { approveSaleThen, findFormerApproveSale, flagAt } from '../../catalogue/index.ts'
import type { DbOrTx } from '../../db/database.ts'
import { aboutSale } from '../../db/event-types.ts'
import type { Booking } from './book-events.queries.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'

/** Differences in one line, from one backdating, of sales of one day. */
export type LineDifferences = Pick<
  Booking,
  | 'agentId'
  | 'officeId'
  | 'siteId'
  | 'typeId'
  | 'rateSource'
  | 'rateCentavos'
  | 'paidBy'
  | 'avpWeek'
  | 'settledOutside'
  | 'fraud'
  | 'day'
> & {
  /** Null if the event was deleted with its agent. */
  backdatingId: number | null
  differences: number
}

/** The differences on a closed statement. */
export async function findDifferencesOf(
  db: DbOrTx,
  { kind, id, periodId }: PayeeKey & { periodId: number },
): Promise<LineDifferences[]> {
  const line = sql`
    booking.agent_id, booking.office_id, booking.site_id, booking.type_id, booking.rate_source, booking.rate_centavos,
    booking.paid_by, booking.avp_week, booking.settled_outside, booking.fraud, booking.day, event.backdating_id`
  const { rows } = await sql<LineDifferences>`
    select
      booking.agent_id as "agentId", booking.office_id as "officeId", booking.site_id as "siteId",
      booking.type_id as "typeId", booking.rate_source as "rateSource", booking.rate_centavos as "rateCentavos",
      booking.paid_by as "paidBy", booking.avp_week as "avpWeek", booking.settled_outside as "settledOutside",
      booking.fraud, booking.day, event.backdating_id as "backdatingId", count(*) as differences
    from bookings as booking
    left join sale_events as event
      on event.agent_id = booking.agent_id and event.id = booking.event_id
    where booking.period_id = ${periodId} and booking.payee_kind = ${kind} and booking.payee_id = ${id}
      and booking.quantity = 0 and not booking.is_part
    group by ${line}
    order by ${line}
  `.execute(db)
  return rows
}

/** Why rates were backdated, and whether payees read that. */
export async function findBackdatingReasons(
  db: DbOrTx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, { reason: string; payeesRead: boolean }>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('rate_backdatings')
    .select(['id', 'reason', 'payees_read as payeesRead'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}

/** How events are named that a period has booked: as their sites named them when the sales were made. */
export async function findNamingOfBookings(
  db: DbOrTx,
  periodId: number,
): Promise<(booking: Pick<Booking, 'eventId' | 'siteId' | 'day'>) => SaleNaming> {
  const former = await findFormerApproveSale(db)
  const sites = await db.selectFrom('sites').select(['id', 'use_approve_sale']).execute()
  const present = new Map(sites.map((site) => [site.id, site.use_approve_sale]))
  const named = [...new Set([...present.keys(), ...former.keys()])].filter(
    (id) => present.get(id) || former.get(id)?.some(({ value }) => value),
  )
  const soldAt = await findSoldAt(db, periodId, named)
  return ({ eventId, siteId, day }) => ({
    useApproveSale: flagAt(
      present.get(siteId) ?? false,
      former.get(siteId) ?? [],
      soldAt.get(eventId) ?? startOfDay(day),
    ),
  })
}

/** When the sales were made that booked events of sites are about, by event. Those of deleted agents are missing. */
async function findSoldAt(
  db: DbOrTx,
  periodId: number,
  siteIds: readonly number[],
): Promise<ReadonlyMap<string, Date>> {
  if (siteIds.length === 0) return new Map()
  const { rows } = await sql<{ eventId: string; soldAt: Date }>`
    select
      booking.event_id as "eventId", coalesce(original.occurred_at, event.occurred_at) as "soldAt"
    from bookings as booking
    join sale_events as event
      on event.agent_id = booking.agent_id and event.id = booking.event_id
    left join sale_events as original
      on original.agent_id = booking.agent_id and original.id = ${aboutSale('event')}
    where booking.period_id = ${periodId} and booking.site_id = any(${siteIds}::bigint[])
  `.execute(db)
  return new Map(rows.map(({ eventId, soldAt }) => [eventId, soldAt]))
}

/** Whether sites used approve-sale at the end of a New York day; now, if it has not ended. */
export async function findApproveSale(
  db: DbOrTx,
  siteIds: readonly number[],
): Promise<(siteId: number, day: Day) => boolean> {
  if (siteIds.length === 0) return () => false
  const sites = await db
    .selectFrom('sites')
    .select(['id', 'use_approve_sale'])
    .where('id', 'in', [...siteIds])
    .execute()
  const present = new Map(sites.map((site) => [site.id, site.use_approve_sale]))
  const usedApproveSale = await approveSaleThen(db)
  return (siteId, day) =>
    usedApproveSale(
      siteId,
      present.get(siteId) ?? null,
      new Date(endOfDayExclusive(day).getTime() - 1),
    )
}
