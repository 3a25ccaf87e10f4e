import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { SaleEvent } from './price-event.ts'

/**
 * A part of the statement that writes a sale: a row if no rates of its link type were backdated since it was priced
 * (`backdated` is what was counted then). It waits for a backdating under way, and a backdating waits for the statement:
 * each sale is either priced at the backdated rates or seen by the backdating, never both or neither.
 *
 * PostgreSQL gives a row that is locked for share to the next sale, too, past a backdating that waits for it. On the
 * advisory lock they queue, so sales without a pause cannot keep a backdating waiting.
 *
 * A locked row is read as of when the lock is granted, not as of when the statement began.
 */
export const isCurrent = (typeId: number, backdated: number | undefined): RawBuilder<unknown> =>
  backdated === undefined
    ? sql`select 1 as id`
    : sql`
        select id from link_types
        where id = ${typeId} and backdated = ${backdated} and (${queue(typeId)}) is not null
        for share`

/**
 * The same on a distributed database, as statements of their own. Link types are on every machine there, and shared locks
 * of their rows deadlock. All sessions are the coordinator's, so its advisory lock is enough.
 */
export async function isCurrentOnCitus(
  tx: Tx,
  typeId: number,
  backdated: number | undefined,
): Promise<boolean> {
  if (backdated === undefined) return true
  await holdRatesOnCitus(tx, typeId)
  // Not in the statement before, which would read what was there before it had the lock.
  const { rows } = await sql`
    select id from link_types where id = ${typeId} and backdated = ${backdated}
  `.execute(tx)
  return rows.length > 0
}

/** No rates of the link type are backdated from here on until the transaction ends. */
export async function holdRates(tx: Tx, typeId: number): Promise<void> {
  await queue(typeId).execute(tx)
  await sql`select id from link_types where id = ${typeId} for share`.execute(tx)
}

/** The same on a distributed database. */
export const holdRatesOnCitus = (tx: Tx, typeId: number) => queue(typeId).execute(tx)

/**
 * Waits for the sales of the link type that are being written and for other changes of its rates. Until the
 * transaction ends, none are written, and those that were priced meanwhile are priced again.
 */
export async function stopSales(tx: Tx, typeId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${BACKDATING}, ${typeId})`.execute(tx)
  await sql`update link_types set backdated = backdated + 1 where id = ${typeId}`.execute(tx)
}

/** A sale with the sum of its differences, and the row of rates that it is paid by now. */
export async function findRepricedSale(tx: Tx, sale: SaleEvent): Promise<SaleEvent> {
  const differences = await tx
    .selectFrom('sale_events')
    .select(['earning_cents', 'payout_centavos', 'lpp', 'rate_id', 'rate_source'])
    .where('agent_id', '=', sale.agent_id)
    .where('click_id', '=', sale.click_id)
    .where('adjusts', '=', sale.id)
    .orderBy('backdating_id')
    .execute()
  const last = differences.at(-1)
  if (!last) return sale
  const sum = (column: 'earning_cents' | 'payout_centavos' | 'lpp') =>
    differences.reduce((total, difference) => total + difference[column], sale[column])
  return {
    ...sale,
    earning_cents: sum('earning_cents'),
    payout_centavos: sum('payout_centavos'),
    lpp: sum('lpp'),
    rate_id: last.rate_id,
    rate_source: last.rate_source,
  }
}

const queue = (typeId: number) => sql`select pg_advisory_xact_lock_shared(${BACKDATING}, ${typeId})`

/** Names the advisory locks of link types whose rates are backdated. */
const BACKDATING = sql.lit(7318)
