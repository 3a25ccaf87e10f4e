import type { DbOrTx, Tx } from '../../db/database.ts'
import type { PostbackRow } from './postbacks.queries.ts'

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
