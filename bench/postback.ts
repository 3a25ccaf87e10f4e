import { randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CLICK_ID_BOUNDS } from '@tallyroom/domain/click-id'
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

/** More than can be reported in the time. */
const clicks = Math.ceil((rounds * seconds + 2) * 2 * 6_000)

/**
 * Measures how many postbacks per second become sales, each in its own transaction with key, event, totals and
 * receipt. Alternates with a bare Fastify that stores nothing, over 64 keep-alive connections, and reports
 * medians. Fails if an acknowledged sale is not stored exactly once, or if the totals differ from the events.
 *
 *     DATABASE_URL   a PostgreSQL server, on which a database is created and dropped; default: an embedded
 * engine
 *     WORKERS        instead: a Citus cluster of a coordinator and this many workers, which is started and removed
 *     ROUNDS         3
 *     SECONDS        5, for each load
 */
async function compare(served: ServedWorld): Promise<void> {
  const { db } = served
  const clicksFile = await makeClicks(served)
  const table: Record<string, string | number>[] = []
  let from = 0
  const measure = async (port: number, forSeconds: number): Promise<LoadResult> => {
    const load: PostbackLoad = { port, connections: 64, seconds: forSeconds, clicksFile, from }
    const result = await runLoad<LoadResult>('postback-load.ts', load)
    if (port === serverPort) from += result.good + result.failed
    return result
  }
  for (const processes of [1, 2]) {
    const comparison = await compareLoads(served, processes, { measure, countStored: countSales })
    const { ours, answered, failed, stored } = comparison
    table.push({
      '': processes === 1 ? 'one process' : 'two processes',
      'sales a second': Math.round(medianOf(ours, 'perSecond')),
      ...compared(comparison),
      'answered - stored': answered - stored,
      'not recorded': failed,
    })
    if (answered !== stored || failed > 0) process.exitCode = 1
  }
  console.table(table)
  const differences = await verifyTotals(db)
  console.log(differences.length === 0 ? 'The totals match the events.' : 'The totals differ.')
  if (differences.length > 0) process.exitCode = 1
}

/** Clicks to report, in the database and, with their sites' keys, in a file. */
async function makeClicks({ db, dataDir }: ServedWorld): Promise<string> {
  const secrets = await provideSecrets(join(dataDir, 'secret.key'))
  const siteKeys = makeSiteKeys({ db, ...secrets })
  const clickIds = makeClickIds(secrets.secret, secrets.formerSecrets)
  const keys: string[] = []
  for (let site = 1; site <= world.sites; site++) keys.push((await siteKeys.provide(site)).key)

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
  const path = join(dataDir, 'clicks')
  await writeFile(
    path,
    made
      .map((click) => `${click.siteIndex + 1} ${keys[click.siteIndex]} ${clickIds.sign(click)}`)
      .join('\n'),
  )
  return path
}

async function countSales({ db }: ServedWorld): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from sale_events`.execute(db)
  return rows[0]?.count ?? 0
}

await withServedWorld('postback-reference.ts', compare)
