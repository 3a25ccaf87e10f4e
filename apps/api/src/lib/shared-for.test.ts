import { beforeEach, expect, test } from 'vitest'
import { movingClock } from './clock.ts'
import { sharedFor } from './shared-for.ts'

const START = '2026-03-01T15:00:00Z'
const clock = movingClock(START)
beforeEach(() => clock.set(START))

/** Sets the clock for the next reading. */
const after = (ms: number) => clock.set(new Date(Date.parse(START) + ms).toISOString())

test('one answer for all callers within the time, another one afterwards', async () => {
  let loads = 0
  const ask = sharedFor(5_000, async () => ++loads, { clock })

  expect(await Promise.all([ask(), ask()])).toEqual([1, 1])
  after(4_999)
  expect(await ask()).toBe(1)
  after(10_000)
  expect(await ask()).toBe(2)
})

/** Shares loads that the test ends itself, in the order in which they began. */
function shareHeld() {
  const loads: PromiseWithResolvers<string>[] = []
  const load = () => {
    const held = Promise.withResolvers<string>()
    loads.push(held)
    return held.promise
  }
  return { loads, ask: sharedFor(5_000, load, { clock }) }
}

test('while many keep asking, nobody waits for the next answer', async () => {
  const { ask, loads } = shareHeld()
  const first = ask()
  loads[0]?.resolve('one')
  expect(await first).toBe('one')

  after(5_000)
  expect(await ask()).toBe('one')
  expect(await ask()).toBe('one')
  expect(loads).toHaveLength(2)
  loads[1]?.resolve('two')
  await loads[1]?.promise
  expect(await ask()).toBe('two')

  after(14_999)
  expect(await ask()).toBe('two')
  after(15_000)
  const third = ask()
  loads[2]?.resolve('three')
  expect(await third).toBe('three')
})

test('a slow answer never replaces a newer one', async () => {
  const { ask, loads } = shareHeld()
  const slow = ask()
  after(5_000)
  const quick = ask()
  loads[1]?.resolve('newer')
  expect(await quick).toBe('newer')
  loads[0]?.resolve('older')
  expect(await slow).toBe('older')
  expect(await ask()).toBe('newer')
})

test('after a failure in between, the next caller waits and hears of it', async () => {
  let isAway = false
  const ask = sharedFor(
    5_000,
    async () => {
      if (isAway) throw new Error('away')
      return 'here'
    },
    { clock },
  )
  await ask()
  isAway = true
  after(6_000)
  expect(await ask()).toBe('here')
  after(10_000)
  await expect(ask()).rejects.toThrow('away')
})

test('a failure is not cached', async () => {
  let loads = 0
  const ask = sharedFor(
    5_000,
    async () => {
      if (++loads === 1) throw new Error('away')
      return loads
    },
    { clock },
  )

  await expect(ask()).rejects.toThrow('away')
  expect(await ask()).toBe(2)
})
