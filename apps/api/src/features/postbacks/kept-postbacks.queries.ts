import type { Insertable } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { Postbacks } from '../../db/types.ts'

/** A row of `postbacks`, whole. `params` is JSON text. */
export type PostbackRow = Required<Insertable<Postbacks>> & { params: string }

export async function insertPostback(db: DbOrTx, row: PostbackRow): Promise<void> {
  await db.insertInto('postbacks').values(row).execute()
}

/** A postback and its place in the queue, in one statement. */
export async function insertWaitingPostback(
  db: DbOrTx,
  row: PostbackRow,
  waiting: { waitsFor: 'click' | 'sale'; nextTryAt: Date },
): Promise<void> {
  await db
    .with('queued', (query) =>
      query.insertInto('waiting_postbacks').values({
        postback_id: row.id,
        waits_for: waiting.waitsFor,
        received_at: row.received_at,
        next_try_at: waiting.nextTryAt,
      }),
    )
    .insertInto('postbacks')
    .values(row)
    .execute()
}

/** What is needed to deliver a kept postback again. */
export type KeptPostback = {
  id: string
  siteId: number | null
  /** Of the site when it arrived, or as it is now where that was not kept; null without a site. */
  useApproveSale: boolean | null
  receivedAt: Date
  clickId: string | null
  transactionId: string | null
  event: string | null
  typeAlias: string | null
  customerEmail: string | null
  occurredAt: Date | null
  params: unknown
  outcome: string
  settledOutcome: string | null
  /** What it may be recorded at, while a person has to decide on its date. */
  earliestAt: Date | null
}

export const findKeptPostback = (db: DbOrTx, id: string): Promise<KeptPostback | undefined> =>
  db
    .selectFrom('postbacks as postback')
    .leftJoin('postback_settlements as settlement', 'settlement.postback_id', 'postback.id')
    .leftJoin('held_postbacks as held', 'held.postback_id', 'postback.id')
    .leftJoin('sites as site', 'site.id', 'postback.site_id')
    .select([
      'postback.id',
      'postback.site_id as siteId',
      (eb) =>
        eb.fn.coalesce('postback.use_approve_sale', 'site.use_approve_sale').as('useApproveSale'),
      'postback.received_at as receivedAt',
      'postback.click_id as clickId',
      'postback.transaction_id as transactionId',
      'postback.event',
      'postback.type_alias as typeAlias',
      'postback.customer_email as customerEmail',
      'postback.occurred_at as occurredAt',
      'postback.params',
      'postback.outcome',
      'settlement.outcome as settledOutcome',
      'held.earliest_at as earliestAt',
    ])
    .where('postback.id', '=', id)
    .executeTakeFirst()

export type Settlement = {
  postbackId: string
  settledAt: Date
  outcome: 'recorded' | 'duplicate' | 'refused'
  reason: string | null
  eventId: string | null
  settledBy: number | null
}

/** The first settlement stays. */
export async function insertSettlement(tx: Tx, settlement: Settlement): Promise<void> {
  await tx
    .insertInto('postback_settlements')
    .values({
      postback_id: settlement.postbackId,
      settled_at: settlement.settledAt,
      outcome: settlement.outcome,
      reason: settlement.reason,
      event_id: settlement.eventId,
      settled_by: settlement.settledBy,
    })
    .onConflict((conflict) => conflict.column('postback_id').doNothing())
    .execute()
}

export async function deleteWaiting(tx: DbOrTx, postbackId: string): Promise<void> {
  await tx.deleteFrom('waiting_postbacks').where('postback_id', '=', postbackId).execute()
}

export type WaitingPostback = { postbackId: string; receivedAt: Date; tries: number }

/**
 * The first of the queue whose time has come, locked until the transaction ends; others skip it. What is to wait
 * until after `latest` was put off by a clock that has been put back since: its time has come too.
 */
export const findDueWaiting = (
  tx: Tx,
  { now, latest }: { now: Date; latest: Date },
): Promise<WaitingPostback | undefined> =>
  tx
    .selectFrom('waiting_postbacks')
    .select(['postback_id as postbackId', 'received_at as receivedAt', 'tries'])
    .where((eb) => eb.or([eb('next_try_at', '<=', now), eb('next_try_at', '>', latest)]))
    .orderBy('next_try_at')
    .orderBy('postback_id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

export async function postponeWaiting(tx: Tx, postbackId: string, nextTryAt: Date): Promise<void> {
  await tx
    .updateTable('waiting_postbacks')
    .set((row) => ({ next_try_at: nextTryAt, tries: row('tries', '+', 1) }))
    .where('postback_id', '=', postbackId)
    .execute()
}

/** Waits for whoever settles this postback just now. */
export async function lockWaiting(tx: Tx, postbackId: string): Promise<void> {
  await tx
    .selectFrom('waiting_postbacks')
    .select('postback_id')
    .where('postback_id', '=', postbackId)
    .forUpdate()
    .execute()
}

/** Why a person has to decide, and what the postback may be recorded at. */
export type Held = { reason: string; earliestAt: Date }

/** A postback and what a person has to decide about it, in one statement. */
export async function insertHeldPostback(
  db: DbOrTx,
  row: PostbackRow,
  { reason, earliestAt }: Held,
): Promise<void> {
  await db
    .with('held', (query) =>
      query.insertInto('held_postbacks').values({
        postback_id: row.id,
        held_at: row.received_at,
        earliest_at: earliestAt,
        reason,
      }),
    )
    .insertInto('postbacks')
    .values(row)
    .execute()
}

/** Of a postback that was kept before. One that is held already stays so. */
export async function insertHeld(
  tx: Tx,
  held: Held & { postbackId: string; heldAt: Date },
): Promise<void> {
  await tx
    .insertInto('held_postbacks')
    .values({
      postback_id: held.postbackId,
      held_at: held.heldAt,
      earliest_at: held.earliestAt,
      reason: held.reason,
    })
    .onConflict((conflict) => conflict.column('postback_id').doNothing())
    .execute()
}

export async function deleteHeld(tx: Tx, postbackId: string): Promise<void> {
  await tx.deleteFrom('held_postbacks').where('postback_id', '=', postbackId).execute()
}

/** Waits for whoever decides about this postback just now. */
export async function lockHeld(tx: Tx, postbackId: string): Promise<void> {
  await tx
    .selectFrom('held_postbacks')
    .select('postback_id')
    .where('postback_id', '=', postbackId)
    .forUpdate()
    .execute()
}
