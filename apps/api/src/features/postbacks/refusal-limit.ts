import type { Clock } from '../../lib/clock.ts'
import { subscriberOf } from '../../lib/ip-address.ts'

/** How many refusals without a valid key are kept a minute, from one subscriber and from all together. */
const MAX_PER_SUBSCRIBER = 20
const MAX_ALTOGETHER = 200
const WINDOW_MS = 60_000

export type RefusalLimit = {
  /** Whether a refusal may be kept; otherwise in how many seconds one may again. */
  take(ip: string): { retryAfter: number } | undefined
}

/** Keeps strangers from filling the disk with refused postbacks. Whoever has the key is not counted. */
export function makeRefusalLimit(clock: Clock): RefusalLimit {
  let windowEndMs = 0
  let altogether = 0
  const bySubscriber = new Map<string, number>()

  return {
    take(ip) {
      const nowMs = clock.now().getTime()
      if (nowMs >= windowEndMs) {
        windowEndMs = nowMs + WINDOW_MS
        altogether = 0
        bySubscriber.clear()
      }
      const subscriber = subscriberOf(ip)
      const own = bySubscriber.get(subscriber) ?? 0
      if (own >= MAX_PER_SUBSCRIBER || altogether >= MAX_ALTOGETHER) {
        return { retryAfter: Math.ceil((windowEndMs - nowMs) / 1000) }
      }
      altogether += 1
      bySubscriber.set(subscriber, own + 1)
      return undefined
    },
  }
}
