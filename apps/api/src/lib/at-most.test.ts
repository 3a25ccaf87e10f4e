import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { atMost, BusyError } from './at-most.ts'

test('no more tasks run at once than allowed, and all of them run in order', async () => {
  const run = atMost({ running: 2, waiting: 10 })
  const started: number[] = []
  let now = 0
  let most = 0
  await Promise.all(
    [1, 2, 3, 4, 5, 6].map((n) =>
      run(async () => {
        started.push(n)
        most = Math.max(most, ++now)
        await nextTurn()
        now -= 1
      }),
    ),
  )
  expect({ started, most }).toEqual({ started: [1, 2, 3, 4, 5, 6], most: 2 })
})

test('a task that finds the queue full is refused', async () => {
  const run = atMost({ running: 1, waiting: 1 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const running = run(() => promise)
  const waiting = run(async () => 'waited')
  await expect(run(async () => 'refused')).rejects.toThrow(BusyError)
  resolve()
  await running
  expect(await waiting).toBe('waited')
})

test('a failed task makes room for the next', async () => {
  const run = atMost({ running: 1, waiting: 0 })
  await expect(run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await run(async () => 'next')).toBe('next')
})
