import type { Clock } from '../../lib/clock.ts'
import { subscriberOf } from '../../lib/net/ip-address.ts'

/** Limits for storing refusals without a valid key, per minute, for one subscriber and in total. */
const MAX_PER_SUBSCRIBER = 20
const MAX_ALTOGETHER = 200
const WINDOW_MS = 60_000

export type RefusalLimit = {
  /** Undefined if a refusal may be stored; otherwise the seconds until one may be. */
  take(ip: string): { retryAfter: number } | undefined
}

/** Keeps strangers from filling the disk with refused postbacks. Requests with a valid key are not counted. */
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
