/** Pseudo-random numbers, the same for each seed, so that a failure can be repeated. */
export type Random = {
  /** From 0 inclusive to `count` exclusive. */
  below(count: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

/** The generator known as mulberry32. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    below,
    chance: (probability) => next() < probability,
    pick: <T>(list: readonly T[]): T => {
      if (list.length === 0) throw new RangeError('there is nothing to pick from')
      return list[below(list.length)] as T // every index is in the list
    },
  }
}
