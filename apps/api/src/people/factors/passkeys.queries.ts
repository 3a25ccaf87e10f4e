import type { Db, DbOrTx, Tx } from '../../db/database.ts'

/** The passkeys of an account, oldest first. */
export const findPasskeys = (db: DbOrTx, accountId: number) =>
  db
    .selectFrom('passkeys')
    .select([
      'id',
      'name',
      'rp_id as rpId',
      'credential_id as credentialId',
      'transports',
      'added_at as addedAt',
      'last_used_at as lastUsedAt',
    ])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()

/** Whose passkey this is, on a host name. */
export async function findPasskeyHolder(
  db: Db,
  { credentialId, rpId }: { credentialId: Buffer; rpId: string },
): Promise<number | undefined> {
  const found = await db
    .selectFrom('passkeys')
    .select('account_id as accountId')
    .where('credential_id', '=', credentialId)
    .where('rp_id', '=', rpId)
    .executeTakeFirst()
  return found?.accountId
}

/** A passkey of an account, locked: of several concurrent uses, each sees the counter of the one before. */
export const lockPasskey = (
  tx: Tx,
  accountId: number,
  { credentialId, rpId }: { credentialId: Buffer; rpId: string },
) =>
  tx
    .selectFrom('passkeys')
    .select(['id', 'public_key as publicKey', 'counter', 'with_password_at as withPasswordAt'])
    .where('account_id', '=', accountId)
    .where('credential_id', '=', credentialId)
    .where('rp_id', '=', rpId)
    .forNoKeyUpdate()
    .executeTakeFirst()

export async function updatePasskeyUse(
  tx: Tx,
  id: number,
  { counter, at, withPassword }: { counter: number; at: Date; withPassword: boolean },
): Promise<void> {
  await tx
    .updateTable('passkeys')
    .set({ counter, last_used_at: at, ...(withPassword && { with_password_at: at }) })
    .where('id', '=', id)
    .execute()
}

/** False if some account has it. */
export async function insertPasskey(
  tx: Tx,
  accountId: number,
  made: {
    credentialId: Buffer
    publicKey: Buffer
    counter: number
    transports: string[]
    rpId: string
    name: string
    at: Date
  },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('passkeys')
    .values({
      account_id: accountId,
      credential_id: made.credentialId,
      public_key: made.publicKey,
      counter: made.counter,
      transports: made.transports,
      rp_id: made.rpId,
      name: made.name,
      added_at: made.at,
      with_password_at: made.at,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** False if the account has no such passkey. */
export async function deletePasskey(tx: Tx, accountId: number, id: number): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('passkeys')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

export async function deletePasskeys(tx: Tx, accountId: number): Promise<void> {
  await tx.deleteFrom('passkeys').where('account_id', '=', accountId).execute()
}

/** False if it was used. Of several concurrent callers, one gets it. */
export async function insertUsedChallenge(
  tx: Tx,
  { hash, expiresAt }: { hash: Buffer; expiresAt: Date },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('used_challenges')
    .values({ challenge_hash: hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('challenge_hash').doNothing())
    .returning('challenge_hash')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Those that had to be answered by a time. */
export async function deleteUsedChallenges(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('used_challenges').where('expires_at', '<=', before).execute()
}
