import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'

/** Every range of the black list, such as `192.0.2.0/24`, in no order. */
export async function findAllRanges(db: DbOrTx): Promise<string[]> {
  // One value instead of 100,000 rows: the redirects of this process wait while rows are parsed.
  const { rows } = await sql<{ ranges: string | null }>`
    select string_agg(ip::text, ' ') as ranges
    from ip_blacklist
  `.execute(db)
  return rows[0]?.ranges?.split(' ') ?? []
}
