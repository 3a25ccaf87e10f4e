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

const home = await makeDataDir('double-kill')
const postgres = await startPostgres(home.path)
const dataDir = join(home.path, 'app')
await mkdir(dataDir)
const app = await makeApp({ dataDir, databaseUrl: postgres.connection.url })
afterAll(async () => {
  await app.kill()
  await postgres.kill()
  await home.remove()
})
await app.start()
const world = await buildFaultWorld(app.url, dataDir, postgres.connection)

test(
  'after app and PostgreSQL are killed, visitors are redirected without a database, and nobody is refused at the change',
  async () => {
    const load = startLoad(world, form)
    // What is kept on disk is written within two seconds.
    await sleep(2_500)
    const killedAt = performance.now()
    await Promise.all([app.kill(), postgres.kill()])
    app.launch()
    await until(
      () => load.sent.visits.some(({ at, status }) => at > killedAt && status === 302),
      60_000,
    )
    const openedAt = performance.now()
    expect(await app.health()).toBe(503)
    expect((await fetch(`${app.url}/robots.txt`)).status).toBe(200)
    await sleep(form.outageMs)
    expect(await app.health()).toBe(503)

    const startedAt = performance.now()
    await postgres.start()
    await app.untilReady()
    await sleep(3_000)
    const endedAt = performance.now()
    const sent = await load.finish()
    const visits = visitsBetween(sent, openedAt, endedAt)
    expect(visits.sentOn).toBe(visits.count)
    const first = sent.visits.find(({ at, status }) => at > killedAt && status === 302)
    const figures = {
      'first redirect after ms': Math.round((first?.at ?? 0) + (first?.ms ?? 0) - killedAt),
      'without a database for ms': Math.round(startedAt - openedAt),
      'max ms': visits.longestMs,
    }
    expect(flawsIn('app and PostgreSQL killed', await judge(world, sent), figures)).toEqual([])
  },
  form.timeoutMs,
)
