import { join } from 'node:path'
import { sql } from 'kysely'
import { announceChange } from '../apps/api/src/db/changes.ts'
import type { Db } from '../apps/api/src/db/database.ts'
import { inTransaction } from '../apps/api/src/db/transaction.ts'
import { makeClickIds } from '../apps/api/src/tracking/clicks/click-id-signer.ts'
import { verifyTotals } from '../apps/api/src/totals/index.ts'
import { provideSecrets } from '../apps/api/src/lib/secrets.ts'
import { addId } from './add-id.ts'
import type { RedirectLoad, RedirectLoadResult } from './redirect-load.ts'
import {
  compared,
  compareLoads,
  countClicks,
  medianOf,
  runLoad,
  type ServedWorld,
  serverPort,
  withServedWorld,
  world,
} from './served-world.ts'

/**
 * Measures how many clicks per second the redirect stores, with the whole server and its recurring tasks
 * running. Alternates with a bare Fastify that stores nothing, over 64 keep-alive connections, and reports
 * medians. Fails if acknowledged and stored clicks differ by count or checksum of ids, or if the totals differ
 * from the events.
 *
 *     DATABASE_URL   a PostgreSQL server, on which a database is created and dropped; default: an embedded
 * engine
 *     WORKERS        instead: a Citus cluster of a coordinator and this many workers, which is started and removed
 *     ROUNDS         3
 *     SECONDS        5, for each load
 */
const blacklisted = 100_000

async function compare(served: ServedWorld): Promise<void> {
  const { db } = served
  const table: Record<string, string | number>[] = []
  let answeredIds = 0
  const measure = async (port: number, forSeconds: number): Promise<RedirectLoadResult> => {
    const result = await visit(port, forSeconds)
    if (port === serverPort) answeredIds += result.checksum
    return result
  }
  const cases = [
    { name: 'one process', processes: 1, ranges: 0 },
    { name: 'one process, 100,000 black-listed ranges', processes: 1, ranges: blacklisted },
    { name: 'two processes', processes: 2, ranges: 0 },
  ]
  for (const { name, processes, ranges } of cases) {
    await blacklist(db, ranges)
    const comparison = await compareLoads(served, processes, { measure, countStored: countClicks })
    const { first, ours, answered, failed, stored } = comparison
    table.push({
      '': name,
      'clicks a second': Math.round(medianOf(ours, 'perSecond')),
      ...compared(comparison),
      'p99 of the first 2 s': first.p99Ms.toFixed(1),
      'longest of these': first.maxMs.toFixed(0),
      'answered - stored': answered - stored,
      'not answered': failed,
    })
    if (answered !== stored || failed > 0) process.exitCode = 1
  }
  console.table(table)
  const [areTheSame, differences] = [
    answeredIds === (await storedIds(served)),
    await verifyTotals(db),
  ]
  console.log(
    areTheSame ? 'The stored clicks match the acknowledged ones.' : 'The stored clicks differ.',
  )
  console.log(differences.length === 0 ? 'The totals match the events.' : 'The totals differ.')
  if (!areTheSame || differences.length > 0) process.exitCode = 1
}

const visit = (port: number, forSeconds: number): Promise<RedirectLoadResult> =>
  runLoad('redirect-load.ts', {
    port,
    connections: 64,
    seconds: forSeconds,
    ...world,
  } satisfies RedirectLoad & typeof world)

/** The checksum of all click ids, some agents at a time. */
async function storedIds({ db, dataDir }: ServedWorld): Promise<number> {
  const secrets = await provideSecrets(join(dataDir, 'secret.key'))
  const clickIds = makeClickIds(secrets.secret, secrets.formerSecrets)
  let checksum = 0
  for (let slice = 0; slice < SLICES; slice++) {
    const { rows } = await sql<{ ms: number; agentId: number; typeId: number; nonce: number }>`
      select
        (extract(epoch from clicked_at) * 1000)::bigint as ms, agent_id as "agentId", type_id as "typeId", nonce
      from clicks
      where agent_id % ${SLICES} = ${slice}
    `.execute(db)
    for (const { ms, ...fields } of rows) {
      checksum = addId(checksum, clickIds.sign({ ...fields, clickedAtMs: ms }))
    }
  }
  return checksum
}

const SLICES = 20

/** Ranges without any visitors, as only the look-up is measured. */
async function blacklist(db: Db, count: number): Promise<void> {
  await inTransaction(db, async (tx) => {
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
