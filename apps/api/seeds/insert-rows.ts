import { type Insertable, sql } from 'kysely'
import type { DbOrTx } from '../src/db/database.ts'
import type { DB } from '../src/db/types.ts'

/** Rows in one statement. */
const batchSize = 10_000

/**
 * Inserts any number of rows, as JSON that PostgreSQL unpacks, which avoids the limit on parameters. All rows
 * must have the columns of the first; omitted columns get their defaults.
 */
export async function insertRows<Table extends keyof DB>(
  db: DbOrTx,
  table: Table,
  rows: readonly Insertable<DB[Table]>[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)))
  for (let start = 0; start < rows.length; start += batchSize) {
    const batch = JSON.stringify(rows.slice(start, start + batchSize).map(withBytesAsText))
    await sql`
      insert into ${sql.table(table)} (${columns})
      select ${columns}
      from json_populate_recordset(null::${sql.table(table)}, ${batch}::json)
    `.execute(db)
  }
}

/** `bytea` as PostgreSQL reads it in JSON. */
const withBytesAsText = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]: [string, unknown]) => [
      column,
      Buffer.isBuffer(value) ? String.raw`\x${value.toString('hex')}` : value,
    ]),
  )
