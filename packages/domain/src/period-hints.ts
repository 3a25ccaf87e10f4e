import { addDays, addMonths, type Day, lastDayOfMonth } from './new-york.ts'
import {
  type ChartGroupBy,
  type DateRange,
  type MaybeRange,
  type Period,
  type PeriodLength,
  periodOf,
  rangeInWords,
  rangeOf,
} from './periods.ts'

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
