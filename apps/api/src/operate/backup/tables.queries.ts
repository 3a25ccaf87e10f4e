import { sql } from 'kysely'
import type { ClientBase } from 'pg'
import { to as copyTo, from as copyFrom } from 'pg-copy-streams'
import type { Tx } from '../../db/database.ts'
import { type IdColumn, raiseIds as raiseTo, readIds } from '../../db/ids.ts'
import { changeSealed } from '../../seals/index.ts'
import type { BackupTable } from './backup-file.ts'

/** Starts a transaction with one snapshot of everything. */
export async function beginSnapshot(session: ClientBase): Promise<void> {
  await session.query('begin isolation level repeatable read, read only')
}

export async function begin(session: ClientBase): Promise<void> {
  await session.query('begin')
}

export async function commit(session: ClientBase): Promise<void> {
  await session.query('commit')
}

export async function rollback(session: ClientBase): Promise<void> {
  await session.query('rollback')
}

/** All tables with their columns, in dependency order. Partitions are part of their table. */
export async function findTables(session: ClientBase): Promise<BackupTable[]> {
  const { rows } = await session.query<BackupTable & { refersTo: string[] }>(`
    select
      tables.relname as "table",
      (
        select array_agg(columns.attname::text order by columns.attnum)
        from pg_attribute as columns
        where columns.attrelid = tables.oid
          and columns.attnum > 0 and not columns.attisdropped and columns.attgenerated = ''
      ) as columns,
      (
        select coalesce(array_agg(distinct others.relname::text), '{}')
        from pg_constraint as constraints
        join pg_class as others on others.oid = constraints.confrelid
        where constraints.conrelid = tables.oid
          and constraints.contype = 'f' and others.oid <> tables.oid
      ) as "refersTo"
    from pg_class as tables
    where tables.relnamespace = 'public'::regnamespace
      and tables.relkind in ('r', 'p')
      and not tables.relispartition
      and tables.relname not like 'kysely\\_%'
    order by tables.relname
  `)
  return inOrder(rows)
}

function inOrder(tables: readonly (BackupTable & { refersTo: string[] })[]): BackupTable[] {
  const ordered: BackupTable[] = []
  const waiting = new Set(tables)
  while (waiting.size > 0) {
    const names = new Set([...waiting].map(({ table }) => table))
    const next = [...waiting].filter(({ refersTo }) => !refersTo.some((name) => names.has(name)))
    if (next.length === 0) throw new Error('tables have circular references')
    for (const found of next) {
      waiting.delete(found)
      ordered.push({ table: found.table, columns: found.columns })
    }
  }
  return ordered
}

/** The newest migration; undefined if the database has no schema. */
export async function findLastMigration(session: ClientBase): Promise<string | undefined> {
  const { rows: tables } = await session.query<{ found: string | null }>(
    `select to_regclass('kysely_migration') as found`,
  )
  if (!tables[0]?.found) return undefined
  const { rows } = await session.query<{ name: string }>(
    'select name from kysely_migration order by name desc limit 1',
  )
  return rows[0]?.name
}

export async function findFirstClickDay(session: ClientBase): Promise<string | null> {
  const { rows } = await session.query<{ day: string | null }>(
    `select to_char(min(clicked_at) at time zone 'America/New_York', 'YYYY-MM-DD') as day from clicks`,
  )
  return rows[0]?.day ?? null
}

/** Whether the database is in use: it has accounts. */
export async function hasAccounts(session: ClientBase): Promise<boolean> {
  const { rows } = await session.query('select 1 from accounts limit 1')
  return rows.length > 0
}

/** A table's rows as a stream in COPY's text format. */
/** The bytes of each table on disk. On a cluster, 0 for those on the workers. */
export async function findSizes(session: ClientBase): Promise<ReadonlyMap<string, number>> {
  const { rows } = await session.query<{ table: string; bytes: number }>(`
    select relname as table, coalesce(
      (select sum(pg_table_size(part.relid)) from pg_partition_tree(pg_class.oid) as part),
      pg_table_size(pg_class.oid)
    )::float8 as bytes
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
  `)
  return new Map(rows.map(({ table, bytes }) => [table, bytes]))
}

export const readRows = (session: ClientBase, { table, columns }: BackupTable) =>
  session.query(copyTo(`copy (select ${quoted(columns)} from ${quote(table)}) to stdout`))

/** Accepts the output of {@link readRows}. */
export const insertRows = (session: ClientBase, { table, columns }: BackupTable) =>
  session.query(copyFrom(`copy ${quote(table)} (${quoted(columns)}) from stdin`))

/** Truncates tables, including rows inserted by migrations. */
export async function emptyTables(
  session: ClientBase,
  tables: readonly BackupTable[],
): Promise<void> {
  await session.query(`truncate ${tables.map(({ table }) => quote(table)).join(', ')}`)
}

/** Marks the database as half restored, so that nothing starts on it, or removes the mark. */
export async function markHalfRestored(session: ClientBase, half: boolean): Promise<void> {
  await session.query(`comment on table kysely_migration is ${half ? `'half restored'` : 'null'}`)
}

/** Drops every table and function, so that the database is as empty as a new one. */
export async function dropEverything(session: ClientBase): Promise<void> {
  await session.query(`
    do $$
    declare
      found record;
      tables text;
    begin
      select string_agg(oid::regclass::text, ', ') into tables from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e');
      -- At once: a cluster makes local tables anew when it drops the last reference table that they refer to.
      if tables is not null then execute format('drop table %s cascade', tables); end if;
      for found in
        select oid::regprocedure as name from pg_proc
        where pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
      loop
        execute format('drop function %s', found.name);
      end loop;
    end
    $$
  `)
}

/** Sets identity sequences to the highest existing id. */
export async function raiseIds(session: ClientBase): Promise<void> {
  const ask = (statement: string) => session.query<IdColumn>(statement)
  await raiseTo(ask, await readIds(ask))
}

/**
 * Begins a new epoch of pay. The backup lacks statements and payments made after it, so without a
 * new epoch their numbers would be issued again. Using the minute also distinguishes two restores
 * of one backup.
 */
export async function raisePayEpoch(tx: Tx, now: Date): Promise<void> {
  const minute = Math.floor((now.getTime() - Date.UTC(2026, 0)) / 60_000)
  await changeSealed(tx, 'pay_state', { only_row: true }, () =>
    sql`update pay_state set epoch = greatest(epoch + 1, ${minute}::integer)`.execute(tx),
  )
}

/** Planner statistics are not part of a backup. */
export async function analyze(session: ClientBase): Promise<void> {
  await session.query('analyze')
}

const quoted = (names: readonly string[]) => names.map(quote).join(', ')

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
