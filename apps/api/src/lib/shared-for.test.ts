import { expect, test } from 'vitest'
import { fixedClock } from './clock.ts'
import { sharedFor } from './shared-for.ts'

const clock = fixedClock('2026-03-01T15:00:00Z')

test('one answer for all callers within the time, another one afterwards', async () => {
  let loads = 0
  const ask = sharedFor(5_000, async () => ++loads, { clock })

  expect(await Promise.all([ask(), ask()])).toEqual([1, 1])
  clock.advance(4_999)
  expect(await ask()).toBe(1)
  clock.advance(1)
  expect(await ask()).toBe(2)
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
