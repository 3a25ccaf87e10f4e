/** The product's one reference time zone, for all days, weeks and payout periods. */
export const NEW_YORK = 'America/New_York'

/**
 * A New York calendar day, `YYYY-MM-DD`, years 0001 to 9999. Days compare and sort as text.
 * The functions below throw a RangeError if the text is not a real calendar date.
 */
export type Day = string

/** A point in time: a Date or Unix milliseconds. */
export type Instant = Date | number

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** The New York day of an instant. Cheap enough to call for every click. */
export function dayOf(instant: Instant): Day {
  const ms = Number(instant)
  const number = Math.floor((ms + offsetMsAt(ms)) / DAY_MS)
  // Thousands of clicks fall on the same day, so its text is cached.
  if (number !== latest.number) latest = { number, day: dayFromNumber(number) }
  return latest.day
}

let latest = { number: 0, day: '1970-01-01' }

/** The current New York day by the caller's clock. */
export const todayNewYork = (now: Instant): Day => dayOf(now)

/** The start of a day, inclusive. */
export const startOfDay = (day: Day): Date => atNewYork(day, '00:00')

/** The end of a day, exclusive: the start of the next day, 23, 24 or 25 hours later. */
export const endOfDayExclusive = (day: Day): Date => startOfDay(addDays(day, 1))

/**
 * The instant of a wall-clock time `HH:mm` on a day. Times in the hour skipped in March resolve to one hour
 * later; times in the hour repeated in November resolve to the first occurrence.
 */
export function atNewYork(day: Day, time: string): Date {
  const [hour = Number.NaN, minute = Number.NaN] = time.split(':').map(Number)
  const wallMs = dayNumber(day) * DAY_MS + (hour * 60 + minute) * MINUTE_MS
  const offsetBefore = offsetMsAt(wallMs - DAY_MS)
  const offsetAfter = offsetMsAt(wallMs + DAY_MS)
  const isPastChange =
    offsetMsAt(wallMs - offsetBefore) !== offsetBefore &&
    offsetMsAt(wallMs - offsetAfter) === offsetAfter
  return new Date(wallMs - (isPastChange ? offsetAfter : offsetBefore))
}

/** Whether the text is a real calendar date in the form `YYYY-MM-DD`. */
export function isDay(text: unknown): text is Day {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(text) || text < '0001') return false
  const ms = Date.parse(`${text}T00:00:00Z`)
  // Date.parse reads 30 February as 2 March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

/** The day `count` days later, or earlier if negative. */
export const addDays = (day: Day, count: number): Day => dayFromNumber(dayNumber(day) + count)

/** The number of days from `from` to `to`; negative if `to` is earlier. */
export const daysBetween = (from: Day, to: Day): number => dayNumber(to) - dayNumber(from)

/** The day of the week, from Monday (1) to Sunday (7). */
export const weekdayOf = (day: Day): number => ((((dayNumber(day) + 3) % 7) + 7) % 7) + 1

/** The first day of the day's month. Totals identify months by it. */
export const monthOf = (day: Day): Day => addMonths(day, 0)

/** The first day of the month `count` months after the day's month, or before it if negative. */
export function addMonths(day: Day, count: number): Day {
  const date = new Date(dayNumber(day) * DAY_MS)
  return dayFromNumber(utcMonth(date.getUTCFullYear(), date.getUTCMonth() + count) / DAY_MS)
}

/** The last day of the day's month. */
export const lastDayOfMonth = (day: Day): Day => addDays(addMonths(day, 1), -1)

/** The zone abbreviation in effect at an instant. */
export const zoneAbbreviation = (instant: Instant): 'EST' | 'EDT' =>
  offsetMsAt(Number(instant)) === -240 * MINUTE_MS ? 'EDT' : 'EST'

/** `2025-03-09 (14:05)`, New York time: the format of date-times in tables. */
export function formatDateTime(instant: Instant): string {
  const wall = wallTime(instant)
  return `${wall.slice(0, 10)} (${wall.slice(11, 16)})`
}

/** `2025-03-09 14:05:07 EDT`, New York time: the format of the clock in the page header. */
export function formatClock(instant: Instant): string {
  const wall = wallTime(instant)
  return `${wall.slice(0, 10)} ${wall.slice(11, 19)} ${zoneAbbreviation(instant)}`
}

/** New York's wall-clock time formatted as if it were UTC: `2025-03-09T14:05:07.000Z`. */
function wallTime(instant: Instant): string {
  const ms = Number(instant)
  return new Date(ms + offsetMsAt(ms)).toISOString()
}

function dayNumber(day: Day): number {
  if (!isDay(day)) throw new RangeError(`Not a calendar date: ${JSON.stringify(day)}`)
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS
}

function dayFromNumber(number: number): Day {
  if (!(number >= FIRST_DAY_NUMBER && number <= LAST_DAY_NUMBER)) {
    throw new RangeError('Days run from 0001-01-01 to 9999-12-31')
  }
  return new Date(number * DAY_MS).toISOString().slice(0, 10)
}

const FIRST_DAY_NUMBER = Date.parse('0001-01-01') / DAY_MS
const LAST_DAY_NUMBER = Date.parse('9999-12-31') / DAY_MS

/** An interval with a constant offset, `from` inclusive to `before` exclusive. */
type Stretch = { from: number; before: number; offsetMs: number }

/** The offset from UTC to New York time, in milliseconds. Cached by year because Intl is slow. */
export function offsetMsAt(ms: number): number {
  if (ms >= stretch.from && ms < stretch.before) return stretch.offsetMs
  const year = new Date(ms).getUTCFullYear()
  const stretches = stretchesByYear.get(year) ?? findStretches(year)
  stretchesByYear.set(year, stretches)
  stretch = stretches.find(({ before }) => ms < before) ?? stretch
  return stretch.offsetMs
}

let stretch: Stretch = { from: 0, before: 0, offsetMs: 0 }
const stretchesByYear = new Map<number, Stretch[]>()

/** The stretches of a UTC year. Searches month by month: clocks change at most once a month. */
function findStretches(year: number): Stretch[] {
  const stretches: Stretch[] = []
  for (let month = 0; month < 12; month++) {
    const from = utcMonth(year, month)
    const before = utcMonth(year, month + 1)
    const change = findChange(from, before)
    stretches.push({ from, before: change, offsetMs: askIntl(from) })
    if (change < before) stretches.push({ from: change, before, offsetMs: askIntl(change) })
  }
  return stretches
}

/** The first instant after `from` with a different offset; `before` if there is none. */
function findChange(from: number, before: number): number {
  const offsetMs = askIntl(from)
  if (askIntl(before - 1) === offsetMs) return before
  let same = from
  let other = before - 1
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2)
    if (askIntl(middle) === offsetMs) same = middle
    else other = middle
  }
  return other
}

/** Date.UTC reads the years 0 to 99 as 1900 to 1999; setUTCFullYear does not. */
const utcMonth = (year: number, month: number): number => new Date(0).setUTCFullYear(year, month, 1)

const offsetFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: NEW_YORK,
  timeZoneName: 'longOffset',
})

/** The offset by the JavaScript engine's zone rules, parsed from text such as `GMT-04:00`. */
function askIntl(ms: number): number {
  const [, sign, hours, minutes, seconds = '0'] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(offsetFormat.format(ms)) ?? []
  const size = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * 1000
  return sign === '-' ? -size : size
}
