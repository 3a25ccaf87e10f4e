import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../database.ts'
import { startDatabaseProxy } from '../database-proxy.ts'
import { makeApp } from './app-process.ts'
import { buildFaultWorld, makeDataDir } from './fault-world.ts'
import { flawsIn, form } from './form.ts'
import { startLoad, visitsBetween } from './load.ts'
import { judge } from './oracle.ts'

const { connection, layout } = await testDatabase()
const proxy = await startDatabaseProxy(connection)
const home = await makeDataDir('commit')
const dataDir = join(home.path, 'data')
const app = await makeApp({ dataDir, databaseUrl: proxy.connection.url })
afterAll(async () => {
  await app.kill()
  await proxy.close()
  await home.remove()
})
await app.start()
const world = await buildFaultWorld(app.url, dataDir, connection)

/** For each kind of data, a text in the message with which the server commits it. */
const commits = {
  clicks: layout === 'together' ? 'store clicks, new' : 'insert into totals_pending',
  sales: '"transaction_id":"',
  // Staff writes, common logs and totals.
  writes: 'commit',
}

test.each([
  ['before the server received it', 'unsent'],
  ['before its response arrived', 'unanswered'],
] as const)(
  'a connection lost at commit, %s, loses and duplicates nothing',
  async (what, when) => {
    const load = startLoad(world, form)
    await sleep(300)
    const startedAt = performance.now()
    for (let cuts = 0; cuts < form.kills * 2; cuts++) {
      for (const text of Object.values(commits)) {
        await proxy.cutOnce(text, when)
        await sleep(Math.random() * 200)
      }
    }
    const endedAt = performance.now()
    const sent = await load.finish()
    const visits = visitsBetween(sent, startedAt, endedAt)
    expect(visits.sentOn).toBe(visits.count)
    expect(
      flawsIn(`cut at COMMIT, ${what}`, await judge(world, sent), {
        cuts: form.kills * 6,
        'max ms': visits.longestMs,
      }),
    ).toEqual([])
  },
  form.timeoutMs,
)
