/** Holds a place, as `atMost` gives them, from the first value that is asked for until the last is taken. */
export async function* inTurn<T>(
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
