import type { TrackedLink } from '@tallyroom/domain/tracked-link'

/** Limits how many clicks of one subscriber per minute count for one link. */
export type VisitLimit = {
  /** Counts the visit and returns whether it is within the limit. */
  takes(visit: { link: TrackedLink; at: Date; visitor: string }): boolean
}

/**
 * Counts per minute in this process only. Whole countries behind one address stay below the limit, so it need
 * not be exact. With `most` 0 there is no limit.
 */
export function startVisitLimit(most: number): VisitLimit {
  let minute = 0
  const counts = new Map<string, number>()
  return {
    takes({ link, visitor, at }) {
      if (most === 0) return true
      const now = Math.floor(at.getTime() / 60_000)
      if (now !== minute || counts.size >= MOST_COUNTED) {
        counts.clear()
        minute = now
      }
      const key = `${link.agentId} ${link.typeId} ${visitor}`
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count <= most
    },
  }
}

/** Bounds the memory used by a flood from many addresses. Resetting the counts only lets more through. */
const MOST_COUNTED = 200_000
