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
const home = await makeDataDir('rolling-restart')
const dataDir = join(home.path, 'data')
const app = await makeApp({ dataDir, databaseUrl: connection.url, processes: 2 })
afterAll(async () => {
  await app.stop()
  await home.remove()
})
await app.start()
const world = await buildFaultWorld(app.url, dataDir, connection)

test(
  'a rolling restart of two processes fails no request',
  async () => {
    const load = startLoad(world, form)
    const startedAt = performance.now()
    for (let restarts = 0; restarts < form.kills / 2; restarts++) {
      await sleep(500)
      await app.restartWorkers()
    }
    await sleep(500)
    const endedAt = performance.now()
    const sent = await load.finish()

    const visits = visitsBetween(sent, startedAt, endedAt)
    expect(visits.sentOn).toBe(visits.count)
    expect([sent.failedReports, sent.failedWrites]).toEqual([0, 0])
    expect(
      flawsIn('two processes: rolling restart', await judge(world, sent), {
        'p99 ms': visits.p99Ms,
        'max ms': visits.longestMs,
      }),
    ).toEqual([])
  },
  form.timeoutMs,
)

test.each([1, 2])(
  'a restart requested as soon as the first process is ready stops nothing, with %i processes',
  async (processes) => {
    const early = await makeApp({ dataDir, databaseUrl: connection.url, processes })
    try {
      await early.start()
      await early.restartWorkers()
      expect(await early.health()).toBe(200)
    } finally {
      await early.stop()
    }
  },
)
