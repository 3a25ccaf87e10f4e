import { setTimeout as sleep } from 'node:timers/promises'
import { tooManyRequests } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'

const windowMs = 60_000
/** Captchas per minute without delay. */
const promptly = 30
/** Each further one is delayed by this much more. */
const stepMs = 100
const longestMs = 20_000
/** A waiting caller holds a connection and a timer, but no database session. */
const mostWaiting = { ofOne: 100, altogether: 1_000 }

/** Waits until the caller may get a captcha. */
export type CaptchaPace = (caller: string) => Promise<void>

/**
 * Rate-limits captchas by delay, so that the fortieth person of an office is not refused. Per process, since it
 * protects the CPU of the process.
 *
 * @throws TOO_MANY_REQUESTS (from the returned function) if too many callers wait.
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
      throw tooManyRequests('Too many captcha requests. Please wait a moment.', 20)
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
