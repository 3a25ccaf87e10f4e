import { join } from 'node:path'
import { roleNumber } from '@tallyroom/domain/roles'
import { addDays, addMonths, dayOf, monthOf } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { Db } from '../apps/api/src/db/database.ts'
import { inTransaction } from '../apps/api/src/db/transaction.ts'
import { accountOf } from '../apps/api/src/people/accounts/account.ts'
import { selectAccounts } from '../apps/api/src/people/accounts/accounts.queries.ts'
import { makeSiteKeys } from '../apps/api/src/tracking/site-keys/site-keys.ts'
import { openSession } from '../apps/api/src/people/sessions/open-session.ts'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { provideSecrets } from '../apps/api/src/lib/secrets.ts'
import { verifyTotals } from '../apps/api/src/totals/index.ts'
import type { Times } from './open-loop.ts'
import {
  countClicks,
  runLoad,
  type ServedWorld,
  serverPort,
  withServedWorld,
  world,
} from './served-world.ts'
import type { SoakLoad, SoakResult } from './soak-load.ts'
import { median } from './measure.ts'
import { startServer } from './start-server.ts'
import { openTargets, PUBLIC_NAMES } from './targets.ts'

/**
 * Measures what people notice while clicks pour in: visitors and merchants at fixed rates, however slowly they are
 * answered, and 20 readers who each ask for a first screen and a statistics page in turn, a second apart. Prints how
 * long each took, and the database's time of folding against that of storing clicks, if the server has
 * pg_stat_statements. Fails if what was answered is not what is stored, if a report lacks something that was
 * answered before it was asked for, or if the totals differ from the events. The first ten seconds, in which most rows of
 * the totals are made, do not count.
 *
 *     DATABASE_URL   a PostgreSQL server, on which a database is created and dropped; default: an embedded
 *                    engine
 *     SECONDS        600
 *     REDIRECTS      1500 a second
 *     PROCESSES      1
 *     TARGETS        of offices that hear of each sale, at most 200, of which every tenth never answers. Then the load runs
 *                    without and with them in turn, for SECONDS each, and the ratio of the times is printed. Fails if one that
 *                    answers has not heard of each sale by a minute after its end
 */
const seconds = Number(process.env['SECONDS'] ?? 600)
const redirectsPerSecond = Number(process.env['REDIRECTS'] ?? 1_500)
const postbacksPerSecond = 20
const warmUpSeconds = 10
const targets = Number(process.env['TARGETS'] ?? 0)
const readers = [
  ...Array.from({ length: 4 }, (_, i) => ({ role: 'superadmin' as const, id: i + 1 })),
  ...Array.from({ length: 8 }, (_, i) => ({ role: 'company' as const, id: i + 1 })),
  ...Array.from({ length: 8 }, (_, i) => ({ role: 'agent' as const, id: i + 1 })),
]
const viewsOf = {
  superadmin: ['agent', 'company', 'detail', 'date'],
  company: ['agent', 'detail', 'date'],
  agent: ['detail', 'date'],
}

async function soak(served: ServedWorld): Promise<void> {
  const { db } = served
  const load = await prepare(served)
  const server = await startServer(serverPort, {
    DATA_DIR: served.dataDir,
    DATABASE_URL: served.connection.url,
    SEED: 'none',
    // The visitors' addresses are sent in X-Forwarded-For.
    TRUST_PROXY: 'on',
    WEB_CONCURRENCY: process.env['PROCESSES'] ?? '1',
    ...(targets > 0 && { NODE_OPTIONS: `--import ${PUBLIC_NAMES}` }),
  })
  try {
    if (targets > 0) return await compareWithTargets(db, load)
    const warmUp = await runSoak({ ...load, seconds: warmUpSeconds })
    const before = await countStored(served)
    const hasStatements = await startCounting(db)
    const result = await runSoak({ ...load, stored: before })
    const work = hasStatements ? await readWork(db) : undefined
    const after = await countStored(served)
    console.table(
      kinds.map((kind) => ({
        '': kind,
        ...quantiles(result[kind]),
      })),
    )
    if (work) console.table(work)
    const missing = {
      clicks: result.redirect.ms.length - (after.clicks - before.clicks),
      sales: result.postback.ms.length - (after.sales - before.sales),
      'stale reports': result.stale,
      'not answered': failuresIn(result) + failuresIn(warmUp),
    }
    console.log('answered - stored:', missing)
    const differences = await verifyTotals(db)
    console.log(
      differences.length === 0 ? 'The totals match the events.' : 'The totals differ.',
      differences,
    )
    if (Object.values(missing).some((count) => count !== 0) || differences.length > 0) {
      process.exitCode = 1
    }
  } finally {
    await server.stop()
  }
}

/** Runs the load without targets and with them, in turn. */
async function compareWithTargets(db: Db, load: SoakLoad): Promise<void> {
  const hears = await openTargets(db, targets)
  const results: Record<'without' | 'with', SoakResult[]> = { without: [], with: [] }
  try {
    await runSoak({ ...load, seconds: warmUpSeconds })
    for (let round = 0; round < 2; round++) {
      for (const name of ['without', 'with'] as const) {
        await hears.switch(name === 'with')
        results[name].push(await runSoak(load))
      }
    }
    const p99 = (name: keyof typeof results, kind: (typeof kinds)[number]) =>
      median(results[name].map((result) => quantiles(result[kind])['p99 ms']))
    console.table(
      kinds.map((kind) => ({
        '': kind,
        'p99 ms without': p99('without', kind),
        'p99 ms with': p99('with', kind),
        ratio: (p99('with', kind) / p99('without', kind)).toFixed(2),
      })),
    )
    const failed = [...results.without, ...results.with].reduce(
      (sum, result) => sum + failuresIn(result),
      0,
    )
    const { told, untold } = await hears.heard()
    console.log({ 'not answered': failed, told, 'not told': untold })
    if (failed > 0 || told === 0 || untold > 0) process.exitCode = 1
  } finally {
    hears.close()
  }
}

const kinds = ['redirect', 'postback', 'dashboard', 'statistics'] as const

const runSoak = (load: SoakLoad): Promise<SoakResult> => runLoad('soak-load.ts', load)

const failuresIn = (result: SoakResult): number =>
  kinds.reduce((sum, kind) => sum + result[kind].failed, 0)

/** One site in five pays by tiers; every reader is signed in. */
async function prepare({ db, dataDir }: ServedWorld): Promise<SoakLoad> {
  await sql`update sites set avp = true where id % 5 = 0`.execute(db)
  await makeAccounts(db)
  const secrets = await provideSecrets(join(dataDir, 'secret.key'))
  const keys = makeSiteKeys({ db, ...secrets })
  const siteKeys: string[] = []
  for (let site = 1; site <= world.sites; site++) siteKeys.push((await keys.provide(site)).key)
  const tokens: SoakLoad['readers'] = []
  for (const { role, id } of readers) {
    const token = await signIn(db, secrets.secret, { role, id })
    tokens.push({ token, seesAll: role === 'superadmin', views: viewsOf[role] })
  }
  const today = dayOf(systemClock.now())
  const monthStart = monthOf(today)
  const lastMonth = { start: addMonths(monthStart, -1), end: addDays(monthStart, -1) }
  return {
    ...world,
    port: serverPort,
    seconds,
    redirectsPerSecond,
    postbacksPerSecond,
    stored: { clicks: 0, sales: 0 },
    readers: tokens,
    siteKeys,
    days: { today, monthStart, lastMonth },
  }
}

async function makeAccounts(db: Db): Promise<void> {
  await sql`
    insert into accounts (role, office_id, agent_id, username, password_hash, created_at)
    select ${sql.lit(roleNumber('superadmin'))}, null::bigint, null::bigint, 'superadmin' || i, 'none', now()
    from generate_series(1, ${readers.length}) i
    union all
    select ${sql.lit(roleNumber('company'))}, id, null, 'company' || id, 'none', now() from offices
    union all
    select ${sql.lit(roleNumber('agent'))}, null, id, 'agent' || id, 'none', now() from agents
  `.execute(db)
}

async function signIn(
  db: Db,
  secret: Buffer,
  { role, id }: (typeof readers)[number],
): Promise<string> {
  const account = accountOf(
    await selectAccounts(db)
      .where('accounts.username', '=', `${role}${id}`)
      .executeTakeFirstOrThrow(),
  )
  const visit = { ip: '203.0.113.7', userAgent: 'bench:soak', now: systemClock.now(), secret }
  return inTransaction(db, (tx) => openSession(tx, { account, ...visit }))
}

async function countStored(served: ServedWorld): Promise<{ clicks: number; sales: number }> {
  const clicks = await countClicks(served)
  const { rows } = await sql<{ sales: number }>`
    select count(*) as sales from sale_events
  `.execute(served.db)
  return { clicks, sales: rows[0]?.sales ?? 0 }
}

/** @returns false if the server does not record the time of statements. */
async function startCounting(db: Db): Promise<boolean> {
  const { rows } = await sql<{ loaded: boolean }>`
    select current_setting('shared_preload_libraries') like '%pg_stat_statements%' as loaded
  `.execute(db)
  if (!rows[0]?.loaded) return false
  await sql`create extension if not exists pg_stat_statements`.execute(db)
  await sql`select pg_stat_statements_reset()`.execute(db)
  return true
}

/** The database's time for each kind of work. */
async function readWork(db: Db) {
  const { rows } = await sql<{
    work: string
    calls: number
    seconds: number
    'longest ms': number
    'WAL MB': number
  }>`
    select
      work, sum(calls)::float8 as calls,
      round(sum(total_exec_time + total_plan_time)::numeric / 1000, 2)::float8 as seconds,
      round(max(max_exec_time)::numeric, 1)::float8 as "longest ms",
      round(sum(wal_bytes) / 1e6, 1)::float8 as "WAL MB"
    from (
      select
        *,
        case
          when query ~* 'into seen_visitors|into visitors|into clicks' then 'storing clicks'
          when query ~* 'lock table totals_pending' then 'waiting for a fold'
          when query ~* '^\\W*(insert into|update|delete from)\\W+totals_|pending as .delete' then 'folding'
          when query ~* 'sale_keys|waiting_postbacks' then 'storing sales'
          when query ~* '^\\W*(prepared\\W*)?(with|select)' then 'reading'
          else 'anything else'
        end as work
      from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
    ) as statements
    group by work
    order by seconds desc
  `.execute(db)
  return rows
}

function quantiles({ ms }: Times) {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number) =>
    Number((sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1))
  return { count: ms.length, 'p50 ms': at(0.5), 'p99 ms': at(0.99), 'longest ms': at(1) }
}

await withServedWorld(undefined, soak)
