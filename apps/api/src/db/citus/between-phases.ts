import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tx } from '../database.ts'

/** A worker has died between the two phases of a commit. The SQLSTATE says that the database is recovering. */
class BetweenPhases extends Error {
  override name = 'BetweenPhases'
  readonly code = '57P03'
}

const PATIENCE_MS = 1_000
const PAUSE_MS = 10

/**
 * Waits until every worker shows what was committed before. A worker that dies between the two phases of a commit shows its
 * part only when Citus has recovered it, up to a minute later; the coordinator's rows and locks do not wait. Call it
 * after the lock that those commits held. A worker that is away is left out: the statements that need it fail.
 *
 * @throws an error that counts as an unavailable database if it takes more than a second.
 */
export async function untilShownEverywhere(tx: Tx): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  // Transactions that prepare meanwhile are others, which hold no such lock.
  let missing = await findPrepared(tx)
  while (missing.size > 0) {
    if (performance.now() > deadline) throw new BetweenPhases('a worker is recovering commits')
    await sleep(PAUSE_MS)
    missing = missing.intersection(await findPrepared(tx))
  }
}

/** The transactions that workers have prepared and not yet committed, by name. */
async function findPrepared(tx: Tx): Promise<Set<string>> {
  const { rows } = await sql<{ names: string }>`
    select result as names
    from run_command_on_workers(${sql.lit(prepared)})
    where success
  `.execute(tx)
  return new Set(rows.flatMap(({ names }) => names.split(' ').filter(Boolean)))
}

const prepared = `
  select coalesce(string_agg(gid, ' '), '') from pg_prepared_xacts
  where database = current_database() and starts_with(gid, 'citus_')
`
