import type { Db, DbOrTx, Tx } from '../../db/database.ts'

export type TokenPurpose = 'remote-login' | 'password-reset' | 'partner'

export type NewToken = {
  hash: Buffer
  purpose: TokenPurpose
  accountId: number
  expiresAt: Date
  /** The account and session of the superadmin who created it for another. */
  madeBy?: { accountId: number; sessionId: string }
  /** Of the browser that may use it; undefined for any. */
  browserHash?: Buffer
}

/** False if this token already exists. */
export async function insertToken(
  db: DbOrTx,
  { hash, purpose, accountId, expiresAt, madeBy, browserHash }: NewToken,
): Promise<boolean> {
  const inserted = await db
    .insertInto('sign_in_tokens')
    .values({
      token_hash: hash,
      purpose,
      account_id: accountId,
      expires_at: expiresAt,
      made_by: madeBy?.accountId ?? null,
      made_in: madeBy?.sessionId ?? null,
      browser_hash: browserHash ?? null,
    })
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning('token_hash')
    .executeTakeFirst()
  return inserted !== undefined
}

/** A valid token, without consuming it. */
export const findToken = (db: DbOrTx, { hash, purpose, now }: WhichToken) =>
  db
    .selectFrom('sign_in_tokens')
    .select('account_id as accountId')
    .where('token_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Consumes a token and returns its data. Of several concurrent callers, one gets it. */
export const takeToken = (tx: Tx, { hash, purpose, now }: WhichToken) =>
  tx
    .updateTable('sign_in_tokens')
    .set({ used_at: now })
    .where('token_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning([
      'account_id as accountId',
      'made_by as madeBy',
      'made_in as madeIn',
      'browser_hash as browserHash',
    ])
    .executeTakeFirst()

type WhichToken = { hash: Buffer; purpose: TokenPurpose; now: Date }

export async function deleteTokens(
  tx: Tx,
  accountId: number,
  purpose: TokenPurpose,
): Promise<void> {
  await tx
    .deleteFrom('sign_in_tokens')
    .where('account_id', '=', accountId)
    .where('purpose', '=', purpose)
    .execute()
}

/** Tokens that nobody can use any more. */
export async function deleteExpiredTokens(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sign_in_tokens').where('expires_at', '<=', now).execute()
}
