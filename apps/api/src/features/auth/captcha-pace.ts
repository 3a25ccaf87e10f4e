import { setTimeout as sleep } from 'node:timers/promises'
import { tooManyRequests } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'

const windowMs = 60_000
/** Pictures a minute that come at once. */
const promptly = 30
/** Each further one comes so much later than the one before. */
const stepMs = 100
const longestMs = 20_000
/** Who waits holds a connection and a timer, and nothing of the database. */
const mostWaiting = { ofOne: 100, altogether: 1_000 }

/** Waits until a caller may have its picture. */
export type CaptchaPace = (caller: string) => Promise<void>

/**
 * Keeps callers from having pictures drawn without end, without refusing the fortieth person of an office. Each
 * process counts by itself: the work that it saves is its own.
 *
 * @throws TOO_MANY_REQUESTS (the pace, when called) for more callers than may wait.
 */
export function makeCaptchaPace(
  clock: Clock,
  wait: (ms: number) => Promise<unknown> = sleep,
): CaptchaPace {
  let windowEndMs = 0
  const counts = new Map<string, number>()
  const waiting = new Map<string, number>()
  let altogether = 0

  return async (caller) => {
    const nowMs = clock.now().getTime()
    if (nowMs >= windowEndMs || nowMs < windowEndMs - windowMs) {
      windowEndMs = nowMs + windowMs
      counts.clear()
    }
    const count = (counts.get(caller) ?? 0) + 1
    counts.set(caller, count)
    if (count <= promptly) return

    const ofOne = waiting.get(caller) ?? 0
    if (ofOne >= mostWaiting.ofOne || altogether >= mostWaiting.altogether) {
      throw tooManyRequests('Too many pictures were asked for. Please wait a moment.', 20)
    }
    waiting.set(caller, ofOne + 1)
    altogether += 1
    try {
      await wait(Math.min((count - promptly) * stepMs, longestMs))
    } finally {
      altogether -= 1
      const left = (waiting.get(caller) ?? 1) - 1
      if (left === 0) waiting.delete(caller)
      else waiting.set(caller, left)
    }
  }
}
