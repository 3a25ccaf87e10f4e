import { addDays, atNewYork, type Day, daysBetween, formatClock } from '@tallyroom/domain/new-york'
import { type DateRange, daysInRange, periodOf } from '@tallyroom/domain/periods'

/** A period so far, and the equal one that it is compared with. */
export type ComparedPeriod = DateRange & {
  /** Null if the other period has no day for each of this one. */
  before: (DateRange & { until: PartOfDay | undefined }) | null
}

/** A day until an instant, exclusive. */
export type PartOfDay = { day: Day; until: Date }

/**
 * The periods of Home. Today is compared with the same weekday, and the current half-month with the half-month before:
 * as many days, the last of them until the same time of day. A finished half-month is compared as a whole.
 */
export function homePeriods(today: Day, now: Date) {
  const weekAgo = partOfDay(addDays(today, -7), now)
  const half = rangeOf(today, 0)
  const lastHalf = rangeOf(today, 1)
  return {
    today: {
      start: today,
      end: today,
      before: { start: weekAgo.day, end: weekAgo.day, until: weekAgo },
    },
    halfMonth: { start: half.start, end: today, before: elapsedOf(lastHalf, half, today, now) },
    lastHalfMonth: { ...lastHalf, before: { ...rangeOf(today, 2), until: undefined } },
  } satisfies Record<string, ComparedPeriod>
}

function elapsedOf(before: DateRange, half: DateRange, today: Day, now: Date) {
  const begun = daysBetween(half.start, today)
  if (begun >= daysInRange(before)) return null
  const until = partOfDay(addDays(before.start, begun), now)
  return { start: before.start, end: until.day, until }
}

const rangeOf = (today: Day, back: number): DateRange => {
  const { start, end } = periodOf(today, 'beWeek', back)
  return { start, end }
}

/** The day until the time that New York's clocks show now. */
function partOfDay(day: Day, now: Date): PartOfDay {
  const time = formatClock(now).slice(11, 16)
  const withinMinute = now.getTime() % 60_000
  return { day, until: new Date(atNewYork(day, time).getTime() + withinMinute) }
}
