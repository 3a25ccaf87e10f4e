import { expect, test } from 'vitest'
import { makeRowSaves } from './row-saves.ts'

type Change = { a?: number; b?: number }

/** Saves that finish on demand. */
function slowSaves() {
  const sent: [row: number, change: Change][] = []
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = []
  const saves = makeRowSaves<Change>((row, change) => {
    sent.push([row, change])
    return new Promise<void>((resolve, reject) => ends.push({ resolve, reject }))
  })
  const settle = async (index: number, failure?: string) => {
    if (failure === undefined) ends[index]?.resolve()
    else ends[index]?.reject(new Error(failure))
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  return { saves, sent, settle }
}

test('changes of one row are saved in sequence, and those of different rows in parallel', async () => {
  const { saves, sent, settle } = slowSaves()
  saves.change(1, { a: 1 })
  saves.change(1, { b: 2 })
  saves.change(2, { a: 3 })
  expect(sent).toEqual([
    [1, { a: 1 }],
    [2, { a: 3 }],
  ])
  expect(saves.states().get(1)).toEqual({ waiting: [{ a: 1 }, { b: 2 }] })

  await settle(0)
  expect(sent[2]).toEqual([1, { b: 2 }])
  expect(saves.states().get(1)).toEqual({ waiting: [{ b: 2 }], outcome: { kind: 'saved' } })
  await settle(2)
  expect(saves.states().get(1)).toEqual({ waiting: [], outcome: { kind: 'saved' } })
})

test('after a failure, queued changes are not sent, and all of them can be retried', async () => {
  const { saves, sent, settle } = slowSaves()
  saves.change(1, { a: 1 })
  saves.change(1, { a: 2, b: 2 })
  await settle(0, 'no connection')
  expect(sent).toHaveLength(1)
  const failed = { kind: 'failed', reason: 'no connection', change: { a: 2, b: 2 } }
  expect(saves.states().get(1)).toEqual({ waiting: [], outcome: failed })

  saves.change(1, { a: 2, b: 2 })
  await settle(1)
  expect(saves.states().get(1)).toEqual({ waiting: [], outcome: { kind: 'saved' } })
})

test('subscribers are notified of each step', async () => {
  const { saves, settle } = slowSaves()
  let told = 0
  const stop = saves.subscribe(() => told++)
  saves.change(1, { a: 1 })
  expect(told).toBe(1)
  await settle(0)
  expect(told).toBe(2)
  stop()
  saves.change(1, { a: 2 })
  expect(told).toBe(2)
})
