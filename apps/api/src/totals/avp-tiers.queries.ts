import type { Day } from '@tallyroom/domain/new-york'
import { type DateRange, weeksOf } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../access/scope.ts'
import { weekOf } from './fold-totals.queries.ts'
import type { Level } from './levels.ts'
import {
  agentConditions,
  type AvpStep,
  type TierFilter,
  type TotalsFilter,
} from './totals-filter.queries.ts'

/**
 * The place in `steps`, from 1, of the tier that an agent has in a week by its number of AVP sales; fewer than
 * none, after reversals, counts as none. Null before the first schedule.
 */
export function stepPlace(
  steps: readonly AvpStep[],
  week: RawBuilder<unknown>,
  sales: RawBuilder<unknown>,
): RawBuilder<number | null> {
  if (steps.length === 0) return sql<null>`null::integer`
  const starts = [...new Set(steps.map(({ scheduleFrom }) => scheduleFrom))].toSorted().toReversed()
  const ofSchedule = (start: Day) =>
    steps
      .map((step, position) => ({ ...step, place: position + 1 }))
      .filter(({ scheduleFrom }) => scheduleFrom === start)
      .toSorted((one, other) => other.from - one.from)
  const byWeek = starts.map((start) => {
    const bySales = ofSchedule(start).map(({ from, place }) =>
      from === 0
        ? sql`else ${sql.lit(place)}`
        : sql`when ${sales} >= ${sql.lit(from)} then ${sql.lit(place)}`,
    )
    return bySales.length === 1
      ? sql`when ${week} >= ${start}::date then ${sql.lit(ofSchedule(start)[0]?.place ?? null)}`
      : sql`when ${week} >= ${start}::date then case ${sql.join(bySales, sql` `)} end`
  })
  return sql<number | null>`case ${sql.join(byWeek, sql` `)} end`
}

/** What a sale of the tier at a place pays; nothing without a tier. */
export const rateAt = (
  steps: readonly AvpStep[],
  place: RawBuilder<unknown>,
  currency: 'payoutCentavos' | 'payoutCents',
): RawBuilder<number> =>
  sql<number>`coalesce((${steps.map((step) => step[currency])}::bigint[])[${place}], 0)`

/**
 * Joins rows of totals or events to the weeks of their agents, for `week_avp_sales`: null where there are none.
 * `rows` is what they are called, `range` and the filter are theirs.
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
      where week_avp_sales <> 0 and ${daysWithin(weeksOf(range))} and ${agentConditions(scope, filter)}
    ) as agent_week
      on agent_week.agent_id = ${of('agent_id')} and agent_week.week = ${week}
      and agent_week.office_id = ${of('office_id')}
  `
}

/** Of a row with the `place` of a tier. */
export const isOfTier = (tier: TierFilter | undefined): RawBuilder<unknown> =>
  tier ? sql`place = any(${placesOf(tier)}::integer[])` : sql`true`

const placesOf = ({ index, steps }: TierFilter): number[] =>
  steps.flatMap((step, position) => (step.index === index ? [position + 1] : []))

/** Rows of a level of weeks, with the place of their agents' tier. */
export const tieredWeeks = ({ table }: Level, range: DateRange, steps: readonly AvpStep[]) => sql`(
  select *, ${stepPlace(steps, sql`day`, sql`week_avp_sales`)} as place
  from ${sql.table(table)}
  where ${daysWithin(range)}
)`

/** Rows of a level of days, with the place of their agent's tier in their week. */
export function tieredDays(
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

const daysWithin = ({ start, end }: DateRange) => sql`day between ${start}::date and ${end}::date`
