import { MOST_SKEW_MS } from './clock.ts'

/**
 * For each number of failed tries, beginning with one, how far ahead a next try or the end of a lease can be, in milliseconds.
 * What is later was planned by a clock that was ahead.
 */
export const latestTries = (pausesMs: readonly number[], leaseMs: number): number[] =>
  pausesMs.map((pause) => Math.max(leaseMs, pause * 1.1) + MOST_SKEW_MS)

/**
 * The milliseconds to wait after a number of failed tries, with 10 % of jitter, so that what failed together does not come
 * back together. Undefined after the last pause.
 */
export function pauseAfter(pausesMs: readonly number[], tries: number): number | undefined {
  const pause = pausesMs[tries - 1]
  return pause === undefined ? undefined : pause * (0.9 + Math.random() * 0.2)
}
