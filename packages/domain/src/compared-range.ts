import { addDays, addMonths, type Day, daysBetween, lastDayOfMonth } from './new-york.ts'
import {
  type Comparison,
  type DateRange,
  daysInRange,
  isWeeks,
  PERIOD_LENGTHS,
  type PeriodLength,
  previousRange,
  rangeOf,
} from './periods.ts'

/**
 * The days that a range is compared with; undefined if with none. A week, half-month, month or year is compared with
 * the one before it, or with the same one a year earlier; other ranges with the days just before, or with the same
 * dates. As long as the range contains today or later, only as many days count as have begun, so that an unfinished
 * period is not measured against a whole one. A range that has not begun is compared with nothing, except
 * by `previous-whole`.
 *
 * `wholeWeeks` is for figures that exist only for whole weeks: a week is then always compared with a whole week.
 */
export function comparedRange(
  range: DateRange,
  today: Day,
  compare: Comparison,
  { wholeWeeks = false } = {},
): DateRange | undefined {
  if (compare === 'none') return undefined
  const counts = compare === 'previous-whole' || wholeWeeks || range.end < today
  const begun = counts ? daysInRange(range) : daysBetween(range.start, today) + 1
  if (begun < 1) return undefined
  const periodLength = wholeWeeks ? undefined : periodLengthOf(range)
  if (compare !== 'last-year' && periodLength === undefined)
    return previousRange({ start: range.start, end: addDays(range.start, begun - 1) })
  const whole =
    compare === 'last-year'
      ? yearEarlier(range, periodLength)
      : rangeOf(range.start, periodLength ?? 'day', 1)
  return counts ? whole : equalDays(whole, range, today)
}

/**
 * As many days of one period as have begun of another, so that both have equally many. All of it
 * once the other is over, or before it begins.
 */
export function equalDays(period: DateRange, other: DateRange, today: Day): DateRange {
  const begun = daysBetween(other.start, today) + 1
  const end = addDays(period.start, begun - 1)
  return other.end < today || begun < 1 || end > period.end ? period : { start: period.start, end }
}

/** The kind of period that a range is exactly one of. */
const periodLengthOf = ({ start, end }: DateRange): PeriodLength | undefined =>
  PERIOD_LENGTHS.find((periodLength) => {
    const period = rangeOf(start, periodLength, 0)
    return period.start === start && period.end === end
  })

/** A year back means 52 weeks for weeks, so that weekdays match; 29 February becomes the 28th. */
function yearEarlier(range: DateRange, periodLength: PeriodLength | undefined): DateRange {
  const { start, end } = range
  if (isWeeks(range))
    return { start: addDays(start, -DAYS_OF_52_WEEKS), end: addDays(end, -DAYS_OF_52_WEEKS) }
  const back = periodLength && PERIODS_A_YEAR[periodLength]
  if (periodLength && back) return rangeOf(start, periodLength, back)
  return { start: sameDateYearEarlier(start), end: sameDateYearEarlier(end) }
}

const DAYS_OF_52_WEEKS = 7 * 52
const PERIODS_A_YEAR: Partial<Record<PeriodLength, number>> = { beWeek: 24, month: 12, year: 1 }

function sameDateYearEarlier(day: Day): Day {
  const month = addMonths(day, -12)
  const date = addDays(month, Number(day.slice(8)) - 1)
  return date < addMonths(month, 1) ? date : lastDayOfMonth(month)
}
