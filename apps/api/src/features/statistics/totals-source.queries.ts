import { addDays, lastDayOfMonth, type Day } from '@tallyroom/domain/new-york'
import { type DateRange, periodOf } from '@tallyroom/domain/periods'
import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { coarsestLevel, type Dimension, findLevel, type Unit } from '../daily-totals/index.ts'

/** Which rows a question is about, before the viewer's scope narrows it further. */
export type TotalsFilter = {
  siteId?: number | undefined
  /** Any of these sites. */
  siteIds?: readonly number[] | undefined
  typeId?: number | undefined
  officeId?: number | undefined
  agentIds?: readonly number[] | undefined
}

export type TotalsQuestion = {
  range: DateRange
  filter: TotalsFilter
  /** Columns that the answer is grouped by or shows. */
  dimensions: readonly Dimension[]
  /** Whether the answer tells days apart. */
  byDay: boolean
  /** There are no rows after it. */
  today: Day
}

/**
 * The rows of totals that answer a question, as a table expression: from the coarsest level that has
 * the columns, and from whole months, half-months and weeks where days need not be told apart.
 */
export function totalsSource(
  scope: Scope,
  question: TotalsQuestion,
  columns: readonly string[],
): RawBuilder<unknown> {
  const needed = neededDimensions(scope, question)
  const { range, today, byDay } = question
  const usable = byDay ? (['day'] as const) : unitsFor(needed)
  // The month that is under way is whole when the range reaches today.
  const end = range.end >= today ? lastDayOfMonth(range.end) : range.end
  const pieces = piecesOf(byDay ? range : { start: range.start, end }, usable)
  const selects = pieces.map(({ unit, from, to }) => {
    const level = coarsestLevel(needed, unit)
    return sql`
      select ${sql.join(columns.map((column) => sql.ref(column)))}
      from ${sql.table(level.table)}
      where day between ${from}::date and ${to}::date and ${conditions(scope, question.filter)}
    `
  })
  return sql`(${sql.join(selects, sql` union all `)})`
}

/** The units with a level as coarse as that of days: a week of agents has more rows than seven days of offices. */
function unitsFor(needed: readonly Dimension[]): Unit[] {
  const { dimensions } = coarsestLevel(needed, 'day')
  return units.filter((unit) => findLevel(needed, unit)?.dimensions.length === dimensions.length)
}

/** Whether a question can be answered without telling agents or link types apart. */
export const isAnsweredByOffices = (scope: Scope, question: TotalsQuestion): boolean =>
  coarsestLevel(neededDimensions(scope, question), 'day').dimensions.length === 1

function neededDimensions(scope: Scope, { filter, dimensions }: TotalsQuestion): Dimension[] {
  const needed = new Set(dimensions)
  if (filter.siteId !== undefined || filter.siteIds !== undefined) needed.add('site_id')
  if (filter.typeId !== undefined) needed.add('type_id')
  if (filter.officeId !== undefined || scope.sees === 'office') needed.add('office_id')
  if (filter.agentIds !== undefined || scope.sees === 'agent') needed.add('agent_id')
  return [...needed]
}

/** The viewer's scope and the filter together: a foreign office or agent simply has no rows. */
function conditions(scope: Scope, filter: TotalsFilter): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (scope.sees === 'office') all.push(sql`office_id = ${scope.officeId}`)
  if (scope.sees === 'agent') all.push(sql`agent_id = ${scope.agentId}`)
  if (filter.siteId !== undefined) all.push(sql`site_id = ${filter.siteId}`)
  if (filter.siteIds !== undefined) all.push(sql`site_id = any(${filter.siteIds}::integer[])`)
  if (filter.typeId !== undefined) all.push(sql`type_id = ${filter.typeId}`)
  if (filter.officeId !== undefined) all.push(sql`office_id = ${filter.officeId}`)
  if (filter.agentIds !== undefined) all.push(sql`agent_id = any(${filter.agentIds}::integer[])`)
  return sql.join(all, sql` and `)
}

type Piece = { unit: Unit; from: Day; to: Day }

/** From the fewest rows to the most. */
const units = ['month', 'beWeek', 'week', 'day'] as const satisfies Unit[]

/** Cuts a range into whole units, the coarsest in its middle and finer ones at its edges. Both ends inclusive. */
function piecesOf({ start, end }: DateRange, [unit, ...finer]: readonly Unit[]): Piece[] {
  if (start > end || unit === undefined) return []
  const first = periodOf(start, unit)
  const from = first.start === start ? start : addDays(first.end, 1)
  const last = periodOf(end, unit)
  const to = last.end === end ? end : addDays(last.start, -1)
  if (from > to) return piecesOf({ start, end }, finer)
  return [
    ...piecesOf({ start, end: addDays(from, -1) }, finer),
    { unit, from, to },
    ...piecesOf({ start: addDays(to, 1), end }, finer),
  ]
}
