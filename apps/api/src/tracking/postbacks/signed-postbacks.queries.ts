import type { DbOrTx, Tx } from '../../db/database.ts'

/** The answer to a signed request as JSON text; undefined if it has none yet. */
export async function findSignedAnswer(tx: Tx, digest: Buffer): Promise<string | undefined> {
  const row = await tx
    .selectFrom('signed_postbacks')
    .select('answer')
    .where('digest', '=', digest)
    .executeTakeFirst()
  return row?.answer
}

/** Waits for a concurrent delivery of the same request. False if that one has been answered. */
export async function insertSignedAnswer(
  tx: Tx,
  signed: { digest: Buffer; answer: string; expiresAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('signed_postbacks')
    .values({ digest: signed.digest, answer: signed.answer, expires_at: signed.expiresAt })
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function deleteSignedAnswers(db: DbOrTx, expiredBefore: Date): Promise<void> {
  await db.deleteFrom('signed_postbacks').where('expires_at', '<', expiredBefore).execute()
}
