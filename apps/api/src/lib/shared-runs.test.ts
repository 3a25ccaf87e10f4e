import { expect, test } from 'vitest'
import { sharedRuns } from './shared-runs.ts'

/** Numbered runs that end on request. */
function startRuns() {
  const ends: PromiseWithResolvers<void>[] = []
  const ask = sharedRuns(async () => {
    const number = ends.push(Promise.withResolvers<void>())
    await ends[number - 1]?.promise
    return number
  })
  return { ask, ends }
}

test('callers that arrive during a run share the next one', async () => {
  const { ask, ends } = startRuns()
  const first = ask()
  const later = [ask(), ask()]
  expect(ends).toHaveLength(1)

  ends[0]?.resolve()
  expect(await first).toBe(1)
  await expect.poll(() => ends.length).toBe(2)
  const last = ask()
  ends[1]?.resolve()
  expect(await Promise.all(later)).toEqual([2, 2])
  await expect.poll(() => ends.length).toBe(3)
  ends[2]?.resolve()
  expect(await last).toBe(3)
})

test('a run that fails fails only its own callers', async () => {
  const { ask, ends } = startRuns()
  const [first, second] = [ask(), ask()]
  ends[0]?.reject(new Error('away'))

  await expect(first).rejects.toThrow('away')
  await expect.poll(() => ends.length).toBe(2)
  ends[1]?.resolve()
  expect(await second).toBe(2)
})
