import { isDay } from '@tallyroom/domain/new-york'

/**
 * Reads what names one instant: ISO 8601 with an offset, also basic or with a zone's name in brackets, RFC 2822, and Unix time in
 * seconds, milli-, micro- or nanoseconds. Undefined for anything else.
 */
export function readTime(text: string): Date | undefined {
  const [, seconds, fraction = ''] = UNIX_TIME.exec(text) ?? []
  if (seconds !== undefined) {
    const ms = fraction.replace('.', '').padEnd(3, '0').slice(0, 3)
    return new Date(Number(seconds + ms))
  }
  const [, day, time, sign, hours, minutes = '00'] = ISO_TIME.exec(isoOf(text)) ?? []
  if (day === undefined || time === undefined || !isDay(day)) return undefined
  // In a query, an unencoded plus sign arrives as a blank.
  const offset = hours === undefined ? 'Z' : `${sign === '-' ? '-' : '+'}${hours}:${minutes}`
  const ms = Date.parse(`${day}T${time}${offset}`)
  return Number.isNaN(ms) ? undefined : new Date(ms)
}

/** Whether the sender leaves the time to whoever receives it. */
export const isNow = (text: string): boolean => /^now$/i.test(text)

/** Ten digits of seconds, then a fraction with a point, or milli-, micro- or nanoseconds without one. */
const UNIX_TIME = /^(\d{10})(\d{3}(?:\.\d{1,6})?|\d{6}|\d{9}|\.\d{1,9})?$/

const ISO_TIME =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:[Zz]| ?([+ -])(\d\d)(?::?(\d\d))?)$/

/** The same in the form of ISO 8601, if it is in another one that we know. */
function isoOf(text: string): string {
  const plain = text.replace(/\[[\w/+-]+\]$/, '').replace(/ ?(?:UTC|GMT)$/i, 'Z')
  const [, date, month = '', year, rest] = RFC_2822.exec(plain) ?? []
  if (date !== undefined) {
    const place = MONTHS.indexOf(month.toLowerCase()) / 3 + 1
    return `${year}-${String(place).padStart(2, '0')}-${date.padStart(2, '0')}T${rest}`
  }
  return plain.replace(BASIC, '$1-$2-$3T$4:$5:$6')
}

const RFC_2822 = /^(?:[a-z]{3}, ?)?(\d{1,2}) ([a-z]{3}) (\d{4}) (.+)$/i

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'

const BASIC = /^(\d{4})(\d\d)(\d\d)[Tt](\d\d)(\d\d)(\d\d)/

export const MALFORMED_TIME =
  'must be an ISO 8601 time with an offset, or a Unix time in seconds or milliseconds'

const MAX_AGE_MS = 90 * 86_400_000
/** How far a merchant's clock may be ahead of ours. */
const MAX_SKEW_MS = 60_000

export function timeProblem(occurredAt: Date, receivedAt: Date): string | undefined {
  const ageMs = receivedAt.getTime() - occurredAt.getTime()
  if (ageMs < -MAX_SKEW_MS) return 'must not be in the future'
  if (ageMs > MAX_AGE_MS) return 'must not be more than 90 days ago'
  return undefined
}
