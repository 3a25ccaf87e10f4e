import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../database.ts'
import { makeApp } from './app-process.ts'
import { buildFaultWorld, makeDataDir } from './fault-world.ts'
import { flawsIn, form } from './form.ts'
import { startLoad, visitsBetween } from './load.ts'
import { judge } from './oracle.ts'

const { connection } = await testDatabase()
const home = await makeDataDir('clock')
const dataDir = join(home.path, 'data')
const app = await makeApp({ dataDir, databaseUrl: connection.url })
afterAll(async () => {
  await app.stop()
  await home.remove()
})
await app.start()
const world = await buildFaultWorld(app.url, dataDir, connection)

const hourMs = 3_600_000
/**
 * An hour back, more than a day forward, and back again at once. A session would not survive an
 * idle step of twelve hours.
 */
const steps = [-1, 10, 21, 32, 0, -1, 0].map((hours) => hours * hourMs)

test(
  'while the clock jumps, nothing fails and everything is stored once',
  async () => {
    const load = startLoad(world, form)
    const startedAt = performance.now()
    for (const ms of steps) {
      app.shiftClock(ms)
      // Every session must be used within each step, even on a busy machine.
      await sleep(form.outageMs / 2)
    }
    const endedAt = performance.now()
    const sent = await load.finish()
    const visits = visitsBetween(sent, startedAt, endedAt)
    expect(visits.sentOn).toBe(visits.count)
    expect([sent.failedReports, sent.failedWrites]).toEqual([0, 0])
    expect(flawsIn('clock steps', await judge(world, sent), { steps: steps.length })).toEqual([])
  },
  form.timeoutMs,
)
