import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Connection, toDatabase } from '../apps/api/src/db/connection.ts'
import { type Db, openDatabase } from '../apps/api/src/db/database.ts'
import { migrate } from '../apps/api/src/db/migrate.ts'
import { resolveConnection } from '../apps/api/src/db/resolve-connection.ts'
import { silentLog } from '../apps/api/src/lib/log/log.ts'
import { startPlainCluster } from '../apps/api/test/faults/citus-cluster.ts'
import { type CpuTimes, type Measured, parentOf, perRequest, readCpuTimes } from './cpu-time.ts'
import type { LoadResult } from './http-load.ts'
import { median } from './measure.ts'
import { startServer } from './start-server.ts'

export const world = { agents: 5_000, offices: 200, sites: 50, typesPerSite: 4 }
/** The number of rounds, and the seconds per load. */
export const rounds = Number(process.env['ROUNDS'] ?? 3)
export const seconds = Number(process.env['SECONDS'] ?? 5)
export const referencePort = 4210
export const serverPort = 4211

/** A database with {@link world} in it, opened as its owner, and the server's data folder. */
export type ServedWorld = {
  connection: Connection
  db: Db
  dataDir: string
  /** The database's processes, where they run on this machine. */
  machines: readonly Measured[]
}

/**
 * Runs `fn` with a temporary world, on the server from DATABASE_URL, on a Citus cluster of its own with this many WORKERS, or
 * on a separate embedded engine. `reference` is the program that runs on {@link referencePort}, if there is one.
 */
export async function withServedWorld(
  reference: string | undefined,
  fn: (served: ServedWorld) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallyroom-bench-'))
  // The engine may run as another user.
  await chmod(dataDir, 0o711)
  const database = await startDatabase(dataDir)
  const beside = reference && fork(join(import.meta.dirname, reference), [String(referencePort)])
  if (beside) await once(beside, 'message')
  referencePid = (beside && beside.pid) || 0
  try {
    const { connection, machines } = database
    // On a cluster, verifying totals takes its snapshot beside a session that holds the lock.
    const owner = openDatabase(connection, { max: 2, applicationName: 'bench', asOwner: true })
    try {
      await buildWorld(owner.db)
      await fn({ connection, db: owner.db, dataDir, machines })
    } finally {
      await owner.close()
    }
  } finally {
    if (beside) beside.kill()
    await database.remove()
    await rm(dataDir, { recursive: true, force: true })
  }
}

let referencePid = 0

type MigratedDatabase = Pick<ServedWorld, 'connection' | 'machines'> & { remove(): Promise<void> }

const startDatabase = (dataDir: string): Promise<MigratedDatabase> => {
  const workers = Number(process.env['WORKERS'] ?? 0)
  return workers > 0 ? startOnCluster(dataDir, workers) : startOnServer(dataDir)
}

async function startOnCluster(dataDir: string, workers: number): Promise<MigratedDatabase> {
  const machines = await startPlainCluster(dataDir, { workers, shards: 32 })
  return {
    connection: machines[0].connection,
    machines: machines.map((machine, place) => ({
      machine: place === 0 ? 'coordinator' : 'workers',
      pid: machine.pid(),
    })),
    async remove() {
      for (const machine of machines) await machine.kill()
    },
  }
}

async function startOnServer(dataDir: string): Promise<MigratedDatabase> {
  const databaseUrl = process.env['DATABASE_URL']
  const { connection: server, stop } = await resolveConnection(
    { databaseUrl, appDatabaseUrl: undefined, dataDir },
    silentLog,
  )
  const database = `tallyroom_bench_${process.pid}`
  await execute(server, `create database ${database}`)
  const connection = toDatabase(server, database)
  await migrate(connection, silentLog)
  return {
    connection,
    machines: await findServer(connection),
    async remove() {
      await execute(server, `drop database if exists ${database} with (force)`)
      await stop()
    },
  }
}

/** The server's process, if it runs on this machine. */
async function findServer(connection: Connection): Promise<Measured[]> {
  const { db, close } = openDatabase(connection, { max: 1, applicationName: 'bench' })
  const { rows } = await sql<{ pid: number; isHere: boolean }>`
    select pg_backend_pid() as pid, coalesce(host(inet_server_addr()) = host(inet_client_addr()), true) as "isHere"
  `.execute(db)
  const [session] = rows
  const pid = session?.isHere ? await parentOf(session.pid) : undefined
  await close()
  return pid === undefined ? [] : [{ machine: 'database', pid }]
}

/** Runs a load program in a separate process. */
export async function runLoad<Result>(program: string, options: object): Promise<Result> {
  const load: ChildProcess = fork(join(import.meta.dirname, program), [JSON.stringify(options)])
  const ended = once(load, 'exit').then(() => {
    throw new Error(`${program} ended without a result.`)
  })
  const [result] = (await Promise.race([once(load, 'message'), ended])) as [Result] // what it sends
  return result
}

/** The result of a comparison: every load, and the numbers of responses, failures and stored rows. */
export type Comparison = {
  /** The first two seconds of load on a server that has just started. */
  first: LoadResult
  ours: LoadResult[]
  bare: LoadResult[]
  /** CPU time per request of `ours`, by machine, and of `bare`, in microseconds; medians. */
  cpu: { ours: CpuTimes; bare: number }
  answered: number
  failed: number
  stored: number
}

/**
 * Starts the server in several processes, warms up both, then alternately loads the reference and the server.
 *
 * @param measure loads the server on a port for a number of seconds
 * @param countStored counts the stored rows that the server acknowledges
 */
export async function compareLoads(
  served: ServedWorld,
  processes: number,
  {
    measure,
    countStored,
  }: {
    measure: (port: number, seconds: number) => Promise<LoadResult>
    countStored: (served: ServedWorld) => Promise<number>
  },
): Promise<Comparison> {
  const server = await startServer(serverPort, {
    DATA_DIR: served.dataDir,
    DATABASE_URL: served.connection.url,
    SEED: 'none',
    // The visitors' addresses are sent in X-Forwarded-For.
    TRUST_PROXY: 'on',
    WEB_CONCURRENCY: String(processes),
  })
  await measure(referencePort, 1)
  const before = await countStored(served)
  const warm = await measure(serverPort, 2)
  const [bare, ours]: [LoadResult[], LoadResult[]] = [[], []]
  const [bareCpu, oursCpu]: [CpuTimes[], CpuTimes[]] = [[], []]
  const app = { machine: 'app', pid: server.pid }
  for (let round = 0; round < rounds; round++) {
    await untilIdle([app, ...served.machines])
    const reference = await withCpu([{ machine: 'bare', pid: referencePid }], () =>
      measure(referencePort, seconds),
    )
    const load = await withCpu([app, ...served.machines], () => measure(serverPort, seconds))
    bare.push(reference.result)
    bareCpu.push(reference.cpu)
    ours.push(load.result)
    oursCpu.push(load.cpu)
  }
  const stored = (await countStored(served)) - before
  await server.stop()
  const all = [warm, ...ours]
  return {
    first: warm,
    ours,
    bare,
    cpu: { ours: medianTimes(oursCpu), bare: medianTimes(bareCpu).get('bare') ?? 0 },
    answered: all.reduce((sum, { good }) => sum + good, 0),
    failed: all.reduce((sum, load) => sum + load.failed, 0),
    stored,
  }
}

const IDLE_WINDOW_MS = 500
/** Of one core. */
const IDLE_SHARE = 0.05
const IDLE_PATIENCE_MS = 60_000

/**
 * What a load leaves to be done would slow the reference after it: folds, and a vacuum of all that was stored so far, which takes
 * a core for longer with each case.
 */
async function untilIdle(measured: readonly Measured[]): Promise<void> {
  const deadline = performance.now() + IDLE_PATIENCE_MS
  for (;;) {
    const before = await readCpuTimes(measured)
    await sleep(IDLE_WINDOW_MS)
    const used = perRequest(before, await readCpuTimes(measured), 1)
    const us = used.values().reduce((sum, each) => sum + each, 0)
    if (us < IDLE_WINDOW_MS * 1_000 * IDLE_SHARE || performance.now() > deadline) return
  }
}

async function withCpu(
  measured: readonly Measured[],
  load: () => Promise<LoadResult>,
): Promise<{ result: LoadResult; cpu: CpuTimes }> {
  const before = await readCpuTimes(measured)
  const result = await load()
  return { result, cpu: perRequest(before, await readCpuTimes(measured), result.good) }
}

const medianTimes = (times: readonly CpuTimes[]): CpuTimes =>
  new Map(
    [...(times[0]?.keys() ?? [])].map((machine) => [
      machine,
      median(times.map((each) => each.get(machine) ?? 0)),
    ]),
  )

/** The median of one figure over several loads. */
export const medianOf = (loads: readonly LoadResult[], figure: keyof LoadResult): number =>
  median(loads.map((load) => load[figure]))

/** Our results next to the reference, as a table row. */
export const compared = ({ ours, bare, cpu }: Pick<Comparison, 'ours' | 'bare' | 'cpu'>) => ({
  'bare Fastify': Math.round(medianOf(bare, 'perSecond')),
  ratio: (medianOf(ours, 'perSecond') / medianOf(bare, 'perSecond')).toFixed(2),
  'p50 ms': medianOf(ours, 'p50Ms').toFixed(1),
  'p99 ms': medianOf(ours, 'p99Ms').toFixed(1),
  'bare p99 ms': medianOf(bare, 'p99Ms').toFixed(1),
  ...Object.fromEntries(
    [...cpu.ours].map(([machine, us]) => [`CPU µs: ${machine}`, Math.round(us)]),
  ),
  'CPU µs: generator': Math.round(medianOf(ours, 'generatorUs')),
  'bare: CPU µs, its generator': `${cpu.bare.toFixed(1)}, ${medianOf(bare, 'generatorUs').toFixed(1)}`,
})

/** The number of stored clicks, once the spool is empty. */
export async function countClicks({ db, dataDir }: ServedWorld): Promise<number> {
  const spool = join(dataDir, 'spool')
  while ((await readdir(spool).catch(() => [])).length > 0) await sleep(200)
  const { rows } = await sql<{ count: number }>`select count(*) from clicks`.execute(db)
  return rows[0]?.count ?? 0
}

async function buildWorld(db: Db): Promise<void> {
  await sql`
    insert into offices (id, name, created_at)
    select i, 'Office ' || i, now() from generate_series(1, ${world.offices}) i
  `.execute(db)
  await sql`
    insert into agents (id, office_id, approved_at, created_at)
    select i, 1 + i % ${world.offices}, now(), now() from generate_series(1, ${world.agents}) i
  `.execute(db)
  await sql`
    insert into sites (id, sitename, shortname, abbr, url, type, created_at)
    select i, 'Site ' || i, 's' || i, 's' || i, 'https://merchant.example', 'DATING', now()
    from generate_series(1, ${world.sites}) i
  `.execute(db)
  await sql`
    insert into link_types (id, site_id, typename, typealias, url, created_at)
    select (site - 1) * ${world.typesPerSite} + i, site, 'Type ' || i, 'type' || i,
      'https://merchant.example/join?offer=' || i, now()
    from generate_series(1, ${world.sites}) site, generate_series(1, ${world.typesPerSite}) i
  `.execute(db)
  await sql`
    insert into rates (
      type_id, payout_centavos, earning_cents, lpp, bonus_payout_centavos, bonus_earning_cents, bonus_lpp
    )
    select id, 100, 100, 1, 0, 0, 0 from link_types
  `.execute(db)
  await sql`
    insert into office_sites (office_id, site_id)
    select office, site
    from generate_series(1, ${world.offices}) office, generate_series(1, ${world.sites}) site
  `.execute(db)
}

async function execute(connection: Connection, statement: string): Promise<void> {
  const { db, close } = openDatabase(connection, {
    max: 1,
    applicationName: 'bench',
    asOwner: true,
  })
  try {
    await sql.raw(statement).execute(db)
  } finally {
    await close()
  }
}
