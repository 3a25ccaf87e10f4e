import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { countsAsOf } from '../ledger/adjustments.queries.ts'

/** The sum of a period's bookings: overall, or for one site or office. */
export type BookedSum = {
  periodId: number
  id: number | null
  name: string
  events: number
  earningCents: number
  centavos: number
}

/** Bookings of closed periods, by period and site or office. */
export async function sumBookings(
  db: DbOrTx,
  by: 'period' | 'site' | 'office',
  periodId: number | undefined,
): Promise<BookedSum[]> {
  const key = {
    period: sql`null::integer`,
    site: sql`site_id`,
    office: sql`office_id`,
  }[by]
  const name = { period: sql`''`, site: sql`max(site_name)`, office: sql`max(office_name)` }[by]
  const { rows } = await sql<BookedSum>`
    select
      period_id as "periodId", ${key} as id, ${name} as name, count(*) as events,
      sum(earning_cents)::bigint as "earningCents", sum(payout_centavos)::bigint as centavos
    from bookings
    where ${periodId === undefined ? sql`true` : sql`period_id = ${periodId}`}
    group by period_id ${by === 'period' ? sql`` : sql`, ${key}`}
  `.execute(db)
  return rows
}

type OtherSum = {
  periodId: number
  officeId: number | null
  name: string
  tierCentavos: number
  tierCents: number
  centavos: number
  cents: number
}

/**
 * Tier payments and adjustments that count as earned, by period and office, each in the currency in which it was paid. Adjustments for agents have
 * no office.
 */
export async function sumOthers(db: DbOrTx, periodId: number | undefined): Promise<OtherSum[]> {
  const { rows } = await sql<OtherSum>`
    select
      statement.period_id as "periodId", other.office_id as "officeId", max(other.name) as name,
      sum(other.tier_centavos)::bigint as "tierCentavos", sum(other.tier_cents)::bigint as "tierCents",
      sum(other.centavos)::bigint as centavos, sum(other.cents)::bigint as cents
    from (
      select
        statement_id, office_id, office_name as name,
        case currency when 'PHP' then centavos else 0 end as tier_centavos,
        case currency when 'USD' then cents else 0 end as tier_cents, 0 as centavos, 0 as cents
      from tier_payments
      union all
      select
        booked.statement_id, case adjustment.payee_kind when 'office' then adjustment.payee_id end,
        case adjustment.payee_kind when 'office' then of_payee.payee_name else 'Agents' end, 0, 0,
        case adjustment.currency when 'PHP' then adjustment.amount else 0 end,
        case adjustment.currency when 'USD' then adjustment.amount else 0 end
      from booked_adjustments as booked
      join adjustments as adjustment on adjustment.id = booked.adjustment_id
      join statements as of_payee on of_payee.id = booked.statement_id
      where ${countsAsOf('adjustment')} = 'earned'
    ) as other
    join statements as statement on statement.id = other.statement_id
    where ${periodId === undefined ? sql`true` : sql`statement.period_id = ${periodId}`}
    group by statement.period_id, other.office_id
  `.execute(db)
  return rows
}
