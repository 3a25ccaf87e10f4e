import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { announceChange } from '../apps/api/src/db/changes.ts'
import type { Db } from '../apps/api/src/db/database.ts'
import type { LoadResult } from './http-load.ts'
import type { RedirectLoad } from './redirect-load.ts'
import {
  compared,
  compareLoads,
  medianOf,
  runLoad,
  type ServedWorld,
  withServedWorld,
  world,
} from './served-world.ts'

/**
 * How many clicks a second the redirect keeps, beside a bare Fastify that keeps nothing: 64 keep-alive
 * connections, in turn, medians. The whole server runs, with its recurring tasks. Fails when a click that was
 * answered is not stored, or one that is stored was not answered.
 *
 *     DATABASE_URL   a PostgreSQL server, on which a database is made and dropped; left out: an engine of its own
 *     ROUNDS         3
 *     SECONDS        5, for each load
 */
const blacklisted = 100_000

async function compare(served: ServedWorld): Promise<void> {
  const { db } = served
  const table: Record<string, string | number>[] = []
  const cases = [
    { name: 'one process', processes: 1, ranges: 0 },
    { name: 'one process, 100,000 black-listed ranges', processes: 1, ranges: blacklisted },
    { name: 'two processes', processes: 2, ranges: 0 },
  ]
  for (const { name, processes, ranges } of cases) {
    await blacklist(db, ranges)
    const { ours, bare, answered, failed, stored } = await compareLoads(served, processes, {
      measure,
      countStored: countClicks,
    })
    table.push({
      '': name,
      'clicks a second': Math.round(medianOf(ours, 'perSecond')),
      ...compared(ours, bare),
      'answered - stored': answered - stored,
      'not answered': failed,
    })
    if (answered !== stored) process.exitCode = 1
  }
  console.table(table)
}

const measure = (port: number, forSeconds: number): Promise<LoadResult> =>
  runLoad('redirect-load.ts', {
    port,
    connections: 64,
    seconds: forSeconds,
    ...world,
  } satisfies RedirectLoad & typeof world)

/** What is stored, once nothing waits on disk any more. */
async function countClicks({ db, dataDir }: ServedWorld): Promise<number> {
  const spool = join(dataDir, 'spool')
  while ((await readdir(spool).catch(() => [])).length > 0) await sleep(200)
  const { rows } = await sql<{ count: number }>`select count(*) from clicks`.execute(db)
  return rows[0]?.count ?? 0
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

await withServedWorld('redirect-reference.ts', compare)
