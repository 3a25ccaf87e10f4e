import { type Day, lastDayOfMonth } from '@tallyroom/domain/new-york'
import { type DateRange, isWeeks, periodOf, weeksOf } from '@tallyroom/domain/periods'
import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '../access/scope.ts'
import { columns } from '../db/list-query.ts'
import type { BySub } from './by-sub.ts'
import { countedEvents, isOnDays } from './counted-events.queries.ts'
import { onlyClicks, weekOf } from './fold-totals.queries.ts'
import {
  clickMetrics,
  coarsestLevel,
  type Dimension,
  hasOpenDay,
  type Level,
  metrics,
  type Piece,
  piecesOf,
  unitsFor,
  weekAvpLevel,
} from './levels.ts'
import { isOfSub, subOf } from './subs.queries.ts'
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
  /** The open day that `findOpenDay` found, if there is one. Left out, every query looks it up. */
  openDay?: { day: Day | undefined } | undefined
  /** If it is about sub ids. Whoever asks calls `prepareBySub` first. */
  bySub?: BySub | undefined
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
  const { filter, openDay, bySub } = question
  if (filter.tier) return tieredSource(scope, question, filter.tier.steps, names)
  if (bySub) {
    const events = eventsBySub(question.range, bySub)
    return sql`(select ${columns(names)} from ${events} as events where ${conditions(scope, filter)})`
  }
  const shown = columns(names)
  const needed = neededDimensions(scope, question)
  const pieces = piecesFor(needed, question)
  const selects = pieces.map(({ unit, from, to }) => {
    const level = coarsestLevel(needed, unit)
    return sql`
      select ${shown}
      from ${sql.table(level.table)}
      where ${isOnDays({ start: from, end: to })} and ${conditions(scope, filter)}
    `
  })
  const ofOpenDay = (selected: RawBuilder<unknown>, lacking: readonly Piece[]) => sql`
    select ${selected}
    from ${sql.table(coarsestLevel(needed, 'day').table)}
    where day = ${openDayOf(openDay)} and ${conditions(scope, filter)}
      and (${sql.join(
        lacking.map(({ from, to }) => isOnDays({ start: from, end: to })),
        sql` or `,
      )})
  `
  const lacking = lackingOpenDay(pieces, openDay)
  const [coarse, weeks] = [
    lacking.filter(({ unit }) => !hasOpenDay(unit)),
    lacking.filter(({ unit }) => unit === 'week'),
  ]
  if (coarse.length > 0) selects.push(ofOpenDay(shown, coarse))
  if (weeks.length > 0) selects.push(ofOpenDay(onlyClicks(names), weeks))
  return sql`(${sql.join(selects, sql` union all `)})`
}

/** The days of clicks and events, with rows like those of the finest level for each of them. */
const eventsBySub = (range: DateRange, { of, only, sealed, agentIds }: BySub) => sql`(
  select
    *
    ${
      of
        ? sql`,
            case when not is_stored then 'unknown' when ${subOf(of)} is null then 'none' else 'value' end as sub_row,
            ${subOf(of)} as sub_id`
        : sql``
    }
  from (${countedEvents({ sealed, range, subs: true })}) as counted
  where ${agentIds ? sql`agent_id = any(${agentIds}::integer[])` : sql`true`}
    and ${only ? isOfSub(only, sql`is_stored`) : sql`true`}
)`

/** The whole units that a question reads, each from the coarsest level with the columns. */
function piecesFor(
  needed: readonly Dimension[],
  { range, today, byDay }: Pick<TotalsQuestion, 'range' | 'today' | 'byDay'>,
): Piece[] {
  // The current month counts as whole if the range reaches today.
  const end = !byDay && range.end >= today ? lastDayOfMonth(range.end) : range.end
  return piecesOf({ start: range.start, end }, byDay ? ['day'] : unitsFor(needed))
}

/** The pieces without the open day, or its clicks, although it may be one of their days. */
const lackingOpenDay = (pieces: readonly Piece[], openDay: TotalsQuestion['openDay']) =>
  pieces.filter(
    ({ unit, from, to }) =>
      unit !== 'day' &&
      (openDay === undefined ||
        (openDay.day !== undefined && openDay.day >= from && openDay.day <= to)),
  )

const openDayOf = (openDay: TotalsQuestion['openDay']) =>
  openDay?.day ? sql`${openDay.day}::date` : sql`(select day from totals_open_day)`

/**
 * Whether a question reads a single unit of a level whose key it shows, so that the rows of `totalsSource` need not be grouped.
 * False if the open day is unknown, because its rows may come on top.
 */
export function isOneUnit(scope: Scope, question: TotalsQuestion): boolean {
  const { filter, dimensions, openDay, bySub } = question
  const needed = neededDimensions(scope, question)
  const pieces = piecesFor(needed, question)
  const [piece] = pieces
  return (
    filter.tier === undefined &&
    bySub === undefined &&
    piece !== undefined &&
    pieces.length === 1 &&
    piece.unit !== 'day' &&
    periodOf(piece.from, piece.unit).end === piece.to &&
    lackingOpenDay(pieces, openDay).length === 0 &&
    coarsestLevel(needed, piece.unit).dimensions.every((name) => dimensions.includes(name))
  )
}

/**
 * Whether office totals suffice for a question, so that neither agents nor link types have to be
 * read.
 */
export const isAnsweredByOffices = (scope: Scope, question: TotalsQuestion): boolean =>
  question.filter.tier === undefined &&
  question.bySub === undefined &&
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
 * The rows that answer a question. Two more columns can be named: `place`, that of the tier that the row's agent reached
 * in that week, and, for whole weeks, `week_avp_sales`. Read from weeks if the range consists of them, otherwise from days.
 */
export function tieredSource(
  scope: Scope,
  question: Omit<TotalsQuestion, 'today'>,
  steps: readonly AvpStep[],
  names: readonly string[],
): RawBuilder<unknown> {
  const { range, byDay, filter, openDay, bySub } = question
  const needed = neededDimensions(scope, question)
  const weeks = byDay || bySub || !isWeeks(range) ? undefined : weekAvpLevel(needed)
  const lacksClicks =
    clickMetrics.some((name) => names.includes(name)) &&
    lackingOpenDay([{ unit: 'week', from: range.start, to: range.end }], openDay).length > 0
  const rows = weeks
    ? sql`(
        select ${columns(weekColumns(weeks))}, ${stepPlace(steps, sql`day`, sql`week_avp_sales`)} as place
        from ${sql.table(weeks.table)}
        where ${isOnDays(range)} and ${isWeekOfTier(filter.tier)}
        ${lacksClicks ? sql`union all ${openDayInWeek(weeks, question, steps)}` : sql``}
      )`
    : tieredDays(
        bySub
          ? eventsBySub(range, bySub)
          : sql.table(coarsestLevel([...needed, 'agent_id'], 'day').table),
        { range, scope, filter, steps },
      )
  return sql`(
    select ${columns(names)} from ${rows} as totals
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
  { range, filter, openDay }: Pick<TotalsQuestion, 'range' | 'filter' | 'openDay'>,
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
      where totals.day = ${openDayOf(openDay)}
        and totals.day between ${range.start}::date and ${range.end}::date
    ) as clicks
    where ${isOfTier(filter.tier)}
  `
}

function tieredDays(
  days: RawBuilder<unknown>,
  {
    range,
    scope,
    filter,
    steps,
  }: { range: DateRange; scope: Scope; filter: TotalsFilter; steps: readonly AvpStep[] },
): RawBuilder<unknown> {
  const week = weekOf(sql`totals.day`)
  return sql`(
    select totals.*, ${stepPlace(steps, week, sql`coalesce(week_avp_sales, 0)`)} as place
    from ${days} as totals
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
