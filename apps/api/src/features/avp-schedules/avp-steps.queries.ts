import type { Day } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import type { StoredSchedule, StoredTier } from './avp-schedules.queries.ts'

/** A tier of the schedule that began on a day. */
export type AvpStep = StoredTier & { scheduleFrom: Day }

/** All tiers of all schedules that a report's weeks may have, in one list: SQL names a tier by its place in it. */
export const stepsOf = (schedules: readonly StoredSchedule[]): AvpStep[] =>
  schedules.flatMap(({ validFrom, tiers }) =>
    tiers.map((tier) => ({ ...tier, scheduleFrom: validFrom })),
  )

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
