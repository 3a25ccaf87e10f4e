import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { until } from '../until.ts'
import { makeApp } from './app-process.ts'
import { buildFaultWorld, makeDataDir } from './fault-world.ts'
import { flawsIn, form } from './form.ts'
import { startLoad, visitsBetween } from './load.ts'
import { judge } from './oracle.ts'
import { startPostgres } from './postgres-server.ts'

const home = await makeDataDir('server')
const postgres = await startPostgres(home.path)
const dataDir = join(home.path, 'app')
await mkdir(dataDir)
const { connection } = postgres
const app = await makeApp({ dataDir, databaseUrl: connection.url, processes: 2 })
afterAll(async () => {
  await app.kill()
  await postgres.kill()
  await home.remove()
})
await app.start()
const world = await buildFaultWorld(app.url, dataDir, connection)
const title = (what: string) => `PostgreSQL ${postgres.version}: ${what}`

test(
  'kill -9 of two processes under load loses no answered click and no answered sale',
  async () => {
    const load = startLoad(world, form)
    for (let kills = 0; kills < form.kills; kills++) {
      await sleep(500 + Math.random() * 1_000)
      await app.kill()
      await app.start()
    }
    await sleep(500)
    expect(flawsIn(title('kill -9 of the app'), await judge(world, await load.finish()))).toEqual(
      [],
    )
  },
  form.timeoutMs,
)

test(
  'while PostgreSQL is stopped, visitors are redirected and their clicks are stored afterwards',
  async () => {
    const load = startLoad(world, form)
    await sleep(500)
    const stoppedAt = performance.now()
    await postgres.stop()
    await sleep(form.outageMs)
    expect(await app.health()).toBe(503)
    const startedAt = performance.now()
    await postgres.start()
    await app.untilReady()
    await sleep(500)
    const sent = await load.finish()
    const visits = visitsBetween(sent, stoppedAt, startedAt)
    expect(visits.sentOn).toBe(visits.count)
    expect(visits.p99Ms).toBeLessThan(form.longestVisitMs)
    expect(
      flawsIn(title('stopped'), await judge(world, sent), {
        'p99 ms': visits.p99Ms,
        'max ms': visits.longestMs,
      }),
    ).toEqual([])
  },
  form.timeoutMs,
)

test(
  'kill -9 of PostgreSQL under load loses nothing',
  async () => {
    const load = startLoad(world, form)
    const startedAt = performance.now()
    for (let kills = 0; kills < form.kills; kills++) {
      await sleep(500 + Math.random() * 1_000)
      await postgres.kill()
      await postgres.start()
      await app.untilReady()
    }
    const endedAt = performance.now()
    await sleep(500)
    const sent = await load.finish()
    const visits = visitsBetween(sent, startedAt, endedAt)
    expect(visits.sentOn).toBe(visits.count)
    expect(
      flawsIn(title('kill -9 of PostgreSQL'), await judge(world, sent), {
        'p99 ms': visits.p99Ms,
        'max ms': visits.longestMs,
      }),
    ).toEqual([])
  },
  form.timeoutMs,
)

test.runIf(process.platform === 'linux')(
  'while PostgreSQL hangs, visitors are redirected and their clicks are stored afterwards',
  async () => {
    const load = startLoad(world, form)
    await sleep(500)
    const thaw = await postgres.freeze()
    const frozenAt = performance.now()
    await sleep(form.outageMs).finally(thaw)
    const thawedAt = performance.now()
    await app.untilReady()
    await sleep(500)
    const sent = await load.finish()
    const visits = visitsBetween(sent, frozenAt, thawedAt)
    expect(visits.sentOn).toBe(visits.count)
    expect(visits.longestMs).toBeLessThan(form.longestVisitMs)
    expect(
      flawsIn(title('hangs'), await judge(world, sent), {
        'p99 ms': visits.p99Ms,
        'max ms': visits.longestMs,
      }),
    ).toEqual([])
  },
  form.timeoutMs,
)

test(
  'an app killed while PostgreSQL is stopped waits for it on restart and then stores the spooled clicks',
  async () => {
    const load = startLoad(world, form)
    await sleep(500)
    await postgres.stop()
    await sleep(1_000)
    await app.kill()
    app.launch()
    await until(async () => (await app.health()) === 503, 30_000)
    await sleep(form.outageMs / 2)
    expect(await app.health()).toBe(503)
    await postgres.start()
    await app.untilReady()
    await sleep(500)
    expect(
      flawsIn(title('app killed while stopped'), await judge(world, await load.finish())),
    ).toEqual([])
  },
  form.timeoutMs,
)
