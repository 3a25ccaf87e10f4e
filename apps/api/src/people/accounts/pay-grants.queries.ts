import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { withinTransaction } from '../../db/transaction.ts'
import { insertSealed } from '../../seals/index.ts'
import type { KnownHandBy } from '../hands/record-hand.ts'

/** Records that an account was granted the right to pay, or had it taken away, in the transaction that does it. */
export async function recordGrant(
  db: DbOrTx,
  {
    accountId,
    granted,
    by,
    at,
  }: { accountId: number; granted: boolean; by: KnownHandBy; at: Date },
): Promise<void> {
  await withinTransaction(db, (tx) =>
    insertSealed(tx, 'pay_grants', {
      account_id: accountId,
      granted,
      made_by: by === 'operator' ? null : (by.signedInBy ?? by.accountId),
      made_at: at,
    }),
  )
}

/** The accounts among these to which the right to pay was granted when that was last decided. */
export async function findGranted(
  db: DbOrTx,
  accountIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number; granted: boolean }>`
    select distinct on (account_id) account_id as id, granted
    from pay_grants
    where account_id = any(${[...accountIds]}::bigint[])
    order by account_id, pay_grants.id desc
  `.execute(db)
  return new Set(rows.filter(({ granted }) => granted).map(({ id }) => id))
}
