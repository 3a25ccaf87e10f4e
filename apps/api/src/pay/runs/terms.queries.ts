import { type Day, NEW_YORK } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { type AsOf, placeOf, type SealedTable } from '../../seals/index.ts'
import { joinStatementsPaid, linesSince, type NextPayment } from './news.queries.ts'

/** A statement that a line pays, with the days whose terms no earlier statement of its payee had. */
export type PaidStatement = {
  lineId: number
  kind: string
  payeeId: number
  name: string
  periodId: number
  /** The last day of the payee's statement before; null without one. */
  after: Day | null
  /** The last day of the period before of which anybody has a statement; null without one. */
  afterAny: Day | null
  until: Day
}

/** Without those that a transfer to another account of the payee has paid: their terms were looked at then. */
export async function findPaidStatements(
  db: DbOrTx,
  of: number | NextPayment,
  asOf: AsOf,
): Promise<PaidStatement[]> {
  const { rows } = await sql<PaidStatement>`
    with line as (${linesSince(of, asOf, 'any')})
    select
      line.id as "lineId", line.payee_kind as kind, line.payee_id as "payeeId",
      line.payee_name as name, statement.period_id as "periodId", period.end_day as until,
      (
        select max(earlier_period.end_day)
        from statements as earlier
        join pay_periods as earlier_period on earlier_period.id = earlier.period_id
        where earlier.payee_kind = line.payee_kind and earlier.payee_id = line.payee_id
          and earlier.currency = line.currency and earlier_period.end_day < period.end_day
      ) as after,
      (
        select max(earlier.end_day)
        from pay_periods as earlier
        where earlier.end_day < period.end_day
          and exists (select from statements as any_of where any_of.period_id = earlier.id)
      ) as "afterAny"
    from line
    ${joinStatementsPaid}
    join statements as statement on statement.id = entry.statement_id
    join pay_periods as period on period.id = statement.period_id
  `.execute(db)
  return rows
}

/** A change of the terms by which sales are paid. */
export type TermChange = {
  deed: 'set rates' | 'changed site' | 'changed bonus'
  by: number
  byName: string
  at: Date
  /** The first New York day whose sales may be paid by it. */
  from: Day
  siteId: number
  /** Null: all of the site. */
  typeId: number | null
  /** Null: of all offices. */
  officeId: number | null
  /** The site or link type. */
  of: string
  /** The row of `former_site_flags` that has what was before; null for other deeds. */
  formerId: number | null
}

/**
 * The changes of rates, sites and bonuses that take effect on these days, oldest first.
 *
 * @param since the place in the chain of seals where hands in them begin; what is older bars nobody
 */
export async function findTermChanges(
  db: DbOrTx,
  { after, until }: { after: Day | null; until: Day },
  { since, before }: { since: number } & AsOf,
): Promise<TermChange[]> {
  const stood = (table: SealedTable, key: RawBuilder<unknown>) => sql`
    ${placeOf(table, key)} > ${since}
    ${before === undefined ? sql`` : sql`and ${placeOf(table, key)} < ${before}`}
  `
  const day = (instant: RawBuilder<unknown>) =>
    sql<Day>`(${instant} at time zone ${sql.lit(NEW_YORK)})::date`
  const counts = (instant: RawBuilder<unknown>) =>
    sql`${day(instant)} > coalesce(${after}::date, '-infinity') and ${day(instant)} <= ${until}::date`
  const effect = sql`coalesce(rate.valid_from, rate.added_at)`
  const { rows } = await sql<TermChange>`
    select
      'set rates' as deed, rate.added_by as by, rate.added_by_name as "byName", rate.added_at as at,
      ${day(effect)} as from, type.site_id as "siteId", rate.type_id as "typeId",
      rate.office_id as "officeId", type.typename as of, null::bigint as "formerId"
    from rates as rate
    join link_types as type on type.id = rate.type_id
    -- Backdated ones have differences, which bar by themselves.
    where rate.added_by is not null and rate.backdating_id is null and ${counts(effect)}
      and ${stood('rates', sql`rate.id::text`)}
    union all
    select
      'set rates', withdrawal.withdrawn_by, withdrawal.withdrawn_by_name, withdrawal.withdrawn_at,
      ${day(sql`rate.valid_from`)}, type.site_id, rate.type_id, rate.office_id, type.typename, null
    from rate_withdrawals as withdrawal
    join rates as rate on rate.id = withdrawal.rate_id
    join link_types as type on type.id = rate.type_id
    where rate.backdating_id is null and ${counts(sql`rate.valid_from`)}
      and ${stood('rate_withdrawals', sql`withdrawal.rate_id::text`)}
    union all
    select
      'changed site', former.changed_by, former.changed_by_name, former.until, ${day(sql`former.until`)},
      site.id, null, null, site.sitename, former.id
    from former_site_flags as former
    join sites as site on site.id = former.site_id
    where ${counts(sql`former.until`)} and ${stood('former_site_flags', sql`former.id::text`)}
    union all
    select
      'changed bonus', former.changed_by, former.changed_by_name, former.until, ${day(sql`former.until`)},
      type.site_id, type.id, null, type.typename, null
    from former_link_type_flags as former
    join link_types as type on type.id = former.type_id
    where ${counts(sql`former.until`)} and ${stood('former_link_type_flags', sql`former.id::text`)}
    order by 4, 2
  `.execute(db)
  return rows
}

/** What was sold of the changed sites and booked for these payees in these periods. */
export async function findBookedSales(
  db: DbOrTx,
  {
    periodIds,
    payeeIds,
    siteIds,
  }: { periodIds: readonly number[]; payeeIds: readonly number[]; siteIds: readonly number[] },
) {
  const { rows } = await sql<{
    kind: string
    payeeId: number
    periodId: number
    siteId: number
    typeId: number
    officeId: number
  }>`
    select distinct
      booking.payee_kind as kind, booking.payee_id as "payeeId", booking.period_id as "periodId",
      booking.site_id as "siteId", booking.type_id as "typeId", booking.office_id as "officeId"
    from bookings as booking
    where booking.period_id = any(${[...periodIds]}::bigint[])
      and booking.payee_id = any(${[...payeeIds]}::bigint[])
      and booking.site_id = any(${[...siteIds]}::bigint[])
  `.execute(db)
  return rows
}
