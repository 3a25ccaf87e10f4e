/** An identity column and the last id that its sequence has issued; null if none. */
export type IdColumn = { table: string; column: string; given: number | null }

/** All identity columns of the schema. */
export async function readIds(
  ask: (statement: string) => Promise<{ rows: IdColumn[] }>,
): Promise<IdColumn[]> {
  const { rows } = await ask(`
    select
      tables.relname as table, columns.attname as column,
      pg_sequence_last_value(pg_get_serial_sequence(quote_ident(tables.relname), columns.attname)::regclass)
        as given
    from pg_attribute as columns
    join pg_class as tables on tables.oid = columns.attrelid
    where tables.relnamespace = 'public'::regnamespace
      and columns.attidentity <> '' and not columns.attisdropped
  `)
  return rows
}

/**
 * Sets each sequence to the highest id of its table, or to the last issued one if higher: deleted rows may have had
 * it.
 */
export async function raiseIds(
  ask: (statement: string) => Promise<unknown>,
  columns: readonly IdColumn[],
): Promise<void> {
  for (const { table, column, given } of columns) {
    await ask(`
      select setval(
        pg_get_serial_sequence('"${table}"', '${column}'),
        coalesce(greatest(max("${column}"), ${given}), 1),
        greatest(max("${column}"), ${given}) is not null
      )
      from "${table}"
    `)
  }
}
