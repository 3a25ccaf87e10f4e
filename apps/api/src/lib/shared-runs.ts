/**
 * Runs `work` for many callers, one run at a time. Callers that arrive during a run share the next one, so every run
 * begins after all of its callers arrived. A failure reaches only the callers of that run.
 */
export function sharedRuns<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<void> | undefined
  let next: Promise<T> | undefined

  function start(): Promise<T> {
    next = undefined
    const run = work()
    running = run.then(
      () => (running = undefined),
      () => (running = undefined),
    )
    return run
  }

  return () => {
    if (next) return next
    if (!running) return start()
    return (next = running.then(start))
  }
}
