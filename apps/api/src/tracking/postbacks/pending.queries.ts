import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { locks, takeLock } from '../../db/locks.ts'
import { insertSettlement, type PostbackRow } from './kept-postbacks.queries.ts'

/** A postback that its merchant reported as pending. */
export type PendingPostback = {
  postbackId: string
  event: string | null
  /** What a reversal that is pending names. */
  reverses: string | null
  typeAlias: string | null
  /** The link type of its click. */
  typeId: number | null
  clickId: string | null
  transactionId: string | null
  customerEmail: string | null
  amountE4: number | null
  currency: string | null
  occurredAt: Date
  /** Whether the merchant gave that time. */
  isDated: boolean
  /** The site’s flag at that time. */
  useApproveSale: boolean | null
  params: unknown
  /** What became of it; null while it waits for approval. */
  settled: string | null
}

/** Lets the reports of one order come one after the other, so that an approval finds what it approves. */
export const lockOrder = (tx: Tx, orderKey: string): Promise<void> =>
  takeLock(tx, locks.reports(orderKey))

/** The pending postbacks of an order, in the order in which they came. */
export const findPending = (db: DbOrTx, orderKey: string): Promise<PendingPostback[]> =>
  inOrder(
    reportedAsPending(db)
      .innerJoin('pending_postbacks as pending', 'pending.postback_id', 'postback.id')
      .where('pending.order_key', '=', orderKey),
  )

/** All that was ever reported as pending of an order, or of a click: without `clickId`, of an order; without a number, of what has none. */
export async function findEverPending(
  db: DbOrTx,
  { siteId, transactionId, clickId }: EverPending,
): Promise<PendingPostback[]> {
  const reports = reportedAsPending(db).where('postback.site_id', '=', siteId)
  if (transactionId !== undefined)
    return inOrder(reports.where('postback.transaction_id', '=', transactionId))
  return inOrder(
    reports
      .where('postback.click_id', '=', clickId ?? '')
      .where('postback.transaction_id', 'is', null),
  )
}

type EverPending = {
  siteId: number
  transactionId: string | undefined
  clickId: string | undefined
}

/** All orders with a number that were ever reported as pending for a click. */
export const findPendingOfClick = (
  db: DbOrTx,
  { siteId, clickId }: { siteId: number; clickId: string },
): Promise<PendingPostback[]> =>
  inOrder(
    reportedAsPending(db)
      .where('postback.site_id', '=', siteId)
      .where('postback.click_id', '=', clickId)
      .where('postback.transaction_id', 'is not', null),
  )

/** What was kept of the reports with a number that counted something of a click. */
export const findCountedOfClick = (
  db: DbOrTx,
  { siteId, clickId }: { siteId: number; clickId: string },
): Promise<Pick<PendingPostback, 'transactionId' | 'params'>[]> =>
  db
    .selectFrom('postbacks')
    .select(['transaction_id as transactionId', 'params'])
    .where('site_id', '=', siteId)
    .where('click_id', '=', clickId)
    .where('transaction_id', 'is not', null)
    .where('outcome', '=', 'recorded')
    .execute()

const reportedAsPending = (db: DbOrTx) =>
  db
    .selectFrom('postbacks as postback')
    .leftJoin('postback_settlements as settlement', 'settlement.postback_id', 'postback.id')
    .select([
      'postback.id as postbackId',
      'postback.event',
      'postback.reverses',
      'postback.type_alias as typeAlias',
      'postback.type_id as typeId',
      'postback.click_id as clickId',
      'postback.transaction_id as transactionId',
      'postback.customer_email as customerEmail',
      'postback.amount_e4 as amountE4',
      'postback.currency',
      'postback.occurred_at as occurredAt',
      'postback.received_at as receivedAt',
      'postback.use_approve_sale as useApproveSale',
      'postback.params',
      'settlement.outcome as settled',
    ])
    .where('postback.outcome', '=', 'pending')

async function inOrder(reports: ReturnType<typeof reportedAsPending>): Promise<PendingPostback[]> {
  const rows = await reports.orderBy('postback.received_at').orderBy('postback.id').execute()
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
