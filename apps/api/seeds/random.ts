import { createHash } from 'node:crypto'

/** Deterministic randomness: the name determines the sequence. */
export type Random = {
  /** From 0 inclusive to 1 exclusive. */
  next(): number
  /** A whole number from 0 inclusive to `before` exclusive. */
  below(before: number): number
  /** From `from` inclusive to `before` exclusive. */
  between(from: number, before: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** How often an event with the given mean occurs (Poisson). */
  count(mean: number): number
  /** The time until an event with the given mean (exponential). */
  wait(mean: number): number
  bytes(length: number): Buffer
}

/** An independent sequence for each name, so that one part of a world does not affect others. */
export function createRandom(name: string): Random {
  const next = sfc32(createHash('sha256').update(name).digest())
  const below = (before: number) => Math.floor(next() * before)
  return {
    next,
    below,
    between: (from, before) => from + next() * (before - from),
    chance: (probability) => next() < probability,
    pick(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new RangeError('There is nothing to pick from')
      return item
    },
    count(mean) {
      // Knuth's method, as the means are small.
      const limit = Math.exp(-mean)
      let product = next()
      let count = 0
      while (product > limit) {
        product *= next()
        count++
      }
      return count
    },
    wait: (mean) => -mean * Math.log(1 - next()),
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  }
}

/** Chris Doty-Humphrey's Small Fast Counting generator, 32 bits. */
function sfc32(seed: Buffer): () => number {
  let [a, b, c, counter] = [0, 4, 8, 12].map((offset) => seed.readInt32LE(offset)) as [
    number,
    number,
    number,
    number,
  ]
  return () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }
}
