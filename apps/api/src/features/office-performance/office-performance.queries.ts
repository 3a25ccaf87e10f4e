import type { Day } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import { totalsSource } from '../../totals/index.ts'

export type OfficeSalesRow = { id: number; name: string; sales1: number; sales2: number }

/**
 * The sales of the offices in scope in two periods, by name: of all that work, and of the suspended ones
 * that sold something in either. Hidden offices are left out; an office sees itself in any case.
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
  const { rows } = await sql<OfficeSalesRow>`
    with
      first as (${sumsOf(period1)}),
      second as (${sumsOf(period2)})
    select
      office.id, office.name,
      coalesce(first.sales, 0) as sales1, coalesce(second.sales, 0) as sales2
    from offices as office
    left join first on first.office_id = office.id
    left join second on second.office_id = office.id
    where ${isCompared(scope)}
      and (office.active or first.sales <> 0 or second.sales <> 0 or ${scope.sees !== 'everything'})
    order by lower(office.name) collate "C", office.id
  `.execute(tx)
  return rows
}

export type OfficeCourse = {
  id: number
  name: string
  /** Days, or the first days of months, and what was sold on each; those without sales are missing. */
  points: Day[]
  sales: number[]
}

/** The sales of the offices in scope by day or month, of all that have a sale or a reversal; by the offices' names. */
export async function findOfficeCourses(
  tx: Tx,
  scope: Scope,
  { range, groupBy, today }: { range: DateRange; groupBy: 'day' | 'month'; today: Day },
): Promise<OfficeCourse[]> {
  // A level has one row an office and day, or month: nothing is to be added up, as the range is whole.
  const { rows } = await sql<OfficeCourse>`
    with courses as (
      select office_id, array_agg(day) as points, array_agg(sales::bigint) as sales
      from ${officeTotals(scope, { range, byDay: groupBy === 'day', today })} as totals
      where sales <> 0
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

/** Whether `offices as office` is one that is compared with others. */
const isCompared = (scope: Scope): RawBuilder<boolean> =>
  scope.sees === 'everything'
    ? sql<boolean>`not office.hidden`
    : sql<boolean>`office.id = ${scope.officeId}`
