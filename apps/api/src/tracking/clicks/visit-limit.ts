import { randomInt } from 'node:crypto'
import type { TrackedLink } from '@tallyroom/domain/tracked-link'

/** Limits how many clicks of one subscriber per minute count for one link. */
export type VisitLimit = {
  /** Counts the visit and returns whether it is within the limit. */
  takes(visit: { link: TrackedLink; at: Date; visitor: string }): boolean
}

/**
 * Counts per minute in this process only. Whole countries behind one address stay below the limit, so it need
 * not be exact. With `most` 0 there is no limit.
 *
 * A count-min sketch: each visitor has a counter in each of two rows, and the lower one counts. Visitors who share a counter
 * can only raise each other's, so a flood never passes. To share both with a given visitor, an attacker would have to know the
 * seeds. A map of visitors, most of them new, took a seventh of the server's time for a click.
 */
export function startVisitLimit(most: number): VisitLimit {
  let minute = 0
  const rows = [randomInt(2 ** 32), randomInt(2 ** 32)].map((seed) => ({
    seed,
    counts: new Uint32Array(COUNTERS),
  }))
  return {
    takes({ link, visitor, at }) {
      if (most === 0) return true
      const now = Math.floor(at.getTime() / 60_000)
      if (now !== minute) {
        for (const { counts } of rows) counts.fill(0)
        minute = now
      }
      let lowest = Infinity
      for (const { seed, counts } of rows) {
        const place = hash(seed, link, visitor) % COUNTERS
        const count = (counts[place] ?? 0) + 1
        counts[place] = count
        lowest = Math.min(lowest, count)
      }
      return lowest <= most
    },
  }
}

/** Of each row; half a megabyte. A million visitors per minute add about eight to each other's counts. */
const COUNTERS = 2 ** 17

/** FNV-1a over the link and the characters, from a seed, then MurmurHash's last step, so that every bit depends on all. */
function hash(seed: number, { agentId, typeId }: TrackedLink, visitor: string): number {
  let bits = mix(mix(seed, agentId), typeId)
  for (let index = 0; index < visitor.length; index++) bits = mix(bits, visitor.charCodeAt(index))
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

const mix = (bits: number, value: number) => Math.imul(bits ^ value, 0x01000193)
