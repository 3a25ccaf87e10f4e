import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until a condition is true. Throws if it is still false after the time limit. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  longestMs = 60_000,
): Promise<void> {
  const startedAt = performance.now()
  while (!(await isTrue())) {
    if (performance.now() - startedAt > longestMs) {
      throw new Error(`It did not become true within ${longestMs} ms: ${isTrue.toString()}`)
    }
    await sleep(5)
  }
}
