import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Reach } from '../../lib/log/progress.ts'
import { appRole } from '../connection.ts'
import type { Db, DbOrTx, Tx } from '../database.ts'
import { type IdColumn, raiseIds, readIds } from '../ids.ts'
import { inTransaction } from '../transaction.ts'
import { findLayout, isDistributed, workInSequence } from './layout.ts'
import { findNodeFlaws } from './nodes.ts'
import { type TablePlace, tablePlaces } from './table-places.ts'
import { locks, takeLock } from '../locks.ts'
import { FinalError } from '../../lib/operator-error.ts'

/** An error that the operator can fix. The message is for them. */
class DistributeError extends FinalError {
  override name = 'DistributeError'
}

/** The first Citus that can turn a table with a foreign key and an identity column into a reference table. */
const oldestCitus = 13

/** How long the server may still list a session after it was closed. */
const ENDING_MS = 2_000

/**
 * Moves every table of a Citus coordinator to its place, with its rows, all or none. Idempotent: after an
 * upgrade it moves only new tables.
 *
 * @param ownerDb with the rights of the schema owner, fully migrated.
 * @returns the tables that this call has moved.
 * @throws DistributeError if the database is not a coordinator, has no workers, or is in use, or if its machines differ.
 */
export async function distribute(ownerDb: Db, reach?: Reach): Promise<string[]> {
  await expectCoordinator(ownerDb)
  await expectUnused(ownerDb)
  await allowWorkersToKnowApp(ownerDb)
  const { faults } = await findNodeFlaws(ownerDb)
  if (faults.length > 0) throw new DistributeError(faults.join('\n'))
  const moved = await inTransaction(ownerDb, async (tx) => {
    await takeLock(tx, locks.world)
    await workInSequence(tx)
    // Elsewhere a function of the owner deletes events, but on Citus a transaction cannot switch roles.
    await sql`grant delete on clicks, sale_events, sale_keys to ${sql.ref(appRole)}`.execute(tx)
    // A database of an older version lacks these tables.
    if ((await findTables(tx)).has('click_seals')) {
      await sql`grant delete on click_seals to ${sql.ref(appRole)}`.execute(tx)
      await sql`grant insert on archive_purges to ${sql.ref(appRole)}`.execute(tx)
    }
    // Citus recreates tables with foreign keys, which resets their sequences.
    const ask = (statement: string) => sql.raw<IdColumn>(statement).execute(tx)
    const ids = await readIds(ask)
    const tables = await moveTables(tx, reach)
    await raiseIds(ask, ids)
    return tables
  })
  // Frees the coordinator's local copy, which is hidden but takes space once the rows are on the workers.
  const there = await findTables(ownerDb)
  for (const table of [...tablesAt('by agent_id', there), ...tablesAt('by order_hash', there)]) {
    await sql`select truncate_local_data_after_distributing_table(${table}::regclass)`.execute(
      ownerDb,
    )
  }
  return moved
}

/** @throws DistributeError that says what an administrator has to do first. */
export async function expectCoordinator(db: Db): Promise<void> {
  const { rows } = await sql<{ version: string }>`
    select extversion as version from pg_extension where extname = 'citus'
  `.execute(db)
  const version = rows[0]?.version
  if (version === undefined)
    throw new DistributeError(
      'This database has no Citus. DATABASE_URL must name the coordinator, in a database where an administrator has run: create extension citus;',
    )
  if (Number.parseInt(version) < oldestCitus)
    throw new DistributeError(
      `This database has Citus ${version}; ${oldestCitus} or newer is needed.`,
    )
  const { rows: nodes } = await sql<{ isCoordinator: boolean; holdsShards: boolean }>`
    select groupid = 0 as "isCoordinator", shouldhaveshards as "holdsShards"
    from pg_dist_node
    where isactive and noderole = 'primary'
  `.execute(db)
  if (!nodes.some(({ isCoordinator }) => isCoordinator))
    throw new DistributeError(
      "The coordinator does not know its own address. An administrator has to run on it: select citus_set_coordinator_host('its name');",
    )
  if (!nodes.some(({ holdsShards }) => holdsShards))
    throw new DistributeError(
      "The coordinator has no workers. An administrator has to run on it, for each: select citus_add_node('its name', 5432);",
    )
}

/** Whether this is a coordinator with workers whose tables are not distributed yet. */
export async function awaitsDistribution(db: Db): Promise<boolean> {
  const { rows } = await sql<{ nodes: string | null }>`
    select to_regclass('pg_dist_node') as nodes
  `.execute(db)
  if (!rows[0]?.nodes || (await findLayout(db)) === 'distributed') return false
  const { rows: workers } = await sql`
    select from pg_dist_node where groupid <> 0 and isactive and shouldhaveshards
  `.execute(db)
  return workers.length > 0
}

/**
 * Refuses a cluster on which an upgrade has left tables where they were made. Does nothing elsewhere.
 *
 * @throws DistributeError that names them.
 */
export async function expectEveryTableInPlace(db: Db): Promise<void> {
  if ((await findLayout(db)) !== 'distributed') return
  const misplaced: string[] = []
  const there = await findTables(db)
  for (const [table, place] of Object.entries(tablePlaces))
    if (place !== 'coordinator' && there.has(table) && !(await isAt(db, table, place)))
      misplaced.push(table)
  if (misplaced.length > 0)
    throw new DistributeError(
      `The upgrade is not complete. With every process of the app stopped, run: npm run cli -- db distribute. Not in their places on the cluster: ${misplaced.join(', ')}.`,
    )
}

/** Running app processes have chosen their statements by the layout found at startup. */
async function expectUnused(db: Db): Promise<void> {
  const find = () =>
    sql<{ name: string }>`
      select distinct application_name as name
      from pg_stat_activity
      where datname = current_database()
        and application_name like 'tallyroom%' and application_name <> 'tallyroom cli'
      order by name
    `.execute(db)
  let { rows } = await find()
  // Sessions of the preceding migration may still be closing.
  for (const end = performance.now() + ENDING_MS; rows.length > 0 && performance.now() < end;) {
    await sleep(100)
    rows = (await find()).rows
  }
  if (rows.length > 0)
    throw new DistributeError(
      `The app is connected (${rows.map(({ name }) => name).join(', ')}). Stop all of its processes first.`,
    )
}

/** The coordinator connects to the workers as the role of the session. */
async function allowWorkersToKnowApp(db: Db): Promise<void> {
  const { rows } = await sql<{ maySignIn: boolean }>`
    select rolcanlogin as "maySignIn" from pg_roles where rolname = ${appRole}
  `.execute(db)
  if (!rows[0]?.maySignIn) await sql`alter role ${sql.ref(appRole)} login`.execute(db)
}

const places = ['everywhere', 'by agent_id', 'by order_hash'] as const

async function moveTables(tx: Tx, reach?: Reach): Promise<string[]> {
  const moved: string[] = []
  const there = await findTables(tx)
  const all = places.reduce((sum, place) => sum + tablesAt(place, there).length, 0)
  let done = 0
  for (const table of tablesAt('everywhere', there)) {
    reach?.(done++, all, 'tables')
    if (await isAt(tx, table, 'everywhere')) continue
    await sql`select create_reference_table(${table}::regclass)`.execute(tx)
    moved.push(table)
  }
  for (const place of ['by agent_id', 'by order_hash'] as const) {
    // Colocates the rows of one agent across tables.
    const [first, ...others] = tablesAt(place, there)
    for (const table of first === undefined ? [] : [first, ...others]) {
      reach?.(done++, all, 'tables')
      if (await isAt(tx, table, place)) continue
      const column = await columnOf(tx, table, place)
      const beside = table === first ? 'none' : (first ?? 'none')
      if (await isDistributed(tx, table)) {
        // An earlier version distributed it by another column.
        await sql`
          select alter_distributed_table(${table}, distribution_column => ${column}, colocate_with => ${beside})
        `.execute(tx)
      } else {
        await sql`
          select create_distributed_table(${table}::regclass, ${column}, colocate_with => ${beside})
        `.execute(tx)
      }
      moved.push(table)
    }
  }
  // Most are, since their foreign keys lead to what has just become a reference table.
  for (const table of [...tablesAt('managed', there), ...tablesAt('managed parent', there)]) {
    if (await isAt(tx, table, 'managed')) continue
    await sql`select citus_add_local_table_to_metadata(${table}::regclass)`.execute(tx)
    moved.push(table)
  }
  return moved
}

/** What a table is distributed by. A database of an older version still has its sale keys each by itself. */
async function columnOf(db: DbOrTx, table: string, place: TablePlace): Promise<string> {
  const column = place.replace(/^by /, '')
  const { rows } = await sql`
    select from pg_attribute where attrelid = ${table}::regclass and attname = ${column}
  `.execute(db)
  return rows.length > 0 ? column : 'sale_key'
}

async function isAt(db: DbOrTx, table: string, place: TablePlace): Promise<boolean> {
  const { rows } = await sql<{ method: string; model: string; column: string | null }>`
    select
      partmethod as method, repmodel as model,
      column_to_column_name(logicalrelid, partkey) as column
    from pg_dist_partition
    where logicalrelid = ${table}::regclass
  `.execute(db)
  const distributedBy = place.startsWith('by ') ? await columnOf(db, table, place) : undefined
  return rows.some(({ method, model, column }) => {
    if (distributedBy !== undefined) return method === 'h' && column === distributedBy
    return method === 'n' && model === (place === 'everywhere' ? 't' : 's')
  })
}

/** The tables of the schema. Before an upgrade it has fewer than {@link tablePlaces}. */
async function findTables(db: DbOrTx): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ table: string }>`
    select relname as table from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
  `.execute(db)
  return new Set(rows.map(({ table }) => table))
}

const tablesAt = (place: TablePlace, there: ReadonlySet<string>): string[] =>
  Object.entries(tablePlaces)
    .filter(([table, of]) => of === place && there.has(table))
    .map(([table]) => table)
