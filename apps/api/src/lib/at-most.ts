/** Too much of the same work is already waiting. The error handler reads `statusCode`: the answer is UNAVAILABLE. */
export class BusyError extends Error {
  override name = 'BusyError'
  readonly statusCode = 503
}

/**
 * Lets at most `running` tasks run at once; up to `waiting` more wait their turn, first come, first served.
 * Tasks are started by the returned function, which throws {@link BusyError} when the queue is full.
 */
export function atMost({ running, waiting }: { running: number; waiting: number }) {
  const queue: (() => void)[] = []
  let taken = 0

  return async function run<T>(task: () => Promise<T>): Promise<T> {
    if (taken < running) taken += 1
    else await turn()
    try {
      return await task()
    } finally {
      // A waiting task takes over the place, so that nobody who comes just now can slip in before it.
      const next = queue.shift()
      if (next) next()
      else taken -= 1
    }
  }

  function turn(): Promise<void> {
    if (queue.length >= waiting) throw new BusyError('too many tasks are waiting')
    return new Promise((resolve) => queue.push(resolve))
  }
}
