import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { locks, takeLock } from '../../db/locks.ts'
import { insertSettlement, type PostbackRow } from './kept-postbacks.queries.ts'

/** A postback that waits for its merchant's approval. */
export type PendingPostback = {
  postbackId: string
  event: string | null
  typeAlias: string | null
  /** The link type of its click. */
  typeId: number | null
  clickId: string | null
  amountE4: number | null
  currency: string | null
  occurredAt: Date
  /** Whether the merchant gave that time. */
  isDated: boolean
  /** The site’s flag at that time. */
  useApproveSale: boolean | null
}

/** Lets the reports of one order come one after the other, so that an approval finds what it approves. */
export const lockOrder = (tx: Tx, orderKey: string): Promise<void> =>
  takeLock(tx, locks.reports(orderKey))

/** The pending postbacks of an order, in the order in which they came. */
export async function findPending(db: DbOrTx, orderKey: string): Promise<PendingPostback[]> {
  const rows = await db
    .selectFrom('pending_postbacks as pending')
    .innerJoin('postbacks as postback', 'postback.id', 'pending.postback_id')
    .select([
      'postback.id as postbackId',
      'postback.event',
      'postback.type_alias as typeAlias',
      'postback.type_id as typeId',
      'postback.click_id as clickId',
      'postback.amount_e4 as amountE4',
      'postback.currency',
      'postback.occurred_at as occurredAt',
      'postback.received_at as receivedAt',
      'postback.use_approve_sale as useApproveSale',
    ])
    .where('pending.order_key', '=', orderKey)
    .orderBy('postback.received_at')
    .orderBy('postback.id')
    .execute()
  return rows.map(({ receivedAt, occurredAt, ...row }) => ({
    ...row,
    occurredAt: occurredAt ?? receivedAt,
    isDated: occurredAt !== null && occurredAt < receivedAt,
  }))
}

/** Inserts a postback and that it waits for approval in one statement. */
export async function insertPendingPostback(
  db: DbOrTx,
  row: PostbackRow,
  orderKey: string,
): Promise<void> {
  await db
    .with('pending', (query) =>
      query.insertInto('pending_postbacks').values({
        postback_id: row.id,
        site_id: row.site_id ?? 0,
        order_key: orderKey,
        received_at: row.received_at,
      }),
    )
    .insertInto('postbacks')
    .values(row)
    .execute()
}

/** Gives a pending postback its final outcome. */
export async function closePending(
  tx: Tx,
  postbackId: string,
  settled: { outcome: 'recorded' | 'rejected'; eventId: string | null; reason: string; at: Date },
): Promise<void> {
  await tx.deleteFrom('pending_postbacks').where('postback_id', '=', postbackId).execute()
  await insertSettlement(tx, {
    postbackId,
    settledAt: settled.at,
    outcome: settled.outcome,
    reason: settled.reason,
    eventId: settled.eventId,
    settledBy: null,
    act: null,
    note: null,
  })
}

/** How long a merchant may take before somebody should ask. */
export const ASK_AFTER_DAYS = 30

/** The postbacks that have waited for approval since before an instant: their number, and the oldest. */
export async function findOverdue(db: DbOrTx, before: Date) {
  const { rows } = await sql<{ count: number; since: Date | null }>`
    select count(*) as count, min(pending.received_at) as since
    from pending_postbacks as pending
    join postbacks as postback on postback.id = pending.postback_id
    where pending.received_at < ${before} and not postback.test
  `.execute(db)
  return rows[0] ?? { count: 0, since: null }
}
