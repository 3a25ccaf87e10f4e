import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { removeOrphanedEvents } from '../../src/desk/erase/delete-agent.ts'
import { purgeSignIn } from '../../src/people/auth/purge-sign-in.ts'
import { ensurePartitions } from '../../src/tracking/clicks/partitions.queries.ts'
import { foldTotals, vacuumPending } from '../../src/totals/index.ts'
import { settleWaiting } from '../../src/tracking/postbacks/settle-waiting.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { provideSecrets } from '../../src/lib/secrets.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { testServices } from '../services.ts'
import { makeApp } from './app-process.ts'
import { buildFaultWorld, makeDataDir } from './fault-world.ts'
import { flawsIn, form } from './form.ts'
import { startLoad } from './load.ts'
import { judge } from './oracle.ts'

test.each(Array.from({ length: form.races }, (_, number) => number + 1))(
  'two processes start concurrently on an empty database and both work (%i)',
  async (round) => {
    const database = await createTestDatabase({ schema: false })
    const home = await makeDataDir('starts')
    const dataDir = join(home.path, 'data')
    const options = { dataDir, databaseUrl: database.connection.url }
    const apps = [await makeApp(options), await makeApp(options)]
    try {
      for (const app of apps) app.launch()
      await Promise.all(apps.map((app) => app.untilReady()))
      const superadmins = await database.db.selectFrom('accounts').select('id').execute()
      expect(superadmins).toHaveLength(1)

      const [one, other] = apps.map(({ url }) => url)
      if (one === undefined || other === undefined) throw new Error('there are no two processes')
      const world = await buildFaultWorld(one, dataDir, database.connection, [other])
      const loads = [startLoad(world, form), startLoad({ ...world, url: other }, form)]
      await raceTasks(database, dataDir)
      const all = await Promise.all(loads.map((load) => load.finish()))
      for (const [place, sent] of all.entries()) {
        expect(
          flawsIn(`two start at once, ${round}.${place + 1}`, await judge(world, sent)),
        ).toEqual([])
      }
    } finally {
      await Promise.all(apps.map((app) => app.stop()))
      await database.close()
      await home.remove()
    }
  },
  form.timeoutMs,
)

/**
 * Every recurring task in three processes at the same moment, repeatedly, while clicks and sales
 * arrive.
 */
async function raceTasks(database: TestDatabase, dataDir: string): Promise<void> {
  const secrets = await provideSecrets(join(dataDir, 'secret.key'))
  const services = { ...testServices(database, secrets), clock: systemClock }
  const owner = openDatabase(database.connection, {
    max: 6,
    applicationName: 'faults',
    asOwner: true,
  })
  const tasks = [
    () => foldTotals(services.db),
    () => vacuumPending(owner.db),
    () => settleWaiting(services),
    () => purgeSignIn(services),
    () => removeOrphanedEvents(services),
    () => ensurePartitions(owner.db, systemClock),
  ]
  try {
    for (const end = performance.now() + form.outageMs / 2; performance.now() < end;) {
      await Promise.all([...tasks, ...tasks, ...tasks].map((task) => task()))
      await sleep(20)
    }
  } finally {
    await owner.close()
  }
}
