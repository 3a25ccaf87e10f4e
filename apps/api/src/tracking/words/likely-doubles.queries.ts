import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'

/** How far apart two reports of one order arrive, by a pixel and by a server. */
const WITHIN_MS = 60_000

/** Of a sale that counts or may: with a click, an order number and an amount, and not for a test. */
const isSale = (name: 'one' | 'former') => {
  const of = sql.ref(name)
  return sql`
    ${of}.event in ('sale', 'approval', 'bonus', 'rebill')
    and ${of}.standing in ('counts', 'pending')
    and ${of}.outcome in ('recorded', 'waiting', 'pending', 'conflict')
    and ${of}.transaction_id is not null
    and not ${of}.test`
}

/** Notes which of these postbacks repeat the click and amount of one a moment before, and that one with them. */
export async function noteDoubles(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    with pairs as (
      select distinct on (one.id) one.id, former.id as former_id
      from postbacks as one
      join postbacks as former
        on former.click_id = one.click_id
        and former.site_id = one.site_id
        and former.event = one.event
        and former.amount_e4 = one.amount_e4
        and former.currency is not distinct from one.currency
        and former.transaction_id <> one.transaction_id
        and (former.received_at, former.id) < (one.received_at, one.id)
        and former.received_at >= one.received_at - ${WITHIN_MS} * interval '1 millisecond'
      where one.id = any(${ids}::uuid[]) and ${isSale('one')} and ${isSale('former')}
      order by one.id, former.received_at desc, former.id desc
    )
    insert into likely_doubles (postback_id, other_id)
    select id, former_id from pairs
    union all
    select former_id, id from pairs
    on conflict do nothing
  `.execute(tx)
}

export type LikelyDouble = {
  postbackId: string
  id: string
  transactionId: string
  receivedAt: Date
  eventId: string | null
}

/** What each of these postbacks may be reported twice with, oldest first. */
export const findDoubles = async (db: DbOrTx, ids: readonly string[]): Promise<LikelyDouble[]> =>
  ids.length === 0
    ? []
    : await db
        .selectFrom('likely_doubles as double')
        .innerJoin('postbacks as other', 'other.id', 'double.other_id')
        .leftJoin('postback_settlements as settlement', 'settlement.postback_id', 'other.id')
        .select([
          'double.postback_id as postbackId',
          'other.id',
          'other.transaction_id as transactionId',
          'other.received_at as receivedAt',
          (eb) => eb.fn.coalesce('settlement.event_id', 'other.event_id').as('eventId'),
        ])
        .where('double.postback_id', 'in', ids)
        .orderBy('other.received_at')
        .orderBy('other.id')
        .$narrowType<{ transactionId: string }>()
        .execute()
