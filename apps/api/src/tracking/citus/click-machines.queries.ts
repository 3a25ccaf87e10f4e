import type { ClientBase } from 'pg'
import type { Machine, Places } from '../clicks/click-store.ts'

type Placement = {
  shard: string
  name: string
  host: string
  port: number
  isCoordinator: boolean
  isSynced: boolean
}

/** Asks the coordinator's catalog. An agent never changes their shard, unless it is split, so only new ones are looked up. */
export async function findPlaces(session: ClientBase, former: Places | undefined): Promise<Places> {
  const { rows: placements } = await session.query<Placement>(`
    select
      shard.shardid::text as shard, concat(nodename, ':', nodeport) as name, nodename as host,
      nodeport as port, node.groupid = 0 as "isCoordinator", hasmetadata and metadatasynced as "isSynced"
    from pg_dist_shard as shard
    join pg_dist_placement as placement on placement.shardid = shard.shardid
    join pg_dist_node as node on node.groupid = placement.groupid
    where shard.logicalrelid = 'clicks'::regclass and noderole = 'primary' and isactive
  `)
  const shards = new Set(placements.map(({ shard }) => shard))
  const isSplit = [...new Set(former?.shardOf.values())].some((shard) => !shards.has(shard))
  const shardOf = new Map(isSplit ? [] : former?.shardOf)
  const newest = Math.max(0, ...shardOf.keys())
  for (const [agentId, shard] of placements.length > 0 ? await findShards(session, newest) : [])
    shardOf.set(agentId, shard)
  const taking = placements.filter(({ isCoordinator, isSynced }) => isSynced && !isCoordinator)
  const machineOf = new Map(taking.map(({ shard, name }) => [shard, name]))
  const machines = new Map<string, Machine>(
    taking.map(({ name, host, port }) => [
      name,
      { name, host, port, nobody: nobodyOn(name, shardOf, machineOf) },
    ]),
  )
  const unsynced = placements.filter(({ isCoordinator, isSynced }) => !isSynced && !isCoordinator)
  return {
    machines: [...machines.values()],
    unfit: [...new Set(unsynced.map(({ name }) => name))].map((name) => ({
      name,
      why: 'its metadata are not synced (select start_metadata_sync_to_all_nodes())',
    })),
    shardOf,
    machineOf,
  }
}

/** Agents after `newest`, and some who do not exist. */
async function findShards(session: ClientBase, newest: number): Promise<[number, string][]> {
  const { rows } = await session.query<{ id: number; shard: string }>(
    `select id, get_shard_id_for_distribution_column('clicks', id)::text as shard
     from (
       select id::integer from agents where id > $1
       union all
       select generate_series(-${SAMPLES}, -1) where $1 = 0
     ) as agents`,
    [newest],
  )
  return rows.map(({ id, shard }) => [id, shard])
}

/** Enough that hardly a shard is left out. */
const SAMPLES = 256

/** One for each shard of a machine, if the samples have one. */
function nobodyOn(
  machine: string,
  shardOf: ReadonlyMap<number, string>,
  machineOf: ReadonlyMap<string, string>,
): number[] {
  const found = new Map<string, number>()
  for (const [id, shard] of shardOf)
    if (id < 0 && machineOf.get(shard) === machine) found.set(shard, id)
  return [...found.values()]
}
