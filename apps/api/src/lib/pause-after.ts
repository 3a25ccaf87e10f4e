import { MOST_SKEW_MS } from './clock.ts'

/**
 * For each number of failed tries, beginning with one, when the next try is or a lease ends at the latest. What is later was
 * planned by a clock that was ahead.
 */
export const latestTries = (now: Date, pausesMs: readonly number[], leaseMs: number): Date[] =>
  pausesMs.map((pause) => new Date(now.getTime() + Math.max(leaseMs, pause * 1.1) + MOST_SKEW_MS))

/**
 * The milliseconds to wait after a number of failed tries, with 10 % of jitter, so that what failed together does not come
 * back together. Undefined after the last pause.
 */
export function pauseAfter(pausesMs: readonly number[], tries: number): number | undefined {
  const pause = pausesMs[tries - 1]
  return pause === undefined ? undefined : pause * (0.9 + Math.random() * 0.2)
}
