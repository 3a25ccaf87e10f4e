import { sql } from 'kysely'
import type { Tx } from '../../src/db/database.ts'

/**
 * Fills tables without indexes and then rebuilds these, which is several times faster than maintaining them row
 * by row. The tables are locked until the transaction ends.
 */
export async function withoutIndexes(
  tx: Tx,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  const constraints = await findConstraints(tx, tables)
  const indexes = await findIndexes(tx, tables)
  for (const { table, name, isOfParent } of constraints) {
    // Constraints of a partition belong to its parent's.
    if (!isOfParent) await dropConstraint(tx, table, name)
  }
  for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(tx)
  await fill()
  for (const { table, name, definition } of constraints) {
    await sql`
      alter table ${sql.table(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}
    `.execute(tx)
  }
  for (const { definition } of indexes) await sql.raw(definition).execute(tx)
}

type Definition = { table: string; name: string; definition: string }

/** Primary and unique keys, partitions first, so that their parent's keys adopt them. */
async function findConstraints(tx: Tx, tables: readonly string[]) {
  const { rows } = await sql<Definition & { isOfParent: boolean }>`
    select
      conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition,
      coninhcount > 0 as "isOfParent"
    from pg_constraint
    where contype in ('p', 'u')
      and conrelid in (
        select unnest(${tables}::text[]::regclass[])
        union
        select inhrelid from pg_inherits where inhparent = any (${tables}::text[]::regclass[])
      )
    order by coninhcount desc, conrelid, conname
  `.execute(tx)
  return rows
}

async function findIndexes(tx: Tx, tables: readonly string[]) {
  const { rows } = await sql<Definition>`
    select
      indrelid::regclass::text as "table", relname as name,
      -- For a partitioned table, PostgreSQL returns the definition without its partitions.
      replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as definition
    from pg_index
    join pg_class on pg_class.oid = indexrelid
    where indrelid = any (${tables}::text[]::regclass[])
      and not exists (select from pg_constraint where conindid = indexrelid)
    order by indrelid, relname
  `.execute(tx)
  return rows
}

const dropConstraint = (tx: Tx, table: string, name: string) =>
  sql`alter table ${sql.table(table)} drop constraint ${sql.id(name)}`.execute(tx)
