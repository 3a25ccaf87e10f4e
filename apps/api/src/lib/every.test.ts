import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fixedClock } from './clock.ts'
import { every } from './every.ts'
import { silentLog } from './log/log.ts'

test('a task runs repeatedly, and never twice at once', async () => {
  let [runs, atOnce, mostAtOnce] = [0, 0, 0]
  const task = every(
    'count',
    1,
    async () => {
      runs++
      mostAtOnce = Math.max(mostAtOnce, ++atOnce)
      await sleep(5)
      atOnce--
    },
    { log: silentLog },
  )
  while (runs < 3) await Promise.all([task.runNow(), task.runNow(), sleep(3)])
  await task.stop()
  expect(mostAtOnce).toBe(1)
})

test('a failure is logged and the task goes on', async () => {
  const told: unknown[] = []
  const log = { ...silentLog, error: (...said: unknown[]) => told.push(said) }
  let runs = 0
  const task = every(
    'flaky',
    60_000,
    async () => {
      if (++runs === 1) throw new Error('once')
    },
    { log },
  )
  await task.runNow()
  await task.runNow()
  await task.stop()
  expect(runs).toBe(2)
  expect(told).toEqual([[{ err: new Error('once'), task: 'flaky' }, 'a recurring task failed']])
})

test('the same failure is logged once until the task works again or fails differently', async () => {
  const told: unknown[] = []
  const log = { ...silentLog, error: (said: unknown) => void told.push(said) }
  const outcomes = ['away', 'away', 'away', 'gone', '', 'gone']
  const task = every(
    'flaky',
    60_000,
    async () => {
      const message = outcomes.shift()
      if (message) throw new Error(message)
    },
    { log },
  )
  while (outcomes.length > 0) await task.runNow()
  await task.stop()
  expect(told).toEqual(
    ['away', 'gone', 'gone'].map((message) => ({ err: new Error(message), task: 'flaky' })),
  )
})

test('stop waits for a running task, which does not run again', async () => {
  let [begun, ended] = [0, 0]
  const task = every(
    'slow',
    1,
    async () => {
      begun++
      await sleep(20)
      ended++
    },
    { log: silentLog },
  )
  void task.runNow()
  await task.stop()
  expect([begun, ended]).toEqual([1, 1])
  await sleep(10)
  await task.runNow()
  expect(begun).toBe(1)
})

test('a fixed clock advances only on request', () => {
  const clock = fixedClock('2026-03-08T06:59:59-00:00') // it is what is tested
  expect(clock.now()).toEqual(new Date('2026-03-08T06:59:59Z'))
  clock.advance(1_000)
  expect(clock.now()).toEqual(new Date('2026-03-08T07:00:00Z'))
  clock.set('2026-11-01T00:00:00-04:00')
  expect(clock.now()).toEqual(new Date('2026-11-01T04:00:00Z'))
  expect(() => clock.set('2026-11-01T00:00:00')).toThrow('not an instant')
})
