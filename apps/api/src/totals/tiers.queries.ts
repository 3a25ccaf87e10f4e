import type { Day } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'

/** A tier of the AVP schedule that took effect on `scheduleFrom`, with what it pays per sale in minor units. */
export type AvpStep = {
  index: number
  from: number
  to: number
  payoutCentavos: number
  payoutCents: number
  scheduleFrom: Day
}

/** Keeps only the weeks in which an agent reached the tier with this index, under whichever schedule applied. */
export type TierFilter = { index: number; steps: readonly AvpStep[] }

/** A tier with its place in the list of steps, counted from 1, and the next higher one. */
type PlacedStep = AvpStep & { place: number; next: AvpStep | undefined }

/** The tiers of each schedule, highest first, and the days that the schedule applies to. Newest schedule first. */
function schedulesOf(steps: readonly AvpStep[]) {
  const starts = [...new Set(steps.map(({ scheduleFrom }) => scheduleFrom))].toSorted().toReversed()
  return starts.map((from, position) => ({
    from,
    before: starts[position - 1],
    steps: steps
      .map((step, index) => ({ ...step, place: index + 1 }))
      .filter(({ scheduleFrom }) => scheduleFrom === from)
      .toSorted((one, other) => other.from - one.from)
      .map((step, index, all): PlacedStep => ({ ...step, next: all[index - 1] })),
  }))
}

/**
 * The position in `steps`, counted from 1, of the tier that an agent's AVP sales reach in a week. A negative number
 * of sales, after reversals, counts as none. Null before the first schedule.
 */
export function stepPlace(
  steps: readonly AvpStep[],
  week: RawBuilder<unknown>,
  sales: RawBuilder<unknown>,
): RawBuilder<number | null> {
  if (steps.length === 0) return sql<null>`null::integer`
  const byWeek = schedulesOf(steps).map((schedule) => {
    const bySales = schedule.steps.map(({ from, place }) =>
      from === 0
        ? sql`else ${sql.lit(place)}`
        : sql`when ${sales} >= ${sql.lit(from)} then ${sql.lit(place)}`,
    )
    return bySales.length === 1
      ? sql`when ${week} >= ${schedule.from}::date then ${sql.lit(schedule.steps[0]?.place ?? null)}`
      : sql`when ${week} >= ${schedule.from}::date then case ${sql.join(bySales, sql` `)} end`
  })
  return sql<number | null>`case ${sql.join(byWeek, sql` `)} end`
}

/** What one sale pays at the tier in a given place; 0 without a tier. */
export const rateAt = <Rate extends string>(
  steps: readonly Record<Rate, number>[],
  place: RawBuilder<unknown>,
  rate: Rate,
): RawBuilder<number> =>
  sql<number>`coalesce((${steps.map((step) => step[rate])}::bigint[])[${place}], 0)`

/** Whether a row's `place` is that of the chosen tier; true if no tier is chosen. */
export function isOfTier(tier: TierFilter | undefined): RawBuilder<unknown> {
  if (!tier) return sql`true`
  const places = tier.steps.flatMap(({ index }, position) =>
    index === tier.index ? [position + 1] : [],
  )
  return sql`place = any(${places}::integer[])`
}

/**
 * The same condition for a level of weeks, as bounds of its columns. The planner can neither
 * estimate how many rows have a computed place, nor find them with an index.
 */
export function isWeekOfTier(tier: TierFilter | undefined): RawBuilder<unknown> {
  if (!tier) return sql`true`
  const bounds = schedulesOf(tier.steps).flatMap(({ from, before, steps }) =>
    steps
      .filter(({ index }) => index === tier.index)
      .map(
        (step) =>
          sql`(${sql.join(
            [
              sql`day >= ${from}::date`,
              ...(before === undefined ? [] : [sql`day < ${before}::date`]),
              // The first tier has no lower bound.
              ...(step.from === 0 || steps.length === 1
                ? []
                : [sql`week_avp_sales >= ${sql.lit(step.from)}`]),
              ...(step.next ? [sql`week_avp_sales < ${sql.lit(step.next.from)}`] : []),
            ],
            sql` and `,
          )})`,
      ),
  )
  return bounds.length === 0 ? sql`false` : sql`(${sql.join(bounds, sql` or `)})`
}
