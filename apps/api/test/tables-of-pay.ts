import { notOfPay } from '../src/db/tables-of-pay.ts'

export type Column = {
  name: string
  /** `integer`, `timestamp with time zone`, `ARRAY` … */
  type: string
  isNullable: boolean
  /** Its position in the primary key; null if it is not part of it. */
  keyPlace: number | null
  /** The values that a check constraint lists. */
  listed: string[]
}

/** The tables of pay in a migrated database, with their columns, by name. */
export async function findTablesOfPay(
  query: (sql: string) => Promise<{ rows: unknown[] }>,
): Promise<Map<string, Column[]>> {
  const { rows } = await query(`
    select
      columns.table_name as "table", columns.column_name as name, columns.data_type as type,
      columns.is_nullable = 'YES' as "isNullable",
      array_position(keys.conkey, columns.ordinal_position::smallint) as "keyPlace",
      coalesce(
        (
          select array_agg(value[1])
          from pg_constraint as checks
          cross join regexp_matches(
            pg_get_constraintdef(checks.oid),
            '''([^'']+)''::text', 'g'
          ) as value
          where checks.contype = 'c'
            and checks.conrelid = keys.conrelid
            and pg_get_constraintdef(checks.oid) ~ ('\\y' || columns.column_name || ' = ANY')
        ),
        '{}'
      ) as listed
    from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    join pg_constraint as keys
      on keys.conrelid = format('public.%I', columns.table_name)::regclass and keys.contype = 'p'
    where columns.table_schema = 'public' and tables.table_type = 'BASE TABLE'
      and columns.table_name not like 'kysely%'
      and not exists (
        select from pg_inherits where inhrelid = format('public.%I', columns.table_name)::regclass
      )
    order by 1, columns.ordinal_position
  `)
  const found = rows as ({ table: string } & Column)[]
  return Map.groupBy(
    found.filter(({ table }) => !notOfPay.has(table)),
    ({ table }) => table,
  )
}
