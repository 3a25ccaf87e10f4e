import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { Repriced } from './ledger.ts'
import { locks, shareLock, sharing } from '../../db/locks.ts'
import type { SaleEvent } from './price-event.ts'

/**
 * A part of the statement that writes a sale: it has a row if no rates of its link type were
 * backdated since the sale was priced (`backdated` is the count at that time). The statement waits
 * for a running backdating, and a backdating waits for the statement, so each sale is either priced
 * at the backdated rates or seen by the backdating, never both or neither.
 *
 * PostgreSQL lets further sales share a row lock past a waiting backdating. On the advisory lock
 * they queue, so a steady stream of sales cannot keep a backdating waiting. A locked row is read as
 * of the moment when the lock is granted, not as of the start of the statement.
 */
export const isCurrent = (typeId: number, backdated: number | undefined): RawBuilder<unknown> =>
  backdated === undefined
    ? sql`select 1 as id`
    : sql`
        select id from link_types
        where id = ${typeId} and backdated = ${backdated} and (${sharing(locks.rates(typeId))}) is not null
        for share`

/** From here until the transaction ends, no rates of the link type are backdated. */
export async function holdRates(tx: Tx, typeId: number): Promise<void> {
  await shareLock(tx, locks.rates(typeId))
  await sql`select id from link_types where id = ${typeId} for share`.execute(tx)
}

/** Makes sales that were priced until now be priced again. */
export const raiseBackdated = (tx: Tx, typeId: number) =>
  sql`update link_types set backdated = backdated + 1 where id = ${typeId}`.execute(tx)

/** A sale with the sums of its differences, and the row of rates that now applies to it. */
export async function findRepricedSale(tx: Tx, sale: SaleEvent): Promise<Repriced> {
  const differences = await tx
    .selectFrom('sale_events')
    .select(['earning_cents', 'payout_centavos', 'lpp', 'rate_id', 'rate_source', 'part_ppm'])
    .where('agent_id', '=', sale.agent_id)
    .where('click_id', '=', sale.click_id)
    .where('adjusts', '=', sale.id)
    .orderBy('backdating_id')
    .execute()
  const repricings = differences.filter(({ part_ppm: part }) => part === null)
  const last = repricings.at(-1) ?? sale
  const parts = differences.flatMap(({ part_ppm: part }) => part ?? [])
  const takenPpm = parts.reduce((sum, part) => sum + part, 0)
  const sum = (column: AmountColumn) =>
    differences.reduce((total, difference) => total + difference[column], sale[column])
  const now = {
    ...sale,
    earning_cents: sum('earning_cents'),
    payout_centavos: sum('payout_centavos'),
    lpp: sum('lpp'),
    rate_id: last.rate_id,
    rate_source: last.rate_source,
  }
  return { now, takenPpm, parts: parts.length }
}

type AmountColumn = 'earning_cents' | 'payout_centavos' | 'lpp'
