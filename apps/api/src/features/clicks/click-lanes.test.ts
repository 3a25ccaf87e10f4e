import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '../../lib/log.ts'
import { ClickLanes } from './click-lanes.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const workerAway = Object.assign(new pg.DatabaseError('connection failed', 0, 'error'), {
  code: '08006',
})

/** One lane to a coordinator that accepts every connection. */
async function startLane() {
  const said: string[] = []
  const say = (...words: [string] | [object, string]) => void said.push(words.at(-1) as string)
  let sessions = 0
  const open = async () => {
    sessions++
    // Never connected; only its events and its end are used.
    return new pg.Client()
  }
  const lanes = new ClickLanes(1, open, { ...silentLog, info: say, error: say }, () => {})
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
  return { lanes, said, refuseFor, sessions: () => sessions }
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
