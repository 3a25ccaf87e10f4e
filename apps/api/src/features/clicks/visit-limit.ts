import { visitorOf } from '../../lib/ip-address.ts'
import type { Visit } from './decide-click.ts'

/** How many clicks a minute one subscriber may add to the figures of one link. */
export type VisitLimit = {
  /** Counts the visit, and says whether it is within the limit. */
  takes(visit: Pick<Visit, 'link' | 'ip' | 'at'>): boolean
}

/**
 * Counts by the minute, in this process alone: a limit that whole countries behind one address stay below need not
 * be exact. `most` 0: no limit.
 */
export function startVisitLimit(most: number): VisitLimit {
  let minute = 0
  const counts = new Map<string, number>()
  return {
    takes({ link, ip, at }) {
      if (most === 0) return true
      const now = Math.floor(at.getTime() / 60_000)
      if (now !== minute || counts.size >= MOST_COUNTED) {
        counts.clear()
        minute = now
      }
      const key = `${link.agentId} ${link.typeId} ${visitorOf(ip)}`
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count <= most
    },
  }
}

/** Bounds the memory of a flood from many addresses. Counting anew only lets more through. */
const MOST_COUNTED = 200_000
