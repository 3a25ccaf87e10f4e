import { addDays, atNewYork, type Day, formatClock } from '@tallyroom/domain/new-york'
import { comparedRange } from '@tallyroom/domain/compared-range'
import { type DateRange, periodOf } from '@tallyroom/domain/periods'

/** A period up to now, and the days it is compared with. */
export type ComparedPeriod = DateRange & {
  /** Null if no day of the period has begun. `until` shortens the last day. */
  before: (DateRange & { until?: PartOfDay | undefined }) | null
}

/** A day up to an instant, exclusive. */
export type PartOfDay = { day: Day; until: Date }

/**
 * The periods of Home. Half-months are compared as on every other page (`comparedRange`), today
 * with the same weekday a week before, up to the same time.
 */
export function homePeriods(today: Day, now: Date) {
  const weekAgo = partOfDay(addDays(today, -7), now)
  const { start } = periodOf(today, 'beWeek')
  return {
    today: {
      start: today,
      end: today,
      before: { start: weekAgo.day, end: weekAgo.day, until: weekAgo },
    },
    halfMonth: { start, end: today, before: before(today, 0) },
    lastHalfMonth: { ...rangeOf(today, 1), before: before(today, 1) },
  } satisfies Record<string, ComparedPeriod>
}

const before = (today: Day, back: number) =>
  comparedRange(rangeOf(today, back), today, 'previous') ?? null

const rangeOf = (today: Day, back: number): DateRange => {
  const { start, end } = periodOf(today, 'beWeek', back)
  return { start, end }
}

/** The day up to the time that New York's clocks show now. */
function partOfDay(day: Day, now: Date): PartOfDay {
  const time = formatClock(now).slice(11, 16)
  const withinMinute = now.getTime() % 60_000
  return { day, until: new Date(atNewYork(day, time).getTime() + withinMinute) }
}
