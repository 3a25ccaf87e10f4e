import { type Day, lastDayOfMonth } from '@tallyroom/domain/new-york'
import { type DateRange, isWeeks, weeksOf } from '@tallyroom/domain/periods'
import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '../access/scope.ts'
import { columns } from '../db/list-query.ts'
import { isOnDays } from './counted-events.queries.ts'
import { onlyClicks, weekOf } from './fold-totals.queries.ts'
import {
  clickMetrics,
  coarsestLevel,
  type Dimension,
  hasOpenDay,
  type Level,
  metrics,
  piecesOf,
  unitsFor,
  weekAvpLevel,
} from './levels.ts'
import {
  type AvpStep,
  isOfTier,
  isWeekOfTier,
  stepPlace,
  type TierFilter,
} from './tiers.queries.ts'

/** What to read from the totals. */
export type TotalsQuestion = {
  range: DateRange
  filter: TotalsFilter
  /** Columns that the answer groups by or shows. */
  dimensions: readonly Dimension[]
  /** Whether the answer distinguishes days. */
  byDay: boolean
  /** No row is later than today. */
  today: Day
}

/** Narrows a question. The viewer's scope narrows it further. */
export type TotalsFilter = {
  siteId?: number | undefined
  /** Any of these sites. */
  siteIds?: readonly number[] | undefined
  typeId?: number | undefined
  /** Any of these link types. */
  typeIds?: readonly number[] | undefined
  officeId?: number | undefined
  /** Any of these offices. */
  officeIds?: readonly number[] | undefined
  agentIds?: readonly number[] | undefined
  tier?: TierFilter | undefined
}

/**
 * A table expression with the rows that answer a question. It reads the coarsest level that has the
 * columns. If days need not be distinguished, it covers whole months, half-months and weeks with
 * one row each, and the open day, or its clicks, with another.
 */
export function totalsSource(
  scope: Scope,
  question: TotalsQuestion,
  names: readonly string[],
): RawBuilder<unknown> {
  const { range, today, byDay, filter } = question
  const shown = columns(names)
  if (filter.tier) {
    return sql`(select ${shown} from ${tieredSource(scope, question, filter.tier.steps)} as totals)`
  }
  const needed = neededDimensions(scope, question)
  const usable = byDay ? (['day'] as const) : unitsFor(needed)
  // The current month counts as whole if the range reaches today.
  const end = range.end >= today ? lastDayOfMonth(range.end) : range.end
  const pieces = piecesOf(byDay ? range : { start: range.start, end }, usable)
  const selects = pieces.map(({ unit, from, to }) => {
    const level = coarsestLevel(needed, unit)
    return sql`
      select ${shown}
      from ${sql.table(level.table)}
      where ${isOnDays({ start: from, end: to })} and ${conditions(scope, filter)}
    `
  })
  const coarse = pieces.filter(({ unit }) => !hasOpenDay(unit))
  const [first, last] = [coarse[0], coarse.at(-1)]
  if (first && last) {
    selects.push(sql`
      select ${shown}
      from ${sql.table(coarsestLevel(needed, 'day').table)}
      where ${isOpenDay} and ${isOnDays({ start: first.from, end: last.to })}
        and ${conditions(scope, filter)}
    `)
  }
  const weeks = pieces.filter(({ unit }) => unit === 'week')
  if (weeks.length > 0) {
    selects.push(sql`
      select ${onlyClicks(names)}
      from ${sql.table(coarsestLevel(needed, 'day').table)}
      where ${isOpenDay} and ${conditions(scope, filter)}
        and (${sql.join(
          weeks.map(({ from, to }) => isOnDays({ start: from, end: to })),
          sql` or `,
        )})
    `)
  }
  return sql`(${sql.join(selects, sql` union all `)})`
}

/** Of a row of days. Months and half-months lack this day. */
const isOpenDay = sql`day = (select day from totals_open_day)`

/**
 * Whether office totals suffice for a question, so that neither agents nor link types have to be
 * read.
 */
export const isAnsweredByOffices = (scope: Scope, question: TotalsQuestion): boolean =>
  question.filter.tier === undefined &&
  coarsestLevel(neededDimensions(scope, question), 'day').dimensions.length === 1

/**
 * The viewer's scope and the filter as one condition: another office's agents simply have no rows. The tier is not
 * part of it, because no level stores tiers.
 */
export function conditions(scope: Scope, filter: TotalsFilter): RawBuilder<unknown> {
  const all = [agentConditions(scope, filter)]
  if (scope.sees === 'office') all.push(sql`office_id = ${scope.officeId}`)
  if (filter.siteId !== undefined) all.push(sql`site_id = ${filter.siteId}`)
  if (filter.siteIds !== undefined) all.push(sql`site_id = any(${filter.siteIds}::integer[])`)
  if (filter.typeId !== undefined) all.push(sql`type_id = ${filter.typeId}`)
  if (filter.typeIds !== undefined) all.push(sql`type_id = any(${filter.typeIds}::integer[])`)
  if (filter.officeId !== undefined) all.push(sql`office_id = ${filter.officeId}`)
  if (filter.officeIds !== undefined) all.push(sql`office_id = any(${filter.officeIds}::integer[])`)
  return sql.join(all, sql` and `)
}

function agentConditions(scope: Scope, { agentIds }: TotalsFilter): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (scope.sees === 'agent') all.push(sql`agent_id = ${scope.agentId}`)
  if (agentIds !== undefined) all.push(sql`agent_id = any(${agentIds}::integer[])`)
  return sql.join(all, sql` and `)
}

/**
 * The rows that answer a question, each with the `place` of the tier that its agent reached in that
 * week. Read from weeks if the range consists of whole ones, otherwise from days.
 */
export function tieredSource(
  scope: Scope,
  question: Omit<TotalsQuestion, 'today'>,
  steps: readonly AvpStep[],
): RawBuilder<unknown> {
  const { range, byDay, filter } = question
  const needed = neededDimensions(scope, question)
  const weeks = byDay || !isWeeks(range) ? undefined : weekAvpLevel(needed)
  const rows = weeks
    ? sql`(
        select ${columns(weekColumns(weeks))}, ${stepPlace(steps, sql`day`, sql`week_avp_sales`)} as place
        from ${sql.table(weeks.table)}
        where ${isOnDays(range)} and ${isWeekOfTier(filter.tier)}
        union all
        ${openDayInWeek(weeks, range, filter, steps)}
      )`
    : tieredDays(coarsestLevel([...needed, 'agent_id'], 'day'), range, scope, filter, steps)
  return sql`(
    select * from ${rows} as totals
    where ${conditions(scope, filter)} ${weeks ? sql`` : sql`and ${isOfTier(filter.tier)}`}
  )`
}

const weekColumns = ({ dimensions }: Level) => [
  ...new Set(['day', ...dimensions, 'week_avp_sales', ...metrics]),
]

/**
 * The open day's clicks, which weeks leave out, as rows of a level of weeks. The week's own row has its AVP sales,
 * so here they are 0.
 */
function openDayInWeek(
  level: Level,
  range: DateRange,
  filter: TotalsFilter,
  steps: readonly AvpStep[],
): RawBuilder<unknown> {
  return sql`
    select ${onlyClicks(weekColumns(level))}, place
    from (
      select
        week.day, totals.agent_id, totals.office_id, ${sql.join(clickMetrics.map((name) => sql.ref(`totals.${name}`)))},
        ${stepPlace(steps, sql`week.day`, sql`week.week_avp_sales`)} as place
      from totals_day_agent as totals
      join totals_week_agent as week
        on week.agent_id = totals.agent_id and week.office_id = totals.office_id
        and week.day = ${weekOf(sql`totals.day`)}
      where totals.day = (select day from totals_open_day)
        and totals.day between ${range.start}::date and ${range.end}::date
    ) as clicks
    where ${isOfTier(filter.tier)}
  `
}

function tieredDays(
  { table }: Level,
  range: DateRange,
  scope: Scope,
  filter: TotalsFilter,
  steps: readonly AvpStep[],
): RawBuilder<unknown> {
  const week = weekOf(sql`totals.day`)
  return sql`(
    select totals.*, ${stepPlace(steps, week, sql`coalesce(week_avp_sales, 0)`)} as place
    from ${sql.table(table)} as totals
    ${joinAgentWeeks({ rows: 'totals', week }, range, scope, filter)}
    where totals.day between ${range.start}::date and ${range.end}::date
  )`
}

/**
 * Joins totals or events with their agents' weeks, which adds `week_avp_sales`: null for a week
 * without AVP sales. `rows` is the alias of the joined table; `range` and `filter` are those with
 * which it was read.
 */
export function joinAgentWeeks(
  { rows, week }: { rows: string; week: RawBuilder<unknown> },
  range: DateRange,
  scope: Scope,
  filter: TotalsFilter,
): RawBuilder<unknown> {
  const of = (column: string) => sql.ref(`${rows}.${column}`)
  return sql`
    left join (
      select day as week, agent_id, office_id, week_avp_sales
      from totals_week_agent
      where week_avp_sales <> 0 and ${isOnDays(weeksOf(range))} and ${agentConditions(scope, filter)}
    ) as agent_week
      on agent_week.agent_id = ${of('agent_id')} and agent_week.week = ${week}
      and agent_week.office_id = ${of('office_id')}
  `
}

function neededDimensions(
  scope: Scope,
  { filter, dimensions }: Pick<TotalsQuestion, 'filter' | 'dimensions'>,
): Dimension[] {
  const needed = new Set(dimensions)
  if (filter.siteId !== undefined || filter.siteIds !== undefined) needed.add('site_id')
  if (filter.typeId !== undefined || filter.typeIds !== undefined) needed.add('type_id')
  if (filter.officeIds !== undefined) needed.add('office_id')
  if (filter.officeId !== undefined || scope.sees === 'office') needed.add('office_id')
  if (filter.agentIds !== undefined || scope.sees === 'agent') needed.add('agent_id')
  return [...needed]
}
