import type { ClientBase } from 'pg'

/** The statements that rebuild what {@link dropKeys} dropped. */
export type Keys = {
  /** Keys and indexes of tables and single partitions, which can be built in parallel. */
  own: string[]
  /** Those of partitioned tables, which attach the partitions' own. */
  shared: string[]
  /**
   * Foreign keys, including those of other tables to this one. They need the keys of both tables.
   */
  foreign: string[]
}

/** Drops the keys and indexes of a table, because building them over all rows is quicker than row by row. */
export async function dropKeys(session: ClientBase, table: string): Promise<Keys> {
  const { rows } = await session.query<Key>(findKeys, [table])
  const drops = rows.filter(({ drop }) => drop !== null)
  for (const kind of ['foreign', 'constraint', 'index'] as const) {
    for (const { drop } of drops.filter((key) => key.kind === kind)) await session.query(drop ?? '')
  }
  const build = (wanted: (key: Key) => boolean) => rows.filter(wanted).map((key) => key.build)
  return {
    own: build(({ kind, isShared }) => kind !== 'foreign' && !isShared),
    shared: build(({ kind, isShared }) => kind !== 'foreign' && isShared),
    foreign: build(({ kind }) => kind === 'foreign'),
  }
}

/**
 * Builds a table's own keys in parallel, then the shared ones. Foreign keys are left to the caller.
 */
export async function buildKeys(
  build: (statement: string) => Promise<unknown>,
  { own, shared }: Keys,
): Promise<void> {
  await Promise.all(own.map(build))
  for (const statement of shared) await build(statement)
}

type Key = {
  kind: 'foreign' | 'constraint' | 'index'
  isShared: boolean
  /** Null: it is dropped with the partitioned table's key. */
  drop: string | null
  build: string
}

const findKeys = `
  with members as (
    select $1::regclass as oid
    union
    select relid from pg_partition_tree($1::regclass)
  )
  select
    case contype when 'f' then 'foreign' else 'constraint' end as kind,
    relkind = 'p' as "isShared",
    case when conparentid = 0 then format('alter table %s drop constraint %I', conrelid::regclass, conname) end as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid))
      as build
  from pg_constraint
  join pg_class on pg_class.oid = conrelid
  where (contype in ('p', 'u', 'x') and conrelid in (select oid from members))
    or (contype = 'f' and conparentid = 0
      and (conrelid in (select oid from members) or confrelid in (select oid from members)))
  union all
  select
    'index',
    tables.relkind = 'p',
    case when not indexes.relispartition then format('drop index %s', indexes.oid::regclass) end,
    -- A partitioned table's own definition leaves its partitions out.
    replace(pg_get_indexdef(indexes.oid), ' ON ONLY ', ' ON ')
  from pg_index
  join pg_class as indexes on indexes.oid = indexrelid
  join pg_class as tables on tables.oid = indrelid
  where indrelid in (select oid from members)
    and not exists (
      select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x')
    )
`
