import { type Kysely, sql } from 'kysely'
import type { DbOrTx, Tx } from '../database.ts'
import type { DB } from '../types.ts'

/**
 * Where the rows of the big tables are: together on one server, or distributed over the workers of a Citus
 * coordinator. A few writes that are one statement on one server take several in one transaction there.
 */
export type Layout = 'together' | 'distributed'

/** Reads the layout from the database. Only `cli db distribute` changes it, while the app is stopped. */
export async function findLayout(db: Kysely<DB>): Promise<Layout> {
  const { rows } = await sql<{ metadata: string | null }>`
    select to_regclass('pg_dist_partition') as metadata
  `.execute(db)
  if (!rows[0]?.metadata) return 'together'
  return (await isDistributed(db, 'clicks')) ? 'distributed' : 'together'
}

/** Whether a table exists and is distributed. Call it only with Citus: on other servers, its catalog is missing. */
export async function isDistributed(db: Kysely<DB>, table: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_dist_partition where logicalrelid = to_regclass(${table}) and partmethod = 'h'
  `.execute(db)
  return rows.length > 0
}

/**
 * Makes Citus modify shards sequentially for the rest of a transaction, because it refuses to write to a reference
 * table after a parallel operation on shards in the same transaction. Has no effect without Citus.
 */
export const WORK_IN_SEQUENCE = `set local citus.multi_shard_modify_mode to 'sequential'`

export async function workInSequence(tx: Kysely<DB>): Promise<void> {
  await sql.raw(WORK_IN_SEQUENCE).execute(tx)
}

const REFUSE_AFTER_MANY_SHARDS = (refuse: 'on' | 'off') =>
  `set local citus.enforce_foreign_key_restrictions to ${refuse}`

/**
 * Writes to a table that foreign keys lead to, whatever the transaction has read or written before. Citus refuses that after
 * anything that it has done on several shards at once, because their sessions would not see the new rows that theirs refer to.
 * But none of our distributed tables has a foreign key. Has no effect without Citus.
 */
export async function writeBesideShards<T>(tx: Tx, write: () => Promise<T>): Promise<T> {
  await sql.raw(REFUSE_AFTER_MANY_SHARDS('off')).execute(tx)
  const result = await write()
  await sql.raw(REFUSE_AFTER_MANY_SHARDS('on')).execute(tx)
  return result
}

/** Sends the settings of the rest of a transaction (`set local`) to the workers, too. Has no effect without Citus. */
export const shareSettings = (tx: DbOrTx) =>
  sql`set local citus.propagate_set_commands to 'local'`.execute(tx)

/**
 * Makes all machines commit a transaction or none, which Citus ensures by itself only if it has written to several. If it
 * has written to one worker, that worker commits first, by itself. What the transaction has written on the coordinator is then
 * lost if the coordinator or the connection dies, or is kept although the worker has lost its part.
 *
 * The statement deletes nothing. Citus commits in two phases as soon as a transaction has changed a table with a
 * foreign key to a reference table on the coordinator.
 */
export const COMMIT_EVERYWHERE = 'delete from sessions where false'

export async function commitEverywhere(tx: Tx): Promise<void> {
  await sql.raw(COMMIT_EVERYWHERE).execute(tx)
}
