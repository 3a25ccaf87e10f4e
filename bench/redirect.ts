import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { announceChange } from '../apps/api/src/db/changes.ts'
import { type Connection, toDatabase } from '../apps/api/src/db/connection.ts'
import { type Db, openDatabase } from '../apps/api/src/db/database.ts'
import { migrate } from '../apps/api/src/db/migrate.ts'
import { resolveConnection } from '../apps/api/src/db/resolve-connection.ts'
import { silentLog } from '../apps/api/src/lib/log.ts'
import type { LoadOptions, LoadResult } from './redirect-load.ts'

/**
 * How many clicks a second the redirect keeps, beside a bare Fastify that keeps nothing: 64 keep-alive
 * connections, in turn, medians. The whole server runs, with its recurring tasks. Fails when a click that was
 * answered is not stored, or one that is stored was not answered.
 *
 *     DATABASE_URL   a PostgreSQL server, on which a database is made and dropped; left out: an engine of its own
 *     ROUNDS         3
 *     SECONDS        5, for each load
 */
const rounds = Number(process.env['ROUNDS'] ?? 3)
const seconds = Number(process.env['SECONDS'] ?? 5)

const world = { agents: 5_000, offices: 200, sites: 50, typesPerSite: 4 }
const blacklisted = 100_000
const connections = 64
const referencePort = 4210
const serverPort = 4211
const database = `tallyroom_bench_${process.pid}`

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallyroom-bench-'))
  // The engine may run as another user.
  await chmod(dataDir, 0o711)
  const databaseUrl = process.env['DATABASE_URL']
  const { connection: server, stop } = await resolveConnection({ databaseUrl, dataDir }, silentLog)
  const connection = toDatabase(server, database)
  const reference = await startReference()
  try {
    await execute(server, `create database ${database}`)
    await migrate(connection, silentLog)
    const owner = openDatabase(connection, { max: 1, applicationName: 'bench', asOwner: true })
    try {
      await buildWorld(owner.db)
      await compare(connection, dataDir, owner.db)
    } finally {
      await owner.close()
    }
  } finally {
    reference.kill()
    await execute(server, `drop database if exists ${database} with (force)`)
    await stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function compare(connection: Connection, dataDir: string, db: Db): Promise<void> {
  const table: Record<string, string | number>[] = []
  const cases = [
    { name: 'one process', processes: 1, ranges: 0 },
    { name: 'one process, 100,000 black-listed ranges', processes: 1, ranges: blacklisted },
    { name: 'two processes', processes: 2, ranges: 0 },
  ]
  for (const { name, processes, ranges } of cases) {
    await blacklist(db, ranges)
    const server = await startServer(connection, dataDir, processes)
    // Both get warm first.
    await measure(referencePort, 1)
    const before = await countClicks(db, dataDir)
    const warm = await measure(serverPort, 2)
    const [bare, kept]: [LoadResult[], LoadResult[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      bare.push(await measure(referencePort, seconds))
      kept.push(await measure(serverPort, seconds))
    }
    const stored = (await countClicks(db, dataDir)) - before
    await stopProcess(server)
    const answered = [warm, ...kept].reduce((sum, { redirected }) => sum + redirected, 0)
    const failed = [warm, ...kept].reduce((sum, load) => sum + load.failed, 0)
    table.push({
      '': name,
      'clicks a second': Math.round(median(kept, 'perSecond')),
      'bare Fastify': Math.round(median(bare, 'perSecond')),
      ratio: (median(kept, 'perSecond') / median(bare, 'perSecond')).toFixed(2),
      'p50 ms': median(kept, 'p50Ms').toFixed(1),
      'p99 ms': median(kept, 'p99Ms').toFixed(1),
      'bare p99 ms': median(bare, 'p99Ms').toFixed(1),
      'answered - stored': answered - stored,
      'not answered': failed,
    })
    if (answered !== stored) process.exitCode = 1
  }
  console.table(table)
}

const median = (loads: readonly LoadResult[], figure: keyof LoadResult): number =>
  loads.map((load) => load[figure]).toSorted((a, b) => a - b)[loads.length >> 1] ?? 0

/** The load runs in a process of its own. */
async function measure(port: number, forSeconds: number): Promise<LoadResult> {
  const options: LoadOptions = { port, connections, seconds: forSeconds, ...world }
  const load = fork(join(import.meta.dirname, 'redirect-load.ts'), [JSON.stringify(options)])
  const [result] = await once(load, 'message')
  return result
}

async function startReference(): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'redirect-reference.ts')
  const reference = fork(program, [String(referencePort)])
  await once(reference, 'message')
  return reference
}

async function startServer(
  connection: Connection,
  dataDir: string,
  processes: number,
): Promise<ChildProcess> {
  const server = fork(join(import.meta.dirname, '../apps/api/src/server.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      DATABASE_URL: connection.url,
      PORT: String(serverPort),
      SEED: 'none',
      LOG_LEVEL: 'warn',
      // The visitors' addresses come in X-Forwarded-For.
      TRUST_PROXY: 'on',
      WEB_CONCURRENCY: String(processes),
    },
  })
  const health = `http://127.0.0.1:${serverPort}/api/health`
  while (
    !(await fetch(health).then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    if (server.exitCode !== null) throw new Error('The server did not start.')
    await sleep(100)
  }
  return server
}

async function stopProcess(server: ChildProcess): Promise<void> {
  server.kill('SIGTERM')
  await once(server, 'exit')
}

/** What is stored, once nothing waits on disk any more. */
async function countClicks(db: Db, dataDir: string): Promise<number> {
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
    insert into link_types (id, site_id, typename, typealias, url, payout_centavos, earning_cents, created_at)
    select (site - 1) * ${world.typesPerSite} + i, site, 'Type ' || i, 'type' || i,
      'https://merchant.example/join?offer=' || i, 100, 100, now()
    from generate_series(1, ${world.sites}) site, generate_series(1, ${world.typesPerSite}) i
  `.execute(db)
  await sql`
    insert into office_sites (office_id, site_id)
    select office, site
    from generate_series(1, ${world.offices}) office, generate_series(1, ${world.sites}) site
  `.execute(db)
}

/** Ranges that no visitor comes from: what is measured is looking them up. */
async function blacklist(db: Db, count: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('ip_blacklist').execute()
    await sql`
      insert into ip_blacklist (ip, created_at)
      select set_masklen(('240.0.0.0'::inet + i * 16), 29)::cidr, now()
      from generate_series(0, ${count} - 1) i
    `.execute(tx)
    await announceChange(tx, 'ip-blacklist')
  })
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

await main()
