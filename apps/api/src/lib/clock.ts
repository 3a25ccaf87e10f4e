/** The only source of "now", injected so that tests control the time. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** Upper bound for the clock skew between processes on several machines. */
export const MOST_SKEW_MS = 60_000

export type SettableClock = Clock & {
  /** What the next reading will show. */
  peek(): Date
  set(iso: string): void
  advance(ms: number): void
}

/** A clock that advances only on request. `iso` needs a time zone. */
export const fixedClock = (iso: string): SettableClock => clockFrom(iso, 0)

/**
 * The clock of tests: each reading is a millisecond later than the one before, as on a busy machine, which shows where one act
 * has two instants.
 */
export const movingClock = (iso: string): SettableClock => clockFrom(iso, 1)

function clockFrom(iso: string, stepMs: number): SettableClock {
  let now = parseInstant(iso)
  return {
    now() {
      const read = new Date(now)
      now += stepMs
      return read
    },
    peek: () => new Date(now),
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
