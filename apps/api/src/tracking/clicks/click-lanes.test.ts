import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '../../lib/log/log.ts'
import { ClickLanes } from './click-lanes.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const workerAway = Object.assign(new pg.DatabaseError('connection failed', 0, 'error'), {
  code: '08006',
})

/** Lanes to a coordinator that accepts every connection. */
async function startLane(count = 1) {
  const [said, warned] = [[] as string[], [] as string[]]
  const sayTo =
    (lines: string[]) =>
    (...words: [string] | [object, string]) =>
      void lines.push(words.at(-1) as string)
  const [say, warn] = [sayTo(said), sayTo(warned)]
  let sessions = 0
  let isFull = false
  const open = async () => {
    if (isFull) throw workerAway
    sessions++
    // Never connected; only its events and its end are used.
    return new pg.Client()
  }
  const lanes = new ClickLanes(count, open, { ...silentLog, info: say, error: say, warn }, () => {})
  vi.advanceTimersByTime(1)
  await lanes.connect()
  /** Connects once every 250 ms, as the recorder does, and fails each batch. */
  async function refuseFor(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds * 1_000; passed += 250) {
      for (const lane of lanes.free) lanes.fail(lane, workerAway)
      vi.advanceTimersByTime(250)
      await lanes.connect()
    }
  }
  /** Refuses connections from now on. */
  const fill = () => void (isFull = true)
  return { lanes, said, warned, refuseFor, fill, sessions: () => sessions }
}

test('a coordinator that refuses every batch is tried less and less often, and logged once', async () => {
  const { said, refuseFor, sessions } = await startLane()
  await refuseFor(30)
  expect(said).toEqual(['the database does not accept clicks: spooling to disk'])
  expect(sessions()).toBeLessThan(14)
})

test('recovery is logged once it has refused nothing for a while', async () => {
  const { lanes, said, refuseFor } = await startLane()
  await refuseFor(30)
  vi.advanceTimersByTime(5_000)
  await lanes.connect()
  expect(said).toHaveLength(1)
  lanes.succeed()
  expect(said.at(-1)).toBe('the database accepts clicks again')
  const [lane] = lanes.free
  if (!lane) throw new Error('the lane is not connected')
  lanes.fail(lane, workerAway)
  vi.advanceTimersByTime(1)
  await lanes.connect()
  expect(lanes.free).toHaveLength(1)
})

test('after a lost connection it is retried at once, and recovery is logged with the first answer', async () => {
  const { lanes, said } = await startLane()
  for (let losses = 0; losses < 5; losses++) {
    for (const lane of lanes.free) lanes.fail(lane, new Error('Connection terminated'))
    vi.advanceTimersByTime(1)
    await lanes.connect()
    expect(lanes.free).toHaveLength(1)
  }
  expect(said).toHaveLength(10)
})

test.each(['pauses', 'cannot be opened'])(
  'a session that %s is logged once while the other one goes on',
  async (what) => {
    const { lanes, said, warned, fill } = await startLane(2)
    if (what === 'cannot be opened') fill()
    for (let times = 0; times < 8; times++) {
      const [, second] = lanes.free
      if (second) lanes.fail(second, workerAway)
      vi.advanceTimersByTime(250)
      await lanes.connect()
    }
    expect(lanes.free.length).toBeGreaterThan(0)
    expect(said).toEqual([])
    expect(warned).toEqual(['a database session for clicks pauses after failures'])
  },
)
