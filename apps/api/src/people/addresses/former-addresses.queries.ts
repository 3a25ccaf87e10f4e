import type { DbOrTx, Tx } from '../../db/database.ts'
import { insertRow } from '../../db/rows.queries.ts'

export async function insertFormerAddress(
  tx: Tx,
  { accountId, email, leftAt }: { accountId: number; email: string; leftAt: Date },
): Promise<void> {
  await insertRow(tx, 'former_addresses', { account_id: accountId, email, left_at: leftAt })
}

/** The addresses that an account has left after a time. */
export async function findFormerAddresses(
  tx: Tx,
  accountId: number,
  since: Date,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('former_addresses')
    .select('email')
    .distinct()
    .where('account_id', '=', accountId)
    .where('left_at', '>', since)
    .orderBy('email')
    .execute()
  return rows.map(({ email }) => email)
}

export async function deleteFormerAddresses(db: DbOrTx, before: Date): Promise<void> {
  await db.deleteFrom('former_addresses').where('left_at', '<=', before).execute()
}
