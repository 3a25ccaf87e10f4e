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
import { silentLog } from '../apps/api/src/lib/log.ts'
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
export type ServedWorld = { connection: Connection; db: Db; dataDir: string }

/**
 * Runs `fn` with a temporary world, on the server from DATABASE_URL or a separate embedded engine. `reference`
 * is the program that runs on {@link referencePort}, if there is one.
 */
export async function withServedWorld(
  reference: string | undefined,
  fn: (served: ServedWorld) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallyroom-bench-'))
  // The engine may run as another user.
  await chmod(dataDir, 0o711)
  const databaseUrl = process.env['DATABASE_URL']
  const { connection: server, stop } = await resolveConnection({ databaseUrl, dataDir }, silentLog)
  const database = `tallyroom_bench_${process.pid}`
  const connection = toDatabase(server, database)
  const beside = reference && fork(join(import.meta.dirname, reference), [String(referencePort)])
  if (beside) await once(beside, 'message')
  try {
    await execute(server, `create database ${database}`)
    await migrate(connection, silentLog)
    const owner = openDatabase(connection, { max: 1, applicationName: 'bench', asOwner: true })
    try {
      await buildWorld(owner.db)
      await fn({ connection, db: owner.db, dataDir })
    } finally {
      await owner.close()
    }
  } finally {
    if (beside) beside.kill()
    await execute(server, `drop database if exists ${database} with (force)`)
    await stop()
    await rm(dataDir, { recursive: true, force: true })
  }
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
  for (let round = 0; round < rounds; round++) {
    bare.push(await measure(referencePort, seconds))
    ours.push(await measure(serverPort, seconds))
  }
  const stored = (await countStored(served)) - before
  await server.stop()
  const all = [warm, ...ours]
  return {
    first: warm,
    ours,
    bare,
    answered: all.reduce((sum, { good }) => sum + good, 0),
    failed: all.reduce((sum, load) => sum + load.failed, 0),
    stored,
  }
}

/** The median of one figure over several loads. */
export const medianOf = (loads: readonly LoadResult[], figure: keyof LoadResult): number =>
  median(loads.map((load) => load[figure]))

/** Our results next to the reference, as a table row. */
export const compared = (ours: readonly LoadResult[], bare: readonly LoadResult[]) => ({
  'bare Fastify': Math.round(medianOf(bare, 'perSecond')),
  ratio: (medianOf(ours, 'perSecond') / medianOf(bare, 'perSecond')).toFixed(2),
  'p50 ms': medianOf(ours, 'p50Ms').toFixed(1),
  'p99 ms': medianOf(ours, 'p99Ms').toFixed(1),
  'bare p99 ms': medianOf(bare, 'p99Ms').toFixed(1),
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
