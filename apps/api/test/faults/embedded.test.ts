import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { findPostmaster } from '../../src/db/engine/postmaster.ts'
import { until } from '../until.ts'
import { makeApp } from './app-process.ts'
import { buildFaultWorld, embeddedConnection, makeDataDir } from './fault-world.ts'
import { flawsIn, form } from './form.ts'
import { startLoad, visitsBetween } from './load.ts'
import { judge } from './oracle.ts'
import { freezeTree, killTree } from './postgres-server.ts'

const home = await makeDataDir('embedded')
const dataDir = join(home.path, 'data')
const app = await makeApp({ dataDir })
const postmaster = () => findPostmaster(join(dataDir, 'postgres'))
afterAll(async () => {
  await app.kill()
  const pid = await postmaster()
  if (pid !== undefined) await killTree(pid)
  await home.remove()
})
await app.start()
const world = await buildFaultWorld(app.url, dataDir, await embeddedConnection(dataDir))

test(
  'kill -9 of the app under load loses no answered click and no answered sale',
  async () => {
    const load = startLoad(world, form)
    for (let kills = 0; kills < form.kills; kills++) {
      await sleep(500 + Math.random() * 1_000)
      await app.kill()
      await app.start()
    }
    await sleep(500)
    expect(
      flawsIn('embedded: kill -9 of the app', await judge(world, await load.finish())),
    ).toEqual([])
  },
  form.timeoutMs,
)

test(
  'PostgreSQL killed under load is restarted and nothing is lost',
  async () => {
    const load = startLoad(world, form)
    const startedAt = performance.now()
    for (let kills = 0; kills < form.kills; kills++) {
      await sleep(500 + Math.random() * 1_000)
      const pid = (await postmaster()) ?? 0
      // Its child processes exit on their own once they notice, while the next server is already
      // starting.
      if (kills % 2 === 0) process.kill(pid, 'SIGKILL')
      else await killTree(pid)
      // The app may report itself ready until it has noticed.
      await until(async () => ![undefined, pid].includes(await postmaster()), form.patienceMs)
      await app.untilReady()
    }
    const endedAt = performance.now()
    await sleep(500)
    const sent = await load.finish()
    const visits = visitsBetween(sent, startedAt, endedAt)
    expect(visits.sentOn).toBe(visits.count)
    expect(
      flawsIn('embedded: kill -9 of PostgreSQL', await judge(world, sent), {
        'p99 ms': visits.p99Ms,
        'max ms': visits.longestMs,
      }),
    ).toEqual([])
  },
  form.timeoutMs,
)

test(
  'app and PostgreSQL killed together under load lose nothing',
  async () => {
    const load = startLoad(world, form)
    for (let kills = 0; kills < form.kills; kills++) {
      await sleep(500 + Math.random() * 1_000)
      const pid = (await postmaster()) ?? 0
      await Promise.all([app.kill(), killTree(pid)])
      await app.start()
    }
    await sleep(500)
    expect(flawsIn('embedded: kill -9 of both', await judge(world, await load.finish()))).toEqual(
      [],
    )
  },
  form.timeoutMs,
)

test.runIf(process.platform === 'linux')(
  'while PostgreSQL hangs, visitors are redirected and their clicks are stored afterwards',
  async () => {
    const load = startLoad(world, form)
    await sleep(500)
    const thaw = await freezeTree((await postmaster()) ?? 0)
    const frozenAt = performance.now()
    await sleep(form.outageMs).finally(thaw)
    const thawedAt = performance.now()
    await sleep(500)
    const sent = await load.finish()
    const visits = visitsBetween(sent, frozenAt, thawedAt)
    expect(visits.sentOn).toBe(visits.count)
    expect(visits.longestMs).toBeLessThan(form.longestVisitMs)
    await app.untilReady()
    expect(
      flawsIn('embedded: PostgreSQL hangs', await judge(world, sent), {
        'p99 ms': visits.p99Ms,
        'max ms': visits.longestMs,
      }),
    ).toEqual([])
  },
  form.timeoutMs,
)
