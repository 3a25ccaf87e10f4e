import type { Day } from '@tallyroom/domain/new-york'
import { equalDays } from '@tallyroom/domain/compared-range'
import { type DateRange } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import { totalsSource } from '../../totals/index.ts'

export type OfficeSalesRow = {
  id: number
  name: string
  sales1: number
  sales2: number
  /** Sales in as many days of period 2 as have begun of period 1. */
  sales2ToDate: number
}

/**
 * The sales of the offices in scope in two periods, ordered by name: all active offices, and suspended ones that sold
 * in either period. Hidden offices are left out, but an office always sees itself.
 */
export async function findOfficeSales(
  tx: Tx,
  scope: Scope,
  { period1, period2, today }: { period1: DateRange; period2: DateRange; today: Day },
): Promise<OfficeSalesRow[]> {
  const sumsOf = (range: DateRange) => sql`
    select office_id, sum(sales)::bigint as sales
    from ${officeTotals(scope, { range, byDay: false, today })} as totals
    group by office_id
  `
  const toDate = equalDays(period2, period1, today)
  const { rows } = await sql<OfficeSalesRow>`
    with
      first as (${sumsOf(period1)}),
      second as (${sumsOf(period2)}),
      to_date as (${sumsOf(toDate)})
    select
      office.id, office.name,
      coalesce(first.sales, 0) as sales1, coalesce(second.sales, 0) as sales2,
      coalesce(to_date.sales, 0) as "sales2ToDate"
    from offices as office
    left join first on first.office_id = office.id
    left join second on second.office_id = office.id
    left join to_date on to_date.office_id = office.id
    where ${isCompared(scope)}
      and (office.active or first.sales <> 0 or second.sales <> 0 or ${scope.sees !== 'everything'})
    order by lower(office.name) collate "C", office.id
  `.execute(tx)
  return rows
}

export type OfficeCourse = {
  id: number
  name: string
  /** Days or first days of months with sales, and the sales of each. */
  points: Day[]
  sales: number[]
}

/** Sales by day or month of the offices in scope that have any sale or reversal, ordered by office name. */
export async function findOfficeCourses(
  tx: Tx,
  scope: Scope,
  { range, groupBy, today }: { range: DateRange; groupBy: 'day' | 'month'; today: Day },
): Promise<OfficeCourse[]> {
  const unit = groupBy === 'day' ? sql`day` : sql`date_trunc('month', day)::date`
  const { rows } = await sql<OfficeCourse>`
    with courses as (
      select office_id, array_agg(point) as points, array_agg(sales) as sales
      from (
        select office_id, ${unit} as point, sum(sales)::bigint as sales
        from ${officeTotals(scope, { range, byDay: groupBy === 'day', today })} as totals
        group by 1, 2
        having sum(sales) <> 0
      ) as units
      group by office_id
    )
    select office.id, office.name, courses.points, courses.sales
    from courses
    join offices as office on office.id = courses.office_id
    where ${isCompared(scope)}
    order by lower(office.name) collate "C", office.id
  `.execute(tx)
  return rows
}

const officeTotals = (
  scope: Scope,
  { byDay, ...question }: { range: DateRange; byDay: boolean; today: Day },
) =>
  totalsSource(scope, { ...question, byDay, filter: {}, dimensions: ['office_id'] }, [
    'office_id',
    'day',
    'sales',
  ])

/** Whether the viewer sees the row of `offices as office`. */
const isCompared = (scope: Scope): RawBuilder<boolean> =>
  scope.sees === 'everything'
    ? sql<boolean>`not office.hidden`
    : sql<boolean>`office.id = ${scope.officeId}`
