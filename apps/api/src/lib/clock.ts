/** The only source of "now", injected so that tests control the time. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** Upper bound for the clock skew between processes on several machines. */
export const MOST_SKEW_MS = 60_000

export type FixedClock = Clock & {
  set(iso: string): void
  advance(ms: number): void
}

/** A clock for tests, which advances only on request. `iso` needs a time zone. */
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
  // Without a zone, the instant would depend on the machine.
  if (Number.isNaN(instant) || !/(Z|[+-]\d\d:?\d\d)$/.test(iso)) {
    throw new RangeError(`${iso} is not an instant with its zone`)
  }
  return instant
}
