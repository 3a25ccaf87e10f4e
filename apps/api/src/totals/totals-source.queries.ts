import { addDays, type Day, lastDayOfMonth } from '@tallyroom/domain/new-york'
import { type DateRange, isWeeks, periodOf } from '@tallyroom/domain/periods'
import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '../access/scope.ts'
import { columns } from '../db/columns.ts'
import { coarsestLevel, type Dimension, findLevel, type Unit, weekAvpLevel } from './levels.ts'
import { isOfTier, tieredDays, tieredWeeks } from './avp-tiers.queries.ts'
import { conditions, type TotalsFilter } from './totals-filter.queries.ts'

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
  names: readonly string[],
): RawBuilder<unknown> {
  const needed = neededDimensions(scope, question)
  const { range, today, byDay, filter } = question
  const shown = columns(names)
  if (filter.tier) {
    const weeks = byDay || !isWeeks(range) ? undefined : weekAvpLevel(needed)
    const { steps } = filter.tier
    const rows = weeks
      ? tieredWeeks(weeks, range, steps)
      : tieredDays(coarsestLevel([...needed, 'agent_id'], 'day'), range, scope, filter, steps)
    return sql`(
      select ${shown} from ${rows} as totals
      where ${conditions(scope, filter)} and ${isOfTier(filter.tier)}
    )`
  }
  const usable = byDay ? (['day'] as const) : unitsFor(needed)
  // The month that is under way is whole when the range reaches today.
  const end = range.end >= today ? lastDayOfMonth(range.end) : range.end
  const pieces = piecesOf(byDay ? range : { start: range.start, end }, usable)
  const selects = pieces.map(({ unit, from, to }) => {
    const level = coarsestLevel(needed, unit)
    return sql`
      select ${shown}
      from ${sql.table(level.table)}
      where day between ${from}::date and ${to}::date and ${conditions(scope, filter)}
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
  question.filter.tier === undefined &&
  coarsestLevel(neededDimensions(scope, question), 'day').dimensions.length === 1

function neededDimensions(scope: Scope, { filter, dimensions }: TotalsQuestion): Dimension[] {
  const needed = new Set(dimensions)
  if (filter.siteId !== undefined || filter.siteIds !== undefined) needed.add('site_id')
  if (filter.typeId !== undefined) needed.add('type_id')
  if (filter.officeId !== undefined || scope.sees === 'office') needed.add('office_id')
  if (filter.agentIds !== undefined || scope.sees === 'agent') needed.add('agent_id')
  return [...needed]
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
