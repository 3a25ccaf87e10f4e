import { type HoldAct, holdActOf } from '@tallyroom/domain/holds'
import type { Day } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'

/*
 * What is said about held postbacks beside why they are held: until when they are put off, who is to decide, and what was
 * decided a moment ago and is not done yet.
 */

/** A decision that can still be undone. */
export type HeldDecision = {
  postbackId: string
  act: HoldAct
  saleId: string | null
  effect: string
  note: string
  decidedBy: number
  decidedAt: Date
  dueAt: Date
  signature: Buffer
}

const decisionColumns = [
  'postback_id as postbackId',
  'act',
  'sale_id as saleId',
  'effect',
  'note',
  'decided_by as decidedBy',
  'decided_at as decidedAt',
  'due_at as dueAt',
  'signature',
] as const

type Row = Omit<HeldDecision, 'act'> & { act: string }

/** Undefined for an act that this version does not know. */
function known(row: Row | undefined): HeldDecision | undefined {
  const act = holdActOf(row?.act)
  return row && act && { ...row, act }
}

/** False if there is one already. */
export async function insertDecision(tx: Tx, decision: HeldDecision): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('held_decisions')
    .values({
      postback_id: decision.postbackId,
      act: decision.act,
      sale_id: decision.saleId,
      effect: decision.effect,
      note: decision.note,
      decided_by: decision.decidedBy,
      decided_at: decision.decidedAt,
      due_at: decision.dueAt,
      signature: decision.signature,
    })
    .onConflict((conflict) => conflict.column('postback_id').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** The decision about a postback that is not done yet. */
export async function findDecision(
  db: DbOrTx,
  postbackId: string,
): Promise<HeldDecision | undefined> {
  return known(
    await db
      .selectFrom('held_decisions')
      .select(decisionColumns)
      .where('postback_id', '=', postbackId)
      .executeTakeFirst(),
  )
}

/** Takes the first that is due out of the queue, skipping those that others carry out. */
export async function takeDueDecision(tx: Tx, now: Date): Promise<Row | undefined> {
  const due = await tx
    .selectFrom('held_decisions')
    .select(decisionColumns)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (due) await deleteDecision(tx, due.postbackId)
  return due
}

/** Whether there was one. Waits for whoever carries it out. */
export async function deleteDecision(tx: Tx, postbackId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('held_decisions')
    .where('postback_id', '=', postbackId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function postponeDecision(tx: Tx, postbackId: string, dueAt: Date): Promise<void> {
  await tx
    .updateTable('held_decisions')
    .set({ due_at: dueAt })
    .where('postback_id', '=', postbackId)
    .execute()
}

/** What is left out stays. */
export async function saveFollowUp(
  tx: Tx,
  postbackId: string,
  {
    putOffUntil,
    assignedTo,
  }: { putOffUntil?: Day | null | undefined; assignedTo?: number | null | undefined },
): Promise<void> {
  await tx
    .insertInto('held_followups')
    .values({
      postback_id: postbackId,
      put_off_until: putOffUntil ?? null,
      assigned_to: assignedTo ?? null,
      changed_at: tx.now,
    })
    .onConflict((conflict) =>
      conflict.column('postback_id').doUpdateSet({
        changed_at: tx.now,
        ...(putOffUntil !== undefined && { put_off_until: putOffUntil }),
        ...(assignedTo !== undefined && { assigned_to: assignedTo }),
      }),
    )
    .execute()
}

export async function deleteFollowUp(tx: Tx, postbackId: string): Promise<void> {
  await tx.deleteFrom('held_followups').where('postback_id', '=', postbackId).execute()
}

/** What is said about a row with the id of a postback: `later` and `decided`. */
export const joinFollowUps = (id: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  left join held_followups as later on later.postback_id = ${id}
  left join held_decisions as decided on decided.postback_id = ${id}`

/** Whether it waits for a decision now: it is not put off, and was not decided a moment ago. */
export const isDue = (today: Day): RawBuilder<boolean> => sql<boolean>`(
  decided.postback_id is null and coalesce(later.put_off_until <= ${today}::date, true)
)`
