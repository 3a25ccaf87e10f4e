import { type Kysely, sql } from 'kysely'
import type { DB } from '../types.ts'
import { findLayout } from './layout.ts'

/**
 * A shard has moved to another machine during a snapshot, which there is older than the rows. The SQLSTATE says that the same work
 * succeeds later.
 */
export class ShardsMoved extends Error {
  override name = 'ShardsMoved'
  readonly code = '57P03'

  constructor() {
    super('A shard has moved to another machine during a snapshot, which lacks its rows there.')
  }
}

/** Where all shards are, as the coordinator says now: another value if one has moved. Undefined on one server. */
export type Placements = string | undefined

/**
 * Citus has no snapshot of all machines: each session on a worker takes its own when it is first used. A shard that moves in
 * between is read where the snapshot has none of its rows, without an error. So who reads all of one moment compares the
 * placements before its first statement and after its last one.
 */
export async function findPlacements(db: Kysely<DB>): Promise<Placements> {
  if (!(await isOnCluster(db))) return undefined
  const { rows } = await sql<{ placements: string }>`
    select concat(count(*), ' ', sum(hashint8extended(shardid, groupid))) as placements
    from pg_dist_placement
  `.execute(db)
  return rows[0]?.placements
}

/** @throws ShardsMoved */
export async function expectPlacements(db: Kysely<DB>, placements: Placements): Promise<void> {
  if (placements === undefined) return
  if (placements !== (await findPlacements(db))) throw new ShardsMoved()
}

/** Asked once, because a database can't be distributed while the app is connected. */
async function isOnCluster(db: Kysely<DB>): Promise<boolean> {
  const known = clusters.get(db) ?? (await findLayout(db)) === 'distributed'
  clusters.set(db, known)
  return known
}

const clusters = new WeakMap<Kysely<DB>, boolean>()
