import {
  addDays,
  addMonths,
  daysBetween,
  isDay,
  lastDayOfMonth,
  monthOf,
  weekdayOf,
  type Day,
} from './new-york.ts'

/** The days from `start` to `end`, both inclusive. */
export type DateRange = { start: Day; end: Day }

export type PeriodLength = (typeof PERIOD_LENGTHS)[number]

/** Weeks run from Monday to Sunday. A `beWeek` is the 1st to 15th, or the 16th to the end of the month. */
export const PERIOD_LENGTHS = ['day', 'week', 'beWeek', 'month', 'year'] as const

export type Period = DateRange & { periodLength: PeriodLength }

/** The whole period that contains the day, or the one `back` periods earlier. */
export const periodOf = (day: Day, periodLength: PeriodLength, back = 0): Period => ({
  ...rangeOf(day, periodLength, back),
  periodLength,
})

/** The days of {@link periodOf}. */
export function rangeOf(day: Day, periodLength: PeriodLength, back: number): DateRange {
  switch (periodLength) {
    case 'day': {
      const start = addDays(day, -back)
      return { start, end: start }
    }
    case 'week': {
      const start = addDays(day, 1 - weekdayOf(day) - 7 * back)
      return { start, end: addDays(start, 6) }
    }
    case 'beWeek': {
      const halves = (day.slice(8) <= '15' ? 0 : 1) - back
      const month = addMonths(day, Math.floor(halves / 2))
      return halves % 2 === 0
        ? { start: month, end: addDays(month, 14) }
        : { start: addDays(month, 15), end: lastDayOfMonth(month) }
    }
    case 'month': {
      const start = addMonths(day, -back)
      return { start, end: lastDayOfMonth(start) }
    }
    case 'year': {
      const start = addMonths(`${day.slice(0, 4)}-01-01`, -12 * back)
      return { start, end: lastDayOfMonth(addMonths(start, 11)) }
    }
  }
}

/** The range of equal length that ends just before this one. */
export const previousRange = (range: DateRange): DateRange => ({
  start: addDays(range.start, -daysInRange(range)),
  end: addDays(range.start, -1),
})

/** What a period is compared with. `previous` and `last-year` count elapsed days while the period is unfinished. */
export const COMPARISONS = ['previous', 'previous-whole', 'last-year', 'none'] as const
export type Comparison = (typeof COMPARISONS)[number]

/** The range extended to whole weeks. */
export const weeksOf = ({ start, end }: DateRange): DateRange => ({
  start: periodOf(start, 'week').start,
  end: periodOf(end, 'week').end,
})

/** Whether a range consists of whole weeks. */
export const isWeeks = ({ start, end }: DateRange): boolean =>
  weekdayOf(start) === 1 && weekdayOf(end) === 7

export const daysInRange = ({ start, end }: DateRange): number => daysBetween(start, end) + 1

/** Whether both ends are real days and `start` is not after `end`. */
export function isValidRange(range: MaybeRange): range is DateRange {
  return isDay(range.start) && isDay(range.end) && range.start <= range.end
}

/** A range as a form holds it, possibly incomplete. */
export type MaybeRange = { start?: string | null | undefined; end?: string | null | undefined }

export const INVALID_RANGE_MESSAGE = 'Date Range is not valid'

/** `1–15 Nov 2026`, `28 Oct – 3 Nov 2026`, `29 Dec 2025 – 4 Jan 2026`, or a single day. */
export function rangeInWords({ start, end }: DateRange): string {
  const last = dayInWords(end)
  if (start === end) return last
  if (monthOf(start) === monthOf(end)) return `${Number(start.slice(8))}–${last}`
  const first = dayInWords(start)
  return `${start.slice(0, 4) === end.slice(0, 4) ? first.slice(0, -5) : first} – ${last}`
}

/** `rangeInWords` without the year of the last day: `1–15 Nov`. */
export const daysInWords = (range: DateRange): string =>
  rangeInWords(range).slice(0, -' 2026'.length)

/** `1–15 Nov`, with the year when it is not today's. */
export const rangeInShort = (range: DateRange, today: Day): string =>
  (range.end.slice(0, 4) === today.slice(0, 4) ? daysInWords : rangeInWords)(range)

/** The month of a day: `Nov 2026`. */
export const monthInWords = (day: Day): string => dayInWords(day).replace(/^\d+ /, '')

const dayInWords = (day: Day): string =>
  `${Number(day.slice(8))} ${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** The selectable days of range pickers: from 10 years before the current year to 10 years after. */
export function pickableDays(today: Day): DateRange {
  const year = `${today.slice(0, 4)}-01-01`
  return { start: addMonths(year, -120), end: lastDayOfMonth(addMonths(year, 131)) }
}

/** A named period next to a date picker. */
export type PeriodHint = Period & { label: string }

/** The first hint with exactly these days. */
export const matchingHint = <Hint extends DateRange>(
  range: MaybeRange,
  hints: readonly Hint[],
): Hint | undefined => hints.find(({ start, end }) => start === range.start && end === range.end)

/** The hints of every range picker: whole periods, including current ones. */
export const dateHints = (today: Day): PeriodHint[] => [
  { label: 'Today', ...periodOf(today, 'day') },
  { label: 'Yesterday', ...periodOf(today, 'day', 1) },
  { label: 'This week', ...periodOf(today, 'week') },
  { label: 'Last week', ...periodOf(today, 'week', 1) },
  { label: 'This month', ...periodOf(today, 'month') },
  { label: 'Last month', ...periodOf(today, 'month', 1) },
  { label: 'This year', ...periodOf(today, 'year') },
  { label: 'Last year', ...periodOf(today, 'year', 1) },
  ...countFrom(2, 11).map((back) => weeksBack(today, back)),
  ...countFrom(2, 12).map((back) => ({
    label: `${back} months back`,
    ...periodOf(today, 'month', back),
  })),
]

/** The hints of the weekly pickers: last week, then 2 to 52 weeks back. */
export const weekHints = (today: Day): PeriodHint[] => [
  { label: 'Last week', ...periodOf(today, 'week', 1) },
  ...countFrom(2, 52).map((back) => weeksBack(today, back)),
]

/** Hints for the start of a week range: weeks that start before its end. */
export const startWeekHints = (hints: readonly PeriodHint[], end: Day): PeriodHint[] =>
  hints.filter((hint) => hint.start < end)

/** Hints for the end of a week range: weeks that end after its start. */
export const endWeekHints = (hints: readonly PeriodHint[], start: Day): PeriodHint[] =>
  hints.filter((hint) => hint.end > start)

/** The last 50 weekly payout periods, newest first, starting with the current one. */
export const payoutWeekHints = (today: Day): PeriodHint[] => payoutHints(today, 'week', 50)

/** The last 27 semi-monthly payout periods, newest first, starting with the current one. */
export const payoutBeWeekHints = (today: Day): PeriodHint[] => payoutHints(today, 'beWeek', 27)

/** The same half-months by name, as payroll lists them: `1–15 Nov 2026 (last half-month)`. */
export const payrollHints = (today: Day): PeriodHint[] =>
  payoutBeWeekHints(today).map((hint, back) => {
    const note = ['current half-month', 'last half-month'][back]
    return { ...hint, label: `${rangeInWords(hint)}${note ? ` (${note})` : ''}` }
  })

/** A ranking of best sellers ranks agents for up to a week and offices for longer (specification 2, section 9). */
export const boardGrouping = (range: DateRange): 'agent' | 'company' =>
  daysInRange(range) > 7 ? 'company' : 'agent'

export type ChartGroupBy = 'day' | 'month'

/** What a bar of a report's chart covers. Weeks only where tiers apply. */
export const POINT_UNITS = ['day', 'week', 'month'] as const
export type PointUnit = (typeof POINT_UNITS)[number]

export type ChartPreset = DateRange & { label: string; groupBy: ChartGroupBy }

/** The periods of the office charts. Years are grouped by month, all others by day. */
export const chartPresets = (today: Day): ChartPreset[] => [
  { label: 'Last 12 days', start: addDays(today, -11), end: today, groupBy: 'day' },
  { label: 'This week', ...rangeOf(today, 'week', 0), groupBy: 'day' },
  { label: 'Prev week', ...rangeOf(today, 'week', 1), groupBy: 'day' },
  { label: 'This month', ...rangeOf(today, 'month', 0), groupBy: 'day' },
  { label: 'Prev month', ...rangeOf(today, 'month', 1), groupBy: 'day' },
  { label: 'This year', ...rangeOf(today, 'year', 0), groupBy: 'month' },
  { label: 'Prev year', ...rangeOf(today, 'year', 1), groupBy: 'month' },
]

const weeksBack = (today: Day, back: number): PeriodHint => ({
  label: `${back} weeks back`,
  ...periodOf(today, 'week', back),
})

const payoutHints = (today: Day, periodLength: PeriodLength, count: number): PeriodHint[] =>
  countFrom(0, count - 1).map((back) => {
    const period = periodOf(today, periodLength, back)
    return { label: `${period.start} – ${period.end}`, ...period }
  })

/** The numbers from `first` to `last`, both inclusive. */
const countFrom = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
