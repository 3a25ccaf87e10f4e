import type { Clock } from './clock.ts'

/**
 * Answers that many ask for at once and that may be a little old: `load` runs at most once every `ms`, and
 * everybody who asks meanwhile gets its answer, also while it is still under way. A failure is not kept.
 */
export function sharedFor<T>(
  ms: number,
  load: () => Promise<T>,
  { clock }: { clock: Clock },
): () => Promise<T> {
  let last: { answer: Promise<T>; since: number } | undefined

  return () => {
    const now = clock.now().getTime()
    // A clock that was set back must not make an answer last for ever.
    if (last && Math.abs(now - last.since) < ms) return last.answer
    const asked = { answer: load(), since: now }
    last = asked
    asked.answer.catch(() => {
      if (last === asked) last = undefined
    })
    return asked.answer
  }
}
