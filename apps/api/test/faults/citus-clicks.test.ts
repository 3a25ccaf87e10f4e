import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { trackedLinkPath } from '@tallyroom/domain/tracked-link'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { foldTotals, verifyTotals } from '../../src/totals/index.ts'
import { until } from '../until.ts'
import type { AppProcess } from './app-process.ts'
import { type CitusCluster, isCitusInstalled, startClusterWorld } from './citus-cluster.ts'
import type { FaultWorld, Link } from './fault-world.ts'
import { form } from './form.ts'
import { browser, startLoad } from './load.ts'
import { flawsOf, judge } from './oracle.ts'

/** Clicks go to the worker that has their agent, and the coordinator does not take part. */
describe.runIf(await isCitusInstalled())('clicks past the coordinator', () => {
  let cluster: CitusCluster
  let app: AppProcess
  let world: FaultWorld
  let database: Database
  /** Links of agents on the worker that the test may freeze, and of agents on the other one. */
  const links: { there: Link[]; here: Link[] } = { there: [], here: [] }
  beforeAll(async () => {
    const started = await startClusterWorld('citus-clicks')
    ;({ cluster, app, world } = started)
    const { connection } = cluster.coordinator
    database = openDatabase(connection, { max: 2, applicationName: 'tallyroom cli', asOwner: true })
    for (const link of world.links)
      links[(await cluster.isBehindProxy(link.agentId)) ? 'there' : 'here'].push(link)
    await until(goesPast, 30_000)
    return async () => {
      await database.close()
      await started.close()
    }
  })

  async function follow(link: Link, userAgent = browser): Promise<{ status: number; ms: number }> {
    const startedAt = performance.now()
    // Not of the load, which judges its own clicks.
    const answer = await fetch(`${app.url}${trackedLinkPath(link)}?sub1=by-hand`, {
      redirect: 'manual',
      headers: { 'user-agent': userAgent },
    })
    return { status: answer.status, ms: performance.now() - startedAt }
  }

  /** Whether a click writes nothing through the coordinator: its sessions there stay as they are. */
  async function goesPast(): Promise<boolean> {
    const changed = async () => {
      const { rows } = await sql<{ calls: string }>`
        select coalesce(max(state_change)::text, '') as calls from pg_stat_activity
        where application_name = 'tallyroom clicks' and query !~ 'pg_dist_shard|get_shard_id'
      `.execute(database.db)
      return rows[0]?.calls
    }
    const before = await changed()
    for (const link of [...links.here, ...links.there]) await follow(link)
    return (await changed()) === before
  }

  const count = async (of: { connection: { url: string } }, text: string): Promise<number> => {
    const machine = openDatabase(
      { kind: 'server', url: of.connection.url },
      { max: 1, applicationName: 'faults', asOwner: true },
    )
    const { rows } = await sql.raw<{ count: string }>(text).execute(machine.db)
    await machine.close()
    return Number(rows[0]?.count)
  }
  const allClicks = () => count(cluster.coordinator, 'select count(*) from clicks')
  const spooled = async () => (await readdir(join(world.dataDir, 'spool')).catch(() => [])).length
  /** Each worker knows where all clicks are. */
  const askWorker = () => count(cluster.worker, 'select count(*) from clicks')

  test(
    'while the coordinator is away, workers store them, and the disk keeps only those with new texts',
    async () => {
      const before = await allClicks()
      const known = [...links.here, ...links.there]
      const [link] = known
      if (!link) throw new Error('there is no link')
      await cluster.coordinator.kill()
      try {
        for (const each of known) expect(await follow(each)).toMatchObject({ status: 302 })
        expect([await askWorker(), await spooled()]).toEqual([before + known.length, 0])
        expect(await follow(link, 'Mozilla/5.0 (a new one) Firefox/141.0')).toMatchObject({
          status: 302,
        })
        expect([await askWorker(), await spooled()]).toEqual([before + known.length + 1, 1])
      } finally {
        await cluster.coordinator.start()
      }
      await app.untilReady()
      await until(async () => (await spooled()) === 0, form.patienceMs)
      expect(await allClicks()).toBe(before + known.length + 1)
      const texts = `select count(*) from user_agents where user_agent like '%(a new one)%'`
      expect(await count(cluster.coordinator, texts)).toBe(1)
      expect(await verifyTotals(database.db)).toEqual([])
    },
    form.timeoutMs,
  )

  test(
    'a worker that hangs delays its own agents’ clicks, and nobody else’s',
    async () => {
      const before = await allClicks()
      cluster.proxy.freeze()
      const delayed = Promise.all(links.there.map((link) => follow(link)))
      const others = []
      for (let times = 0; times < 20; times++)
        for (const link of links.here) others.push(await follow(link))
      expect(others.every(({ status }) => status === 302)).toBe(true)
      expect((await delayed).every(({ status }) => status === 302)).toBe(true)
      expect(await spooled()).toBeGreaterThan(0)
      cluster.proxy.mend()
      await until(async () => (await spooled()) === 0, form.patienceMs)
      expect(await allClicks()).toBe(before + others.length + links.there.length)
    },
    form.timeoutMs,
  )

  test(
    'while shards move, nothing is lost or counted twice',
    async () => {
      const load = startLoad(world, form)
      for (const agentId of new Set(world.links.map((link) => link.agentId))) {
        await cluster.moveAgent(agentId)
        await foldTotals(database.db)
      }
      const sent = await load.finish()
      expect(flawsOf(await judge(world, sent, form.settlingMs))).toEqual([])
    },
    form.timeoutMs * 2,
  )

  test(
    'a worker without metadata is said, and its clicks go by the coordinator',
    async () => {
      const { hostname, port } = new URL(cluster.worker.connection.url)
      await sql`select stop_metadata_sync_to_node(${hostname}, ${Number(port)}::integer)`.execute(
        database.db,
      )
      await app.stop()
      await app.start()
      const before = await allClicks()
      for (const link of world.links) expect(await follow(link)).toMatchObject({ status: 302 })
      expect(await allClicks()).toBe(before + world.links.length)
      await until(async () =>
        (await readFile(`${world.dataDir}.log`, 'utf8')).includes('metadata are not synced'),
      )
      await sql`select start_metadata_sync_to_node(${hostname}, ${Number(port)}::integer)`.execute(
        database.db,
      )
    },
    form.timeoutMs,
  )
})
