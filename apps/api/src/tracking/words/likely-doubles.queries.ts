import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'

/** How far apart two reports of one order arrive, by a pixel and by a server. */
const WITHIN_MS = 60_000

/** How far apart they may say that it happened: one of them may know only when it was paid. */
const HAPPENED_WITHIN_MS = 600_000

const milliseconds = (ms: number) => sql`${ms} * interval '1 millisecond'`

/**
 * Notes which of these postbacks repeat the click and amount of the one before, and that one with them: sales that count or may,
 * under two order numbers, a moment apart. Each is compared with one, however many a click has.
 */
export async function noteDoubles(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    with
      batch as (
        select
          array_agg(distinct site_id) as sites, max(received_at) as until,
          min(received_at) - ${milliseconds(WITHIN_MS)} as since
        from postbacks
        where id = any(${ids}::uuid[])
      ),
      near as (
        select
          postback.id, postback.transaction_id, postback.received_at,
          coalesce(postback.occurred_at, postback.received_at) as happened_at,
          lag(postback.id) over own as former_id,
          lag(postback.transaction_id) over own as former_transaction_id,
          lag(postback.received_at) over own as former_received_at,
          lag(coalesce(postback.occurred_at, postback.received_at)) over own as former_happened_at
        from batch
        join postbacks as postback
          on postback.site_id = any(batch.sites) and postback.received_at between batch.since and batch.until
        where postback.event in ('sale', 'approval', 'bonus', 'rebill')
          and postback.standing in ('counts', 'pending')
          and postback.outcome in ('recorded', 'waiting', 'pending', 'conflict')
          and postback.takes_back is null
          and postback.click_id is not null
          and postback.amount_e4 is not null
          and postback.transaction_id is not null
          and not postback.test
        window own as (
          partition by
            postback.site_id, postback.click_id, postback.event, postback.amount_e4, postback.currency
          order by postback.received_at, postback.id
        )
      ),
      pairs as (
        select id, former_id
        from near
        where id = any(${ids}::uuid[])
          and former_transaction_id <> transaction_id
          and received_at - former_received_at <= ${milliseconds(WITHIN_MS)}
          and happened_at between former_happened_at - ${milliseconds(HAPPENED_WITHIN_MS)}
            and former_happened_at + ${milliseconds(HAPPENED_WITHIN_MS)}
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
