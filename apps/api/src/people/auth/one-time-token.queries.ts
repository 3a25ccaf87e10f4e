import type { Db, DbOrTx, Tx } from '../../db/database.ts'

export type TokenPurpose =
  | 'remote-login'
  | 'password-reset'
  | 'partner'
  | 'second-factor'
  | 'address'
  | 'invitation'
  | 'not-me'
  | 'provider-factor'

export type NewToken = {
  hash: Buffer
  purpose: TokenPurpose
  accountId: number
  expiresAt: Date
  /** The account and session of the superadmin who created it for another. */
  madeBy?: { accountId: number; sessionId: string }
  /** Of the browser that may use it; undefined for any. */
  browserHash?: Buffer
  /** The address to which its link is mailed, if that matters. */
  sentTo?: string | undefined
}

/** False if this token already exists. */
export async function insertToken(
  db: DbOrTx,
  { hash, purpose, accountId, expiresAt, madeBy, browserHash, sentTo }: NewToken,
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
      sent_to: sentTo ?? null,
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
      'sent_to as sentTo',
    ])
    .executeTakeFirst()

/** Lets a token that was taken set a new password, once, until then. */
export async function leadToPassword(tx: Tx, hash: Buffer, expiresAt: Date): Promise<void> {
  await tx
    .updateTable('sign_in_tokens')
    .set({ purpose: 'password-reset', used_at: null, expires_at: expiresAt })
    .where('token_hash', '=', hash)
    .execute()
}

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

/** Deletes those that were mailed to another address. Returns their number. */
export async function deleteTokensSentElsewhere(
  tx: Tx,
  { accountId, purpose, email }: { accountId: number; purpose: TokenPurpose; email: string },
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sign_in_tokens')
    .where('account_id', '=', accountId)
    .where('purpose', '=', purpose)
    .where('sent_to', '<>', email)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Tokens that nobody can use any more. */
export async function deleteExpiredTokens(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sign_in_tokens').where('expires_at', '<=', now).execute()
}
