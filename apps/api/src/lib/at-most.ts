/** The queue is full. The error handler reads `statusCode` and answers UNAVAILABLE. */
export class BusyError extends Error {
  override name = 'BusyError'
  readonly statusCode = 503
}

/**
 * A concurrency limit: runs at most `running` tasks, queues up to `waiting` more (FIFO), and throws {@link
 * BusyError} when the queue is full.
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
      // Hands the slot directly to the next task, so that a newcomer cannot take it first.
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

/**
 * Holds a slot of an `atMost` limit while a generator is consumed: from its first value to its end.
 */
export async function* streamWithin<T>(
  run: (task: () => Promise<void>) => Promise<void>,
  make: () => AsyncIterable<T>,
): AsyncGenerator<T> {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  await new Promise<void>((begin, refuse) => {
    run(() => {
      begin()
      return isOver
    }).catch(refuse)
  })
  try {
    yield* make()
  } finally {
    end()
  }
}
