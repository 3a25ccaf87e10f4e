import { addDays, atNewYork, type Day, dayOf, type Instant, weekdayOf } from './new-york.ts'
import { type DateRange, type MaybeRange, type PeriodLength, periodOf } from './periods.ts'

/*
 * A saved view is a URL of the app. Days that move with the calendar are written as `days=week-1`
 * instead of `start` and `end` (`days1`, `days2` on pages that compare two periods). Whoever opens
 * it gets the days as of that moment.
 */

const lengths = {
  day: 'day',
  week: 'week',
  'half-month': 'beWeek',
  month: 'month',
  year: 'year',
} as const
type LengthName = keyof typeof lengths

/** The pairs of days in a URL: `start` and `end`, `start1` and `end1`, `start2` and `end2`. */
export const DAY_PAIRS = ['', '1', '2'] as const

/** A period in words, for a URL: `week` is the current week, `week-1` the one before. */
export type RelativePeriod = { days: string; label: string }

/** The most periods back that a URL may name: a year of weeks. */
const MOST_BACK = 52

/** The days of `week-1` on a day. Undefined for anything else. */
export function relativeDays(days: unknown, today: Day): DateRange | undefined {
  const parsed = parsedPeriod(days)
  if (!parsed) return undefined
  const { start, end } = periodOf(today, parsed.length, parsed.back)
  return { start, end }
}

function parsedPeriod(
  days: unknown,
): { name: LengthName; length: PeriodLength; back: number } | undefined {
  const [, name = '', back = '0'] =
    /^(day|week|half-month|month|year)(?:-([1-9]\d?))?$/.exec(String(days)) ?? []
  if (!isLengthName(name) || Number(back) > MOST_BACK) return undefined
  return { name, length: lengths[name], back: Number(back) }
}

const isLengthName = (name: string): name is LengthName => Object.hasOwn(lengths, name)

/** The search of a URL with its moving periods as days. */
export function withDays<Value>(
  search: Readonly<Record<string, Value>>,
  today: Day,
): Record<string, Value | string> {
  const next: Record<string, Value | string> = { ...search }
  for (const pair of DAY_PAIRS) {
    const range = relativeDays(next[`days${pair}`], today)
    if (!range) continue
    next[`start${pair}`] = range.start
    next[`end${pair}`] = range.end
    delete next[`days${pair}`]
  }
  return next
}

/**
 * The named periods that have exactly these days now: what "this week" can mean when a view is
 * saved.
 */
export function relativePeriodsOf({ start, end }: MaybeRange, today: Day): RelativePeriod[] {
  return Object.entries(lengths).flatMap(([name, length]) => {
    for (let back = 0; back <= (length === 'day' ? 1 : MOST_BACK); back++) {
      const period = periodOf(today, length, back)
      if (period.start === start && period.end === end) {
        const days = back === 0 ? name : `${name}-${back}`
        return [{ days, label: periodLabel(days) }]
      }
      if (start && period.start < start) return []
    }
    return []
  })
}

/** `This week`, `Last half-month`, `3 months back`. Empty for anything that is not a period. */
export function periodLabel(days: unknown): string {
  const parsed = parsedPeriod(days)
  if (!parsed) return ''
  const { name, back } = parsed
  if (name === 'day' && back < 2) return back === 0 ? 'Today' : 'Yesterday'
  if (back === 0) return `This ${name}`
  return back === 1 ? `Last ${name}` : `${back} ${name}s back`
}

/** When a view is mailed: each day, each Monday, or on the 1st and the 16th. */
export const MAIL_SCHEDULES = ['daily', 'mondays', 'half-months'] as const
export type MailSchedule = (typeof MAIL_SCHEDULES)[number]

/**
 * When mails are sent, in New York time. The clocks change at 02:00, so every day has this time
 * exactly once.
 */
const MAIL_TIME = '07:00'

const isMailDay: Record<MailSchedule, (day: Day) => boolean> = {
  daily: () => true,
  mondays: (day) => weekdayOf(day) === 1,
  'half-months': (day) => day.endsWith('-01') || day.endsWith('-16'),
}

/** The first due time after an instant. */
export function nextMailTime(schedule: MailSchedule, after: Instant): Date {
  for (let day = dayOf(after); ; day = addDays(day, 1)) {
    const time = atNewYork(day, MAIL_TIME)
    if (isMailDay[schedule](day) && time.getTime() > Number(after)) return time
  }
}

/** The last due time up to an instant, inclusive. */
export function lastMailTime(schedule: MailSchedule, at: Instant): Date {
  for (let day = dayOf(at); ; day = addDays(day, -1)) {
    const time = atNewYork(day, MAIL_TIME)
    if (isMailDay[schedule](day) && time.getTime() <= Number(at)) return time
  }
}
