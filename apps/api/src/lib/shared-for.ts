import type { Clock } from './clock.ts'

/** An answer that is loading or loaded, when that began, and its place among all. */
type Asked<T> = { answer: Promise<T>; since: number; place: number }

/**
 * Caches an answer for many callers: `load` runs at most once every `ms`, and concurrent callers share a
 * running load. For up to `ms` more, callers get the answer before, so that nobody waits while many keep asking.
 * Failures are not cached.
 */
export function sharedFor<T>(
  ms: number,
  load: () => Promise<T>,
  { clock }: { clock: Clock },
): () => Promise<T> {
  let last: Asked<T> | undefined
  let loaded: Asked<T> | undefined
  let loads = 0

  function ask(now: number): Asked<T> {
    const asked: Asked<T> = { answer: load(), since: now, place: ++loads }
    last = asked
    asked.answer.then(
      () => {
        // A slow load may end after the one that followed it.
        if (!loaded || loaded.place < asked.place) loaded = asked
      },
      () => {
        if (last === asked) last = undefined
      },
    )
    return asked
  }

  return () => {
    const now = clock.now().getTime()
    // If the clock is set back, a cached answer must not live forever.
    const isWithin = (asked: Asked<T> | undefined, limit: number): asked is Asked<T> =>
      asked !== undefined && Math.abs(now - asked.since) < limit
    const current = isWithin(last, ms) ? last : ask(now)
    return isWithin(loaded, 2 * ms) ? loaded.answer : current.answer
  }
}
