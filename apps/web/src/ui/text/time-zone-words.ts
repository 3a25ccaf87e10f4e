import { type Instant, offsetMsAt, startOfDay, todayNewYork } from '@tallyroom/domain/new-york'

const HOUR_MS = 3_600_000

/**
 * How far New York is behind the reader or ahead, and when its today began on their clock: `New York is 12 hours behind you. Today
 * began at 12:00 your time.`
 */
export function behindInWords(now: Instant): string {
  const ms = new Date(now).getTime()
  const here = -new Date(ms).getTimezoneOffset() * 60_000
  const hours = (here - offsetMsAt(ms)) / HOUR_MS
  if (hours === 0) return 'America/New_York, as your clock has it.'
  const began = new Date(startOfDay(todayNewYork(ms))).toTimeString().slice(0, 5)
  const apart = `${Math.abs(hours)} ${Math.abs(hours) === 1 ? 'hour' : 'hours'}`
  return `New York is ${apart} ${hours > 0 ? 'behind' : 'ahead of'} you. Today began at ${began} your time.`
}
