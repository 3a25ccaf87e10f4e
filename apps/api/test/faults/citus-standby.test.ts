import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import type { Connection } from '../../src/db/connection.ts'
import { until } from '../until.ts'
import { isCitusInstalled, startClusterWorld } from './citus-cluster.ts'
import { makeDataDir } from './fault-world.ts'
import { form } from './form.ts'
import { startLoad } from './load.ts'
import { sqlAfter } from './operators-manual.ts'
import { flawsOf, judge } from './oracle.ts'
import { startStandby } from './postgres-server.ts'

/** Runs where Debian's PostgreSQL has Citus. */
describe.runIf(await isCitusInstalled())('a worker that does not come back', () => {
  test(
    'its standby takes its place by the commands of the manual, and nothing that was acknowledged is lost',
    async () => {
      const started = await startClusterWorld('citus-standby')
      const home = await makeDataDir('standby')
      const { cluster, world } = started
      const { coordinator, worker } = cluster
      const standby = await startStandby(worker, home.path)
      try {
        const [, ...blocks] = sqlAfter('**To replace a worker').split(/^-- on .*$/m)
        const [follow = '', promote = '', replace = ''] = blocks.map((statements) =>
          here(statements, worker, standby),
        )
        await run(worker.connection, follow)
        const isFollowed = async () =>
          (await run(worker.connection, 'select sync_state from pg_stat_replication'))[0]?.[
            'sync_state'
          ] === 'sync'
        await until(isFollowed, form.patienceMs)

        const load = startLoad(world, form)
        await sleep(2_000)
        await worker.kill()
        await sleep(2_000)
        await run(standby.connection, promote)
        await run(coordinator.connection, replace)
        const sent = await load.finish()
        expect(flawsOf(await judge(world, sent, form.settlingMs))).toEqual([])
      } finally {
        await standby.kill()
        await started.close()
        await home.remove()
      }
    },
    form.timeoutMs * 2,
  )
})

/** With the addresses of these machines. */
function here(statements: string, ...[worker, standby]: { connection: Connection }[]): string {
  const portOf = (machine: { connection: Connection } | undefined) =>
    new URL(machine?.connection.url ?? '').port
  return statements
    .replaceAll("'worker-1b.internal', 5432", `'127.0.0.1', ${portOf(standby)}`)
    .replaceAll("nodename = 'worker-1.internal'", `nodeport = ${portOf(worker)}`)
}

async function run({ url }: Connection, statements: string): Promise<Record<string, unknown>[]> {
  const session = new pg.Client({ connectionString: url })
  await session.connect()
  const rows: Record<string, unknown>[] = []
  for (const statement of statements.replaceAll(/--.*$/gm, '').split(';'))
    if (statement.trim() !== '')
      rows.push(...(await session.query<Record<string, unknown>>(statement)).rows)
  await session.end()
  return rows
}
