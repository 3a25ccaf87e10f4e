import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { NEW_YORK } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import { distribute, expectCoordinator } from '../apps/api/src/db/citus/distribute.ts'
import type { Connection } from '../apps/api/src/db/connection.ts'
import { type Database, type Db, openDatabase } from '../apps/api/src/db/database.ts'
import { type IdColumn, readIds } from '../apps/api/src/db/ids.ts'
import { migrate } from '../apps/api/src/db/migrate.ts'
import { backup } from '../apps/api/src/operate/backup/backup.ts'
import { restore } from '../apps/api/src/operate/backup/restore.ts'
import { onSession } from '../apps/api/src/operate/backup/load-rows.ts'
import { dropEverything } from '../apps/api/src/operate/backup/tables.queries.ts'
import { verifyAuditLog } from '../apps/api/src/desk/common-logs/verify-audit-log.ts'
import { makeSiteKeys } from '../apps/api/src/tracking/site-keys/site-keys.ts'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { silentLog } from '../apps/api/src/lib/log/log.ts'
import { provideSecrets } from '../apps/api/src/lib/secrets.ts'
import { findStores } from '../apps/api/src/start/stores.ts'
import { verifyTotals } from '../apps/api/src/totals/index.ts'
import { makeApp } from '../apps/api/test/faults/app-process.ts'
import { type Link, makeDataDir } from '../apps/api/test/faults/fault-world.ts'
import { visitsBetween } from '../apps/api/test/faults/load.ts'
import { flawsOf, judge } from '../apps/api/test/faults/oracle.ts'
import { buildOlderWorld, olderVersion } from '../apps/api/test/older-world.ts'
import { runSteadyLoad, type SteadyLoad } from './steady-load.ts'

const usage = `npm run rehearse:cluster -- COORDINATOR_URL --stop-worker COMMAND --start-worker COMMAND

Rehearses what a cluster has to survive, with the machines that you mean to use:

1. An older version's database with rows is distributed.
2. The distributed database is upgraded to this version.
3. Visitors and merchants come at a fixed rate. Meanwhile totals are verified, and a worker is stopped and started.
4. The database is backed up and moved as docs/operations.md says: restored to an empty coordinator, then distributed.

It exits with 1 if anything is lost, counted twice, or different from what it was.

COORDINATOR_URL  an empty database that is prepared as in docs/operations.md, with at least two workers, and its
                 owner. Drop it afterwards
--stop-worker    a command that stops one of the workers, the harder the better
--start-worker   a command that starts it again
--seconds        of load, 80 by default. The worker is away for the second quarter of it
--redirects, --postbacks   a second, 100 and 10 by default`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'stop-worker': { type: 'string' },
    'start-worker': { type: 'string' },
    seconds: { type: 'string', default: '80' },
    redirects: { type: 'string', default: '100' },
    postbacks: { type: 'string', default: '10' },
  },
})
const [url] = positionals
const stop = values['stop-worker']
const start = values['start-worker']
const breaches: string[] = []

if (!url || !stop || !start) {
  console.log(usage)
  process.exitCode = 2
} else {
  await rehearse({ kind: 'server', url }, { stop, start }).catch((error: unknown) => {
    breach(error instanceof Error ? error.message : String(error))
  })
  console.log(breaches.length === 0 ? 'The rehearsal succeeded.' : 'The rehearsal FAILED.')
  process.exitCode = breaches.length === 0 ? 0 : 1
}

type Commands = { stop: string; start: string }

async function rehearse(coordinator: Connection, commands: Commands): Promise<void> {
  const home = await makeDataDir('cluster')
  try {
    await asOwner(coordinator, async ({ db }) => {
      await describe(db)
      await upgrade(coordinator, db)
      await survive(coordinator, db, join(home.path, 'app'), commands)
    })
    // Sessions as new as those of a command: the former ones remember the worker that was stopped.
    await asOwner(coordinator, (owner) => move(coordinator, owner, join(home.path, 'all.backup')))
  } finally {
    await home.remove()
  }
}

async function asOwner(to: Connection, work: (owner: Database) => Promise<void>): Promise<void> {
  const owner = openDatabase(to, { max: 2, applicationName: 'tallyroom cli', asOwner: true })
  try {
    await work(owner)
  } finally {
    await owner.close()
  }
}

/** @throws unless the database is an empty one on a coordinator with two workers. */
async function describe(db: Db): Promise<void> {
  await expectCoordinator(db)
  const { rows } = await sql<{ workers: number; shards: string; version: string; tables: number }>`
    select
      (select count(*) from pg_dist_node where shouldhaveshards and isactive and noderole = 'primary') as workers,
      current_setting('citus.shard_count') as shards,
      'Citus ' || (select extversion from pg_extension where extname = 'citus') || ' on PostgreSQL '
        || split_part(current_setting('server_version'), ' ', 1) as version,
      (select count(*) from pg_tables where schemaname = 'public') as tables
  `.execute(db)
  const [found] = rows
  if (!found || found.tables > 0) throw new Error('The database is not empty.')
  if (found.workers < 2) throw new Error('The coordinator has fewer than two workers.')
  console.log(`${found.version}, ${found.workers} workers, ${found.shards} shards`)
}

async function upgrade(coordinator: Connection, db: Db): Promise<void> {
  await migrate(coordinator, silentLog, { upTo: olderVersion })
  const older = await buildOlderWorld(db)
  console.log(
    `a database of ${olderVersion} with ${older.clicks} clicks and ${older.saleEvents} sale events`,
  )

  const before = await read(db)
  const moved = await timed(() => distribute(db))
  console.log(`distributed ${moved.result.length} tables in ${moved.seconds} s`)
  same('after distributing', await read(db), before)

  const migrated = await timed(() => migrate(coordinator, silentLog))
  const added = await timed(() => distribute(db))
  console.log(
    `upgraded to ${migrated.result} in ${migrated.seconds} s, ${added.result.length} more tables distributed in ${added.seconds} s`,
  )
  same('after the upgrade', (await read(db)).counts, before.counts)
  const { rows } = await sql<{ node: string; shards: number; mb: number }>`
    select
      nodename || ':' || nodeport as node, count(*) as shards,
      round(sum(shard_size) / 1e6)::integer as mb
    from citus_shards where citus_table_type = 'distributed' group by 1 order by 1
  `.execute(db)
  if (rows.length < 2) breach('All rows are on one machine.')
  console.log(
    `rows: ${rows.map(({ node, shards, mb }) => `${node} ${shards} shards, ${mb} MB`).join('; ')}`,
  )
  await expectTotals(db)
}

async function survive(
  connection: Connection,
  db: Db,
  dataDir: string,
  commands: Commands,
): Promise<void> {
  const secrets = await provideSecrets(join(dataDir, 'secret.key'))
  const links = await findLinks(db, makeSiteKeys({ db, ...secrets }))
  const app = await makeApp({ dataDir, databaseUrl: connection.url })
  await app.start()
  try {
    const load: SteadyLoad = {
      port: Number(new URL(app.url).port),
      links,
      redirectsPerSecond: Number(values.redirects),
      postbacksPerSecond: Number(values.postbacks),
      seconds: Number(values.seconds),
    }
    const quarterMs = load.seconds * 250
    const beganAt = performance.now()
    const running = runSteadyLoad(load)
    await verifyFor(quarterMs, db)
    await run(commands.stop)
    const stoppedAt = performance.now()
    console.log('a worker is stopped')
    await sleep(quarterMs)
    await run(commands.start)
    const startedAt = performance.now()
    console.log('the worker is started again')
    const sent = await running
    await app.untilReady()
    const verdict = await judge({ connection, dataDir }, sent, 600_000)
    for (const [phase, from, before] of [
      ['before', beganAt, stoppedAt],
      ['while the worker is away', stoppedAt, startedAt],
      ['afterwards', startedAt, Infinity],
    ] as const) {
      const { sentOn, count, p99Ms, longestMs } = visitsBetween(sent, from, before)
      console.log(
        `${phase}: ${sentOn} of ${count} visitors redirected, p99 ${p99Ms} ms, longest ${longestMs} ms`,
      )
    }
    const { clicks, sales } = verdict
    console.log(
      `clicks: ${clicks.answered} answered - ${clicks.answered - clicks.lost.length} stored = ${clicks.lost.length}`,
    )
    console.log(
      `sales: ${sales.answered} answered - ${sales.answered - sales.lost.length} stored = ${sales.lost.length}; ${sales.doubled.length} twice; ${sent.failedReports} reports had to be repeated`,
    )
    for (const flaw of flawsOf(verdict)) breach(flaw)
    if (sales.answered < sent.sales.size) breach('Not every sale was answered.')
    if (visitsBetween(sent, 0, Infinity).sentOn < sent.clicks.size)
      breach('Not every visitor was redirected.')
    await expectTotals(db)
  } finally {
    await app.stop()
  }
}

/** The documented steps, from the first one. */
async function move(coordinator: Connection, owner: Database, file: string): Promise<void> {
  const { db, pool } = owner
  const before = await read(db)
  const { rows, bytes } = await backup({ ...owner, clock: systemClock }, file)
  await onSession(pool, dropEverything)
  const target = {
    ...owner,
    ...(await findStores(db)),
    connection: coordinator,
    clock: systemClock,
  }
  const restored = await timed(() => restore(target, file))
  const moved = await timed(() => distribute(db))
  console.log(
    `moved: ${rows} rows of ${Math.round(bytes / 1e6)} MB restored in ${restored.seconds} s, ${moved.result.length} tables distributed in ${moved.seconds} s`,
  )
  same('after the move', (await read(db)).counts, before.counts)
  const { broken } = await verifyAuditLog(db)
  if (broken) breach(`audit verify: ${JSON.stringify(broken)}`)
  await expectTotals(db)
}

/** Verifies totals again and again while events arrive. */
async function verifyFor(ms: number, db: Db): Promise<void> {
  const end = performance.now() + ms
  let times = 0
  do {
    const [difference] = await verifyTotals(db)
    times++
    if (difference) return breach(`totals verify under load: ${JSON.stringify(difference)}`)
    await sleep(1_000)
  } while (performance.now() < end)
  console.log(`totals verify under load: no differences in ${times} runs`)
}

/** Every agent with every link type, and the postback key of its site. */
async function findLinks(db: Db, keys: ReturnType<typeof makeSiteKeys>): Promise<Link[]> {
  const { rows } = await sql<Omit<Link, 'key'>>`
    select agents.id as "agentId", link_types.id as "typeId", site_id as "siteId"
    from agents cross join link_types
    order by link_types.id, agents.id
  `.execute(db)
  const links: Link[] = []
  for (const row of rows) links.push({ ...row, key: (await keys.provide(row.siteId)).key })
  return links
}

/** What neither distribution nor an upgrade may change. */
async function read(db: Db) {
  const { rows } = await sql<Record<string, string>>`
    select
      (select count(*) from clicks)::text as clicks,
      (select count(*) from sale_events)::text as "sale events",
      (select count(*) from sale_keys)::text as "sale keys",
      (select sum(payout_centavos) from sale_events)::text as centavos,
      (select count(*) from agents)::text as agents,
      (select sum(raws) from totals_day_agent)::text as raws,
      -- Older months are dropped by an upgrade.
      (
        select count(*) from seen_visitors
        where day >= date_trunc('month', now() at time zone ${sql.lit(NEW_YORK)})::date - interval '3 months'
      )::text as visitors
  `.execute(db)
  const ids = await readIds((statement) => sql.raw<IdColumn>(statement).execute(db))
  return {
    counts: rows[0],
    ids: ids.map(({ table, given }) => `${table}: ${given}`).toSorted(),
  }
}

function same(when: string, found: object | undefined, expected: object | undefined): void {
  const [is, was] = [JSON.stringify(found), JSON.stringify(expected)]
  if (is !== was) breach(`${when}: ${is}, before: ${was}`)
}

async function expectTotals(db: Db): Promise<void> {
  const differences = await verifyTotals(db)
  if (differences.length === 0) console.log('totals verify: no differences')
  else breach(`totals verify: ${JSON.stringify(differences.slice(0, 5))}`)
}

/** @throws if the command fails. */
async function run(command: string): Promise<void> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${command} exited with ${code}`)
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; seconds: string }> {
  const startedAt = performance.now()
  const result = await work()
  return { result, seconds: ((performance.now() - startedAt) / 1_000).toFixed(1) }
}

function breach(what: string): void {
  breaches.push(what)
  console.log(`BREACH: ${what}`)
}
