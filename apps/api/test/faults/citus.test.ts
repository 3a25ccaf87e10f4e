import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { verifyTotals } from '../../src/totals/index.ts'
import type { AppProcess } from './app-process.ts'
import { makeClient } from './client.ts'
import { type CitusCluster, isCitusInstalled, startClusterWorld } from './citus-cluster.ts'
import type { FaultWorld } from './fault-world.ts'
import { flawsIn, form } from './form.ts'
import { startLoad, visitsBetween } from './load.ts'
import { judge } from './oracle.ts'

/** Runs where Debian's PostgreSQL has Citus. */
describe.runIf(await isCitusInstalled())('a coordinator and two workers', () => {
  let cluster: CitusCluster
  let app: AppProcess
  let world: FaultWorld
  beforeAll(async () => {
    const started = await startClusterWorld('citus')
    ;({ cluster, app, world } = started)
    return () => started.close()
  })

  /** Runs a fault under load, and returns what is wrong afterwards. */
  async function flawsAfter(what: string, fault: () => Promise<void>): Promise<string[]> {
    const load = startLoad(world, form)
    await sleep(500)
    const startedAt = performance.now()
    await fault()
    const endedAt = performance.now()
    await app.untilReady()
    await sleep(500)
    const sent = await load.finish()
    await cluster.untilRecovered()
    const visits = visitsBetween(sent, startedAt, endedAt)
    expect(visits.sentOn).toBe(visits.count)
    return flawsIn(`Citus: ${what}`, await judge(world, sent, form.settlingMs), {
      'p99 ms': visits.p99Ms,
      'max ms': visits.longestMs,
    })
  }

  /** What the coordinator sends a worker at the end of a transaction. Alone, or after it was prepared. */
  const commits = ['COMMIT\0', 'COMMIT PREPARED']

  test.each([
    ['before a worker prepares', 'PREPARE TRANSACTION', 'unsent'],
    ['after a worker has prepared', 'PREPARE TRANSACTION', 'unanswered'],
    ['before a worker commits', commits, 'unsent'],
    ['after a worker has committed', commits, 'unanswered'],
  ] as const)(
    'a connection lost %s loses and duplicates nothing',
    async (what, text, when) => {
      const flaws = await flawsAfter(`cut ${what}`, async () => {
        for (let cuts = 0; cuts < form.kills * 5; cuts++) {
          await cluster.proxy.cutOnce(text, when)
          await sleep(Math.random() * 100)
        }
      })
      expect(flaws).toEqual([])
    },
    form.timeoutMs * 2,
  )

  test(
    'while everybody writes, totals are verified without a difference',
    async () => {
      const { connection } = cluster.coordinator
      const owner = openDatabase(connection, {
        max: 2,
        applicationName: 'tallyroom cli',
        asOwner: true,
      })
      const load = startLoad(world, form)
      const found = []
      for (let times = 0; times < form.verifications; times++)
        found.push(...(await verifyTotals(owner.db)))
      await load.finish()
      await owner.close()
      expect(found).toEqual([])
    },
    form.timeoutMs,
  )

  const machines = {
    'a worker': () => [cluster.worker],
    'the coordinator': () => [cluster.coordinator],
    'all machines': () => [cluster.coordinator, cluster.worker, cluster.other],
  }

  test.each(['a worker', 'the coordinator', 'all machines'] as const)(
    'kill -9 of %s under load loses nothing',
    async (which) => {
      const flaws = await flawsAfter(`kill -9 of ${which}`, async () => {
        for (let kills = 0; kills < form.kills; kills++) {
          await sleep(500 + Math.random() * 1_000)
          await Promise.all(machines[which]().map((machine) => machine.kill()))
          await sleep(Math.random() * 1_000)
          await Promise.all(machines[which]().map((machine) => machine.start()))
          await app.untilReady()
        }
      })
      expect(flaws).toEqual([])
    },
    form.timeoutMs * 2,
  )

  test.runIf(process.platform === 'linux')(
    'while a worker hangs, reports are refused, and what takes nothing from it is answered',
    async () => {
      const client = makeClient(app.url, 8)
      const bearer = { authorization: `Bearer ${world.session}` }
      const question = { groupBy: 'company', start: '2026-03-02', end: '2026-03-08' }
      const thaw = await cluster.worker.freeze()
      try {
        const report = await client.ask('POST', '/api/stats/sites', bearer, question)
        expect(report?.status).toBe(503)
        const own = await client.ask('GET', '/api/accounts/me', bearer)
        expect(own?.status).toBe(200)
      } finally {
        thaw()
        client.close()
      }
      await app.untilReady()
    },
    form.timeoutMs,
  )

  test.runIf(process.platform === 'linux')(
    'while a worker hangs, visitors are redirected and their clicks are stored afterwards',
    async () => {
      const flaws = await flawsAfter('a worker hangs', async () => {
        const thaw = await cluster.worker.freeze()
        await sleep(form.outageMs).finally(thaw)
      })
      expect(flaws).toEqual([])
    },
    form.timeoutMs * 2,
  )
})
