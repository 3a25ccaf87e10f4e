import { dayOf, NEW_YORK } from '@tallyroom/domain/new-york'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** `just now`, `3 min ago`, `2 h ago`, `5 days ago`, `4 months ago`; `in 3 min` for the future. */
export function agoText(atMs: number, nowMs: number): string {
  const ms = Math.abs(nowMs - atMs)
  if (ms < MINUTE_MS) return 'just now'
  const [size, unit, many] = steps.find(([from]) => ms >= from) ?? MINUTE_STEP
  const count = Math.floor(ms / size)
  const span = `${count} ${count > 1 ? many : unit}`
  return atMs > nowMs ? `in ${span}` : `${span} ago`
}

/** How long ago it was, or the New York day of what is a week old or older. */
export const recentText = (atMs: number, nowMs: number): string =>
  Math.abs(nowMs - atMs) < 7 * DAY_MS ? agoText(atMs, nowMs) : dayOf(atMs)

const MINUTE_STEP = [MINUTE_MS, 'min', 'min'] as const

const steps = [
  [365 * DAY_MS, 'year', 'years'],
  [30 * DAY_MS, 'month', 'months'],
  [DAY_MS, 'day', 'days'],
  [HOUR_MS, 'h', 'h'],
] as const

/**
 * `Your time (Asia/Manila): 2026-11-22 09:10:07 · 3 min ago`. For a reader in New York, it begins
 * with `New York time`.
 */
export function ownTimeText(atMs: number, nowMs: number, ownZone = browserZone()): string {
  const clock = clockIn(ownZone).format(atMs)
  const zone = ownZone === NEW_YORK ? 'New York time' : `Your time (${ownZone})`
  return `${zone}: ${clock} · ${agoText(atMs, nowMs)}`
}

const browserZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Swedish dates are `YYYY-MM-DD HH:mm:ss`, as everywhere in the product. */
const clockIn = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
