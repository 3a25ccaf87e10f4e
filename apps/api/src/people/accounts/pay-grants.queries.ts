import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { withinTransaction } from '../../db/transaction.ts'
import { insertSealed } from '../../seals/index.ts'
import type { HandBy } from '../hands/record-hand.ts'

/** Records that an account was granted the right to pay, or had it taken away, in the transaction that does it. */
export async function recordGrant(
  db: DbOrTx,
  {
    accountId,
    granted,
    by,
    at,
  }: { accountId: number; granted: boolean; by: Exclude<HandBy, 'mailed link'>; at: Date },
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

/** The names of those who may pay, but were not granted it when that was last decided. */
export async function findUngranted(db: DbOrTx): Promise<string[]> {
  const { rows } = await sql<{ username: string }>`
    select username
    from accounts as account
    where not suspended
      and (role = ${roleNumber('superadmin')} or (role = ${roleNumber('admin')} and pay))
      and not coalesce(
        (
          select granted from pay_grants as newest
          where newest.account_id = account.id
          order by newest.id desc
          limit 1
        ),
        false
      )
    order by lower(username)
  `.execute(db)
  return rows.map(({ username }) => username)
}
