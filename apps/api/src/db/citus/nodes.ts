import { sql } from 'kysely'
import { appRole } from '../connection.ts'
import type { Db } from '../database.ts'
import { errorCode, inTransaction, STATEMENT_TIMED_OUT } from '../transaction.ts'

/** What machines of a cluster lack, in words for the operator. */
export type NodeFlaws = {
  /** With these, statements fail or answer differently on a machine. */
  faults: string[]
  /** With these, all works but what they name. */
  limits: string[]
}

/** How long all machines together have to answer. */
const PATIENCE_MS = 5_000

/**
 * Asks every machine of a cluster for what we depend on: versions, time zone, roles, metadata, and the level of its WAL, without
 * which no shard can move.
 */
export async function findNodeFlaws(db: Db): Promise<NodeFlaws> {
  const workers = await findWorkers(db)
  const answers = await ask(db)
  if (!answers) return { faults: ['A worker of the cluster does not answer.'], limits: [] }
  const { own } = answers
  const flaws: NodeFlaws = { faults: [], limits: [] }
  const unableToMove = own.wal === 'logical' ? [] : ['the coordinator']
  for (const worker of workers) {
    const { said, error = 'no answer' } = answers.workers.get(worker.name) ?? {}
    if (said === undefined) {
      flaws.faults.push(`${worker.name} refuses the coordinator’s connections: ${error}`)
      continue
    }
    flaws.faults.push(...differences(worker, said, own))
    if (said.wal !== 'logical') unableToMove.push(worker.name)
    if (said.offset !== 0)
      flaws.limits.push(
        `${worker.name} has the time zone ${said.zone}, so times in its log differ from the app’s, which are UTC. Set timezone = 'UTC' in its postgresql.conf.`,
      )
  }
  if (unableToMove.length > 0)
    flaws.limits.push(
      `No shard can move, so a new worker gets none, until wal_level is logical on every machine and each was restarted: ${unableToMove.join(', ')}.`,
    )
  return flaws
}

type Worker = {
  /** As in messages: `worker-1.internal:5432`. */
  name: string
  host: string
  port: number
  isSynced: boolean
}

async function findWorkers(db: Db): Promise<Worker[]> {
  const { rows } = await sql<Worker>`
    select concat(nodename, ':', nodeport) as name, nodename as host, nodeport as port,
      hasmetadata and metadatasynced as "isSynced"
    from pg_dist_node
    where groupid <> 0 and isactive and noderole = 'primary'
    order by nodeid
  `.execute(db)
  return rows
}

type Said = {
  postgres: number
  citus: string | null
  zone: string
  /** Seconds ahead of UTC in summer and in winter, added. */
  offset: number
  wal: string
  /** Null: it does not have the role. */
  mayAppSignIn: boolean | null
}

const question = `
  select json_build_object(
    'postgres', current_setting('server_version_num')::integer / 10000,
    'citus', (select extversion from pg_extension where extname = 'citus'),
    'zone', current_setting('TimeZone'),
    'offset', extract(timezone from timestamptz '2026-01-01Z') + extract(timezone from timestamptz '2026-07-01Z'),
    'wal', current_setting('wal_level'),
    'mayAppSignIn', (select rolcanlogin from pg_roles where rolname = '${appRole}')
  ) as said
`

type Answers = { own: Said; workers: ReadonlyMap<string, { said?: Said; error?: string }> }

/** What each machine says, or why it says nothing. Undefined if one takes too long. */
async function ask(db: Db): Promise<Answers | undefined> {
  try {
    return await inTransaction(db, async (tx) => {
      await sql`select set_config('statement_timeout', ${String(PATIENCE_MS)}, true)`.execute(tx)
      const { rows: own } = await sql.raw<{ said: Said }>(question).execute(tx)
      const { rows } = await sql<{ name: string; success: boolean; result: string }>`
        select concat(nodename, ':', nodeport) as name, success, result
        from run_command_on_workers(${sql.lit(question)})
      `.execute(tx)
      const workers = rows.map(({ name, success, result }) => {
        const answer = success ? { said: JSON.parse(result) as Said } : { error: result }
        return [name, answer] as const
      })
      if (own[0] === undefined) throw new Error('no row')
      return { own: own[0].said, workers: new Map(workers) }
    })
  } catch (error) {
    if (errorCode(error) === STATEMENT_TIMED_OUT) return undefined
    throw error
  }
}

function differences({ name, host, port, isSynced }: Worker, said: Said, own: Said): string[] {
  const found: string[] = []
  if (said.postgres !== own.postgres)
    found.push(`${name} has PostgreSQL ${said.postgres}, the coordinator ${own.postgres}.`)
  if (said.citus === null)
    found.push(`${name} has no Citus in this database. Run there: create extension citus;`)
  else if (said.citus !== own.citus)
    found.push(
      `${name} has Citus ${said.citus}, the coordinator ${own.citus}. Install the newer one and run there: alter extension citus update;`,
    )
  if (said.mayAppSignIn !== true)
    found.push(
      `${name} does not let ${appRole} log in. Run there: ${said.mayAppSignIn === null ? 'create' : 'alter'} role ${appRole} login;`,
    )
  if (!isSynced)
    found.push(
      `${name} lacks metadata of the cluster. Run on the coordinator: select start_metadata_sync_to_node('${host}', ${port});`,
    )
  return found
}
