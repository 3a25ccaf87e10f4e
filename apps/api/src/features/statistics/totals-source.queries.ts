import { addDays, addMonths, lastDayOfMonth, monthOf, type Day } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { coarsestLevel, type Dimension, type Level } from '../daily-totals/index.ts'

/** Which rows a question is about, before the viewer's scope narrows it further. */
export type TotalsFilter = {
  siteId?: number | undefined
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
 * the columns, whole months from the month level where days need not be told apart.
 */
export function totalsSource(
  scope: Scope,
  question: TotalsQuestion,
  columns: readonly string[],
): RawBuilder<unknown> {
  const needed = neededDimensions(scope, question)
  const pieces = piecesOf(question.range, question)
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

/** Whether a question can be answered without telling agents or link types apart. */
export const isAnsweredByOffices = (scope: Scope, question: TotalsQuestion): boolean =>
  coarsestLevel(neededDimensions(scope, question), 'day').dimensions.length === 1

function neededDimensions(scope: Scope, { filter, dimensions }: TotalsQuestion): Dimension[] {
  const needed = new Set(dimensions)
  if (filter.siteId !== undefined) needed.add('site_id')
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
  if (filter.typeId !== undefined) all.push(sql`type_id = ${filter.typeId}`)
  if (filter.officeId !== undefined) all.push(sql`office_id = ${filter.officeId}`)
  if (filter.agentIds !== undefined) all.push(sql`agent_id = any(${filter.agentIds}::integer[])`)
  return sql.join(all, sql` and `)
}

type Piece = { unit: Level['unit']; from: Day; to: Day }

/**
 * Cuts a range into whole months and the days at its edges. Both ends inclusive. The month that is under way
 * is whole when the range reaches today.
 */
function piecesOf(
  range: DateRange,
  { byDay, today }: Pick<TotalsQuestion, 'byDay' | 'today'>,
): Piece[] {
  if (byDay) return [{ unit: 'day', from: range.start, to: range.end }]
  const { start } = range
  const end = range.end >= today ? lastDayOfMonth(range.end) : range.end
  const firstMonth = start === monthOf(start) ? start : addMonths(start, 1)
  const lastMonth = end === lastDayOfMonth(end) ? monthOf(end) : addMonths(end, -1)
  if (firstMonth > lastMonth) return [{ unit: 'day', from: start, to: end }]
  const pieces: Piece[] = [{ unit: 'month', from: firstMonth, to: lastMonth }]
  if (start < firstMonth) pieces.unshift({ unit: 'day', from: start, to: addDays(firstMonth, -1) })
  const afterMonths = addMonths(lastMonth, 1)
  if (afterMonths <= end) pieces.push({ unit: 'day', from: afterMonths, to: end })
  return pieces
}
