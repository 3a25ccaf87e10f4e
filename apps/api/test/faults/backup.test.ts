import { execFile } from 'node:child_process'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase, testDatabase } from '../database.ts'
import { makeApp } from './app-process.ts'
import { buildFaultWorld, makeDataDir } from './fault-world.ts'
import { flawsIn, form } from './form.ts'
import { type Sent, startLoad } from './load.ts'
import { judge } from './oracle.ts'

const { connection } = await testDatabase()
const home = await makeDataDir('backup')
const dataDir = join(home.path, 'data')
const app = await makeApp({ dataDir, databaseUrl: connection.url })
const restored = await createTestDatabase({ schema: false })
const restoredDir = join(home.path, 'restored')
const restoredApp = await makeApp({ dataDir: restoredDir, databaseUrl: restored.connection.url })
afterAll(async () => {
  await Promise.all([app.stop(), restoredApp.stop()])
  await restored.close()
  await home.remove()
})
await app.start()
const world = await buildFaultWorld(app.url, dataDir, connection)

test(
  'a backup under load is complete and holds everything answered before it began',
  async () => {
    const load = startLoad(world, form)
    await sleep(form.outageMs / 2)
    await load.untilEnough()
    const asOf = promisesOf(load.sent)
    const sentBefore = load.sent.clicks.size
    const file = join(home.path, 'all.backup')
    await cli(dataDir, connection.url, 'backup', file)
    await sleep(500)
    const sent = await load.finish()
    expect(flawsIn('backup: the server that went on', await judge(world, sent))).toEqual([])

    await cli(dataDir, restored.connection.url, 'restore', file)
    await mkdir(restoredDir)
    await copyFile(join(dataDir, 'secret.key'), join(restoredDir, 'secret.key'))
    await restoredApp.start()
    const there = { ...world, dataDir: restoredDir, connection: restored.connection }
    expect(
      flawsIn('backup: restored', await judge(there, asOf(sent)), {
        'clicks sent afterwards': sent.clicks.size - sentBefore,
      }),
    ).toEqual([])
  },
  form.timeoutMs,
)

/** Snapshots what is promised so far; returns a function that later checks against that snapshot alone. */
function promisesOf({ clicks, sales, writes }: Sent): (sent: Sent) => Sent {
  const visitors = new Set([...clicks].filter(([, { clickId }]) => clickId).map(([key]) => key))
  const reported = new Set([...sales].filter(([, { promised }]) => promised).map(([key]) => key))
  const answers = new Map([...writes].map(([key, write]) => [key, [...write.answers]]))
  return (sent) => ({
    ...sent,
    clicks: new Map(
      [...sent.clicks].map(([key, { clickId }]) => [
        key,
        { clickId: visitors.has(key) ? clickId : undefined },
      ]),
    ),
    sales: new Map(
      [...sent.sales].map(([key, sale]) => [key, { ...sale, promised: reported.has(key) }]),
    ),
    writes: new Map(
      [...sent.writes].map(([key, write]) => [key, { ...write, answers: answers.get(key) ?? [] }]),
    ),
  })
}

const run = promisify(execFile)

/** Runs a command the way an operator does. */
async function cli(folder: string, databaseUrl: string, ...words: string[]): Promise<void> {
  await run(process.execPath, [join(import.meta.dirname, '../../src/cli.ts'), ...words], {
    env: { ...process.env, DATA_DIR: folder, DATABASE_URL: databaseUrl },
  })
}
