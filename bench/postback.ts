import { randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CLICK_ID_BOUNDS } from '@tallyroom/domain/click-id'
import { couponKey, couponLook } from '@tallyroom/domain/coupons'
import { sql } from 'kysely'
import { makeClickIds } from '../apps/api/src/tracking/clicks/click-id-signer.ts'
import { rebuildTotals, verifyTotals } from '../apps/api/src/totals/index.ts'
import { makeSiteKeys } from '../apps/api/src/tracking/site-keys/site-keys.ts'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { provideSecrets } from '../apps/api/src/lib/secrets.ts'
import type { LoadResult } from './http-load.ts'
import type { PostbackLoad } from './postback-load.ts'
import {
  compared,
  compareLoads,
  medianOf,
  rounds,
  runLoad,
  seconds,
  type ServedWorld,
  serverPort,
  withServedWorld,
  world,
} from './served-world.ts'

/** More than one process can report in the time. */
const ordersOfCase = Math.ceil((rounds * seconds + 2) * 6_000)
/** For one process, then for two. */
const clicks = 2 * ordersOfCase

/** For each site. */
const COUPONS = 20

/**
 * Measures how many postbacks per second become sales, each in its own transaction with key, event, totals and
 * receipt: of clicks, then of coupon codes. Alternates with a bare Fastify that stores nothing, over 64 keep-alive connections,
 * and reports medians. Fails if an acknowledged sale is not stored exactly once, or if the totals differ from the events.
 *
 *     DATABASE_URL   a PostgreSQL server, on which a database is created and dropped; default: an embedded
 * engine
 *     WORKERS        instead: a Citus cluster of a coordinator and this many workers, which is started and removed
 *     ROUNDS         3
 *     SECONDS        5, for each load
 */
async function compare(served: ServedWorld): Promise<void> {
  const { db, dataDir } = served
  const secrets = await provideSecrets(join(dataDir, 'secret.key'))
  const keys = await makeKeys(db, secrets)
  const table: Record<string, string | number>[] = []
  const measureOf = (ordersFile: string) => {
    let from = 0
    return async (port: number, forSeconds: number): Promise<LoadResult> => {
      const load: PostbackLoad = { port, connections: 64, seconds: forSeconds, ordersFile, from }
      const result = await runLoad<LoadResult>('postback-load.ts', load)
      if (port === serverPort) from += result.good + result.failed
      return result
    }
  }
  const compareCase = async (name: string, processes: number, measure: Measure) => {
    const comparison = await compareLoads(served, processes, { measure, countStored: countSales })
    const { ours, answered, failed, stored } = comparison
    table.push({
      '': name,
      'sales a second': Math.round(medianOf(ours, 'perSecond')),
      ...compared(comparison),
      'answered - stored': answered - stored,
      'not recorded': failed,
    })
    if (answered !== stored || failed > 0) process.exitCode = 1
  }
  const ofClicks = measureOf(await makeClicks(served, secrets, keys))
  await compareCase('one process', 1, ofClicks)
  await compareCase('two processes', 2, ofClicks)
  // Only now: reports to a site with codes ask for them, also those of clicks.
  await compareCase('one process, by coupon code', 1, measureOf(await makeCoupons(served, keys)))
  console.table(table)
  const differences = await verifyTotals(db)
  console.log(differences.length === 0 ? 'The totals match the events.' : 'The totals differ.')
  if (differences.length > 0) process.exitCode = 1
}

type Measure = (port: number, forSeconds: number) => Promise<LoadResult>
type Secrets = Awaited<ReturnType<typeof provideSecrets>>

/** The sites' keys, the first site's first. */
async function makeKeys(db: ServedWorld['db'], secrets: Secrets): Promise<string[]> {
  const siteKeys = makeSiteKeys({ db, ...secrets })
  const keys: string[] = []
  for (let site = 1; site <= world.sites; site++) keys.push((await siteKeys.provide(site)).key)
  return keys
}

/** Clicks to report, in the database and, with their sites' keys, in a file. */
async function makeClicks(
  { db, dataDir }: ServedWorld,
  secrets: Secrets,
  keys: readonly string[],
): Promise<string> {
  const clickIds = makeClickIds(secrets.secret, secrets.formerSecrets)
  const nowMs = systemClock.now().getTime()
  const made = Array.from({ length: clicks }, (_, index) => {
    const siteIndex = index % world.sites
    return {
      clickedAtMs: nowMs - index,
      agentId: 1 + (index % world.agents),
      typeId: siteIndex * world.typesPerSite + 1 + (index % world.typesPerSite),
      siteIndex,
      nonce: randomInt(CLICK_ID_BOUNDS.nonce),
    }
  })
  await sql`
    insert into clicks (
      clicked_at, agent_id, type_id, office_id, nonce, is_unique, ip
    )
    select
      timestamptz 'epoch' + ms * interval '1 millisecond', agent_id, type_id,
      1 + agent_id % ${world.offices}, nonce, true, '10.0.0.0'::inet + ordinality
    from unnest(
      ${made.map(({ clickedAtMs }) => clickedAtMs)}::bigint[],
      ${made.map(({ agentId }) => agentId)}::integer[],
      ${made.map(({ typeId }) => typeId)}::integer[],
      ${made.map(({ nonce }) => nonce)}::integer[]
    ) with ordinality as click (ms, agent_id, type_id, nonce)
  `.execute(db)
  await rebuildTotals(db)
  return writeOrders(
    join(dataDir, 'clicks'),
    made.map(
      (click, index) =>
        `${click.siteIndex + 1} ${keys[click.siteIndex]} click_id=${clickIds.sign(click)}&transaction_id=order-${index}`,
    ),
  )
}

/** Codes of some agents for each site, and a file of orders with them. */
async function makeCoupons({ db, dataDir }: ServedWorld, keys: readonly string[]): Promise<string> {
  const codes = Array.from({ length: COUPONS }, (_, index) => `CODE${index}OFF`)
  await sql`
    insert into coupons (
      site_id, type_id, agent_id, code, code_key, look, starts_at, made_at, made_by
    )
    select
      site, (site - 1) * ${world.typesPerSite} + 1 + ordinality % ${world.typesPerSite},
      1 + (site * ${COUPONS} + ordinality) % ${world.agents}, code, key, look, now() - interval '1 day', now(), 1
    from generate_series(1, ${world.sites}) site,
      unnest(${codes}::text[], ${codes.map(couponKey)}::text[], ${codes.map(couponLook)}::text[])
        with ordinality as coupon (code, key, look, ordinality)
  `.execute(db)
  return writeOrders(
    join(dataDir, 'coupon-orders'),
    Array.from({ length: ordersOfCase }, (_, index) => {
      const site = index % world.sites
      const code = codes[Math.floor(index / world.sites) % COUPONS]
      return `${site + 1} ${keys[site]} coupon=${code}&transaction_id=by-code-${index}`
    }),
  )
}

async function writeOrders(path: string, lines: readonly string[]): Promise<string> {
  await writeFile(path, lines.join('\n'))
  return path
}

async function countSales({ db }: ServedWorld): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from sale_events`.execute(db)
  return rows[0]?.count ?? 0
}

await withServedWorld('postback-reference.ts', compare)
