import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'

/**
 * The number by which a site's order was reported that has this `id` of its shop. Undefined if none was, or if reports say
 * different numbers.
 */
export async function findOrderNumber(
  db: DbOrTx,
  siteId: number,
  shopOrderId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ number: string }>`
    select distinct transaction_id as number
    from postbacks
    where site_id = ${siteId} and params ? 'id' and params ->> 'id' = ${shopOrderId}
      and transaction_id is not null and outcome not in ('refused', 'ignored')
    limit 2
  `.execute(db)
  const [first, other] = rows
  return other ? undefined : first?.number
}
