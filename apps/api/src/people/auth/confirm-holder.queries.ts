import type { Db, Tx } from '../../db/database.ts'

/** The account's password hash; undefined if the session has ended. */
export const findHolder = (
  db: Db,
  { accountId, sessionId }: { accountId: number; sessionId: string },
) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select('accounts.password_hash as passwordHash')
    .where('sessions.id', '=', sessionId)
    .where('sessions.account_id', '=', accountId)
    .where('sessions.ended_at', 'is', null)
    .executeTakeFirst()

/** False if the password has changed, or the session has ended. */
export async function lockHolder(
  tx: Tx,
  which: { accountId: number; sessionId: string; passwordHash: string },
): Promise<boolean> {
  const account = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', which.accountId)
    .where('password_hash', '=', which.passwordHash)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!account) return false
  // After the lock: whoever changed the password ended the session in the same transaction.
  const session = await tx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', which.sessionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return session !== undefined
}
