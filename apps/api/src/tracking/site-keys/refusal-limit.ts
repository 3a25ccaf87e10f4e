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

/** Refusals of requests with a valid key that could not be parsed, which are stored a minute for one site. */
const MAX_PER_SITE = 20

export type SiteLimit = {
  /** Whether one more of this site may be stored. */
  take(siteId: number): boolean
}

/** Keeps a merchant's broken client, or one that floods, from filling the disk with what nobody could parse. */
export function makeSiteLimit(clock: Clock): SiteLimit {
  let windowEndMs = 0
  const bySite = new Map<number, number>()

  return {
    take(siteId) {
      const nowMs = clock.now().getTime()
      if (nowMs >= windowEndMs) {
        windowEndMs = nowMs + WINDOW_MS
        bySite.clear()
      }
      const taken = bySite.get(siteId) ?? 0
      if (taken >= MAX_PER_SITE) return false
      bySite.set(siteId, taken + 1)
      return true
    },
  }
}
