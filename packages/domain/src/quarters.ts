import { addMonths, type Day, lastDayOfMonth, monthOf } from './new-york.ts'
import type { DateRange } from './periods.ts'

/** A quarter of the calendar: `2026-Q4`. */
export const isQuarter = (text: string): boolean => /^2\d{3}-Q[1-4]$/.test(text)

/** The months of a quarter, each from its first to its last day. */
export function monthsOfQuarter(quarter: string): [DateRange, DateRange, DateRange] {
  const first: Day = `${quarter.slice(0, 4)}-${String(Number(quarter.slice(6)) * 3 - 2).padStart(2, '0')}-01`
  const month = (index: number) => {
    const start = addMonths(first, index)
    return { start, end: lastDayOfMonth(start) }
  }
  return [month(0), month(1), month(2)]
}

/** The days of a quarter. */
export function daysOfQuarter(quarter: string): DateRange {
  const [first, , last] = monthsOfQuarter(quarter)
  return { start: first.start, end: last.end }
}

/** Which month of its quarter a day is in: 0, 1 or 2. */
export const placeInQuarter = (day: Day): 0 | 1 | 2 =>
  ((Number(monthOf(day).slice(5, 7)) - 1) % 3) as 0 | 1 | 2 // of twelve months
