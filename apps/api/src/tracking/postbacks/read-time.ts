import { isDay } from '@tallyroom/domain/new-york'

/** Reads ISO 8601 with an offset, and Unix time in seconds or milliseconds. Undefined for anything else. */
export function readTime(text: string): Date | undefined {
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1000)
  if (/^\d{13}$/.test(text)) return new Date(Number(text))
  const [, day, time, sign, hours, minutes = '00'] = ISO_TIME.exec(text) ?? []
  if (day === undefined || time === undefined || !isDay(day)) return undefined
  // In a query, an unencoded plus sign arrives as a blank.
  const offset = hours === undefined ? 'Z' : `${sign === '-' ? '-' : '+'}${hours}:${minutes}`
  const ms = Date.parse(`${day}T${time}${offset}`)
  return Number.isNaN(ms) ? undefined : new Date(ms)
}

const ISO_TIME =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:[Zz]|([+ -])(\d\d)(?::?(\d\d))?)$/

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
