/** The one source of "now". Passed to whoever needs it, so that a test decides what time it is. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** The clocks of several processes, on several machines, differ by less. */
export const MOST_SKEW_MS = 60_000

export type FixedClock = Clock & {
  set(iso: string): void
  advance(ms: number): void
}

/** A clock for tests: stands still until it is told. `iso` is an instant with its zone. */
export function fixedClock(iso: string): FixedClock {
  let now = parseInstant(iso)
  return {
    now: () => new Date(now),
    set(next) {
      now = parseInstant(next)
    },
    advance(ms) {
      now += ms
    },
  }
}

function parseInstant(iso: string): number {
  const instant = Date.parse(iso)
  // Without a zone the instant would depend on the machine.
  if (Number.isNaN(instant) || !/(Z|[+-]\d\d:?\d\d)$/.test(iso)) {
    throw new RangeError(`${iso} is not an instant with its zone`)
  }
  return instant
}
