import { access, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { distribute } from '../../src/db/citus/distribute.ts'
import type { Connection } from '../../src/db/connection.ts'
import { openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { lostToAnother } from '../../src/db/transaction.ts'
import { silentLog } from '../../src/lib/log/log.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../database-proxy.ts'
import { until } from '../until.ts'
import { findPort, makeApp } from './app-process.ts'
import { buildFaultWorld, makeDataDir } from './fault-world.ts'
import { findDebians, type PostgresServer, startPostgres } from './postgres-server.ts'

/** A coordinator with a distributed, empty database, and two workers. */
export type CitusCluster = {
  coordinator: PostgresServer
  worker: PostgresServer
  other: PostgresServer
  /** Through which the coordinator reaches the other worker. */
  proxy: DatabaseProxy
  /** Moves the shards with an agent's rows to the other worker, while they are used. */
  moveAgent(agentId: number): Promise<void>
  /** Whether the agent's rows are on the worker behind the proxy. */
  isBehindProxy(agentId: number): Promise<boolean>
  /** From here on, Citus leaves transactions between the phases of their commit. */
  stopRecovery(): Promise<void>
  /** Ends that, and resolves when no such transaction is left. */
  untilRecovered(): Promise<void>
  close(): Promise<void>
}

/** Whether Debian's PostgreSQL on this machine has Citus. */
export async function isCitusInstalled(): Promise<boolean> {
  const debians = await findDebians()
  if (!debians) return false
  return access(join(dirname(debians.program('postgres')), '../lib/citus.so')).then(
    () => true,
    () => false,
  )
}

/** A minute by default. */
const RECOVERY = '1s'

/** As the manual has them, with fewer shards. */
export const clusterSettings = {
  shared_preload_libraries: 'citus',
  max_prepared_transactions: 100,
  max_worker_processes: 16,
  // A shard moves by logical replication.
  wal_level: 'logical',
  'citus.node_conninfo': 'sslmode=prefer',
  'citus.shard_count': 8,
  'citus.recover_2pc_interval': RECOVERY,
}

export async function startCluster(dataDir: string): Promise<CitusCluster> {
  const machines = await startMachines(dataDir, 2, clusterSettings)
  const [coordinator, worker, other] = machines
  if (!coordinator || !worker || !other) throw new Error('a machine is missing')
  const proxy = await startDatabaseProxy(other.connection, await findPort())
  const { connection } = coordinator
  await distributeOver(connection, [worker, proxy])

  async function recoverEvery(interval: string): Promise<void> {
    await query(connection, `alter system set citus.recover_2pc_interval = '${interval}'`)
    await query(connection, 'select pg_reload_conf()')
  }

  return {
    coordinator,
    worker,
    other,
    proxy,
    async moveAgent(agentId) {
      const shard = `get_shard_id_for_distribution_column('clicks', ${agentId})`
      const move = () =>
        query(
          connection,
          `select citus_move_shard_placement(${shard}, source.nodeid, target.nodeid, 'force_logical')
           from pg_dist_placement as placement
           join pg_dist_node as source on source.groupid = placement.groupid
           join pg_dist_node as target on target.shouldhaveshards and target.groupid <> placement.groupid and target.groupid <> 0
           where placement.shardid = ${shard}`,
        )
      // It locks an agent's tables in the order of their shards, and who stores a click in another one. Of two that wait for each
      // other, PostgreSQL ends either. `citus_rebalance_start` begins such a move again, too.
      await move().catch((error: unknown) => {
        if (!lostToAnother(error)) throw error
        return move()
      })
    },
    async isBehindProxy(agentId) {
      const rows = await query(
        connection,
        `select from citus_shards
         where shardid = get_shard_id_for_distribution_column('clicks', ${agentId})
           and nodeport = ${new URL(proxy.connection.url).port}`,
      )
      return rows.length > 0
    },
    stopRecovery: () => recoverEvery('-1'),
    async untilRecovered() {
      await recoverEvery(RECOVERY)
      await until(async () => {
        const rows = await query(
          connection,
          `select from run_command_on_workers('select count(*) from pg_prepared_xacts') where result <> '0'`,
        )
        return rows.length === 0
      }, 30_000)
    },
    async close() {
      await proxy.close()
      for (const machine of machines) await machine.kill()
    },
  }
}

/**
 * Machines with Citus: a coordinator with a distributed, empty database, and workers.
 *
 * @returns the coordinator, then the workers.
 */
export async function startPlainCluster(
  dataDir: string,
  { workers, shards }: { workers: number; shards: number },
): Promise<readonly [coordinator: PostgresServer, ...workers: PostgresServer[]]> {
  const [coordinator, ...others] = await startMachines(dataDir, workers, {
    ...clusterSettings,
    'citus.shard_count': shards,
    shared_buffers: '256MB',
  })
  if (!coordinator) throw new Error('the coordinator is missing')
  await distributeOver(coordinator.connection, others)
  return [coordinator, ...others]
}

async function startMachines(
  dataDir: string,
  workers: number,
  given: typeof clusterSettings & Record<string, string | number>,
): Promise<PostgresServer[]> {
  const machines: PostgresServer[] = []
  for (let number = 0; number <= workers; number++) {
    const home = join(dataDir, number === 0 ? 'coordinator' : `worker-${number}`)
    await mkdir(home)
    const machine = await startPostgres(home, given)
    await query(machine.connection, 'create extension citus')
    machines.push(machine)
  }
  return machines
}

async function distributeOver(
  coordinator: Connection,
  workers: readonly Pick<PostgresServer, 'connection'>[],
): Promise<void> {
  await query(coordinator, `select citus_set_coordinator_host(${addressOf(coordinator)})`)
  for (const { connection } of workers)
    await query(coordinator, `select citus_add_node(${addressOf(connection)})`)
  await migrate(coordinator, silentLog)
  const owner = openDatabase(coordinator, {
    max: 2,
    applicationName: 'tallyroom cli',
    asOwner: true,
  })
  await distribute(owner.db)
  await owner.close()
}

/** A cluster, and the app on it with the world of the fault tests. */
export async function startClusterWorld(name: string) {
  const home = await makeDataDir(name)
  const cluster = await startCluster(home.path)
  const dataDir = join(home.path, 'app')
  await mkdir(dataDir)
  const { connection } = cluster.coordinator
  const app = await makeApp({ dataDir, databaseUrl: connection.url })
  await app.start()
  return {
    cluster,
    app,
    world: await buildFaultWorld(app.url, dataDir, connection),
    async close() {
      await app.kill()
      await cluster.close()
      await home.remove()
    },
  }
}

function addressOf({ url }: Connection): string {
  const { hostname, port } = new URL(url)
  return `'${hostname}', ${port}`
}

async function query({ url }: Connection, statement: string): Promise<unknown[]> {
  const session = new pg.Client({ connectionString: url })
  await session.connect()
  try {
    return (await session.query(statement)).rows
  } finally {
    await session.end()
  }
}
