import type { Clock } from './clock.ts'

/**
 * Caches an answer for many callers: `load` runs at most once every `ms`, and concurrent callers share a
 * running load. Failures are not cached.
 */
export function sharedFor<T>(
  ms: number,
  load: () => Promise<T>,
  { clock }: { clock: Clock },
): () => Promise<T> {
  let last: { answer: Promise<T>; since: number } | undefined

  return () => {
    const now = clock.now().getTime()
    // If the clock is set back, a cached answer must not live forever.
    if (last && Math.abs(now - last.since) < ms) return last.answer
    const asked = { answer: load(), since: now }
    last = asked
    asked.answer.catch(() => {
      if (last === asked) last = undefined
    })
    return asked.answer
  }
}
