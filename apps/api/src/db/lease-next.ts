import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import type { DB } from './types.ts'

/** Work in a queue: a table, and its column with the time from when on a row is due. Null: it is not. */
type Queue = {
  table: keyof DB
  due: string
  /** What else changes when a row is leased. */
  set?: RawBuilder<unknown>
}

/** When a row with so many tries is due at the latest, of the times by the number of tries: see `latestTries`. */
export const latestByTries = (latest: readonly Date[]): RawBuilder<Date> =>
  sql`(${latest}::timestamptz[])[least(greatest(tries, 1), ${latest.length})]`

/**
 * Leases the row that is due first to the caller: until `until`, it is due for nobody else. Afterwards any process may take
 * it. Whoever changes the row later compares the column with `until`: another value is somebody else's.
 *
 * @returns the row as it is now; undefined if none is due.
 */
export async function leaseNext<Row>(
  db: Db,
  { table, due, set }: Queue,
  { now, until }: { now: Date; until: Date },
): Promise<Row | undefined> {
  const [name, column] = [sql.table(table), sql.ref(due)]
  const { rows } = await sql<Row>`
    update ${name} set ${column} = ${until} ${set ? sql`, ${set}` : sql``}
    where id = (
      select id from ${name}
      where ${column} <= ${now}
      order by ${column}, id
      limit 1
      for update skip locked
    )
    returning *
  `.execute(db)
  return rows[0]
}
