import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tx } from '../database.ts'
import { errorCode, STATEMENT_TIMED_OUT } from '../transaction.ts'

/** A worker has died between the two phases of a commit. The SQLSTATE says that the database is recovering. */
class BetweenPhases extends Error {
  override name = 'BetweenPhases'
  readonly code = '57P03'
}

const PATIENCE_MS = 1_000
const PAUSE_MS = 10

/**
 * Waits until every worker shows what was committed before. A worker that dies between the two phases of a commit
 * shows its part only when Citus has recovered it, up to a minute later; the coordinator's rows and locks do not wait.
 * Call it after the lock that those commits held.
 *
 * @throws an error that counts as an unavailable database if it takes more than a second, or if a worker does not
 * answer for a second or refuses connections: it may hold such rows, and other sessions may still reach it.
 */
export async function untilShownEverywhere(tx: Tx): Promise<void> {
  const former = await limitStatements(tx)
  const deadline = performance.now() + PATIENCE_MS
  // Transactions that prepare meanwhile are others, which hold no such lock.
  let missing = await findPrepared(tx)
  while (missing.size > 0) {
    if (performance.now() > deadline) throw new BetweenPhases([...missing].join(', '))
    await sleep(PAUSE_MS)
    missing = missing.intersection(await findPrepared(tx))
  }
  await sql`select set_config('statement_timeout', ${former}, true)`.execute(tx)
}

/** Others queue for the locks that the transaction holds. Returns the former limit. */
async function limitStatements(tx: Tx): Promise<string> {
  const { rows } = await sql<{ timeout: string }>`
    with former as materialized (select current_setting('statement_timeout') as timeout)
    select timeout, set_config('statement_timeout', ${String(PATIENCE_MS)}, true) from former
  `.execute(tx)
  return rows[0]?.timeout ?? '0'
}

/** What workers have prepared and not yet committed, and workers that do not tell. */
async function findPrepared(tx: Tx): Promise<Set<string>> {
  try {
    const { rows } = await sql<{ worker: string; success: boolean; result: string }>`
      select concat(nodename, ':', nodeport) as worker, success, result
      from run_command_on_workers(${sql.lit(prepared)})
    `.execute(tx)
    return new Set(
      rows.flatMap(({ worker, success, result }) =>
        success
          ? result.split(' ').flatMap((gid) => (gid ? `${worker} has prepared ${gid}` : []))
          : `${worker} refuses connections`,
      ),
    )
  } catch (cause) {
    if (errorCode(cause) !== STATEMENT_TIMED_OUT) throw cause
    throw new BetweenPhases('a worker does not answer', { cause })
  }
}

const prepared = `
  select coalesce(string_agg(gid, ' '), '') from pg_prepared_xacts
  where database = current_database() and starts_with(gid, 'citus_')
`
