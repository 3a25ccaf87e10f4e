import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'
import { placeOf } from '../../seals/index.ts'

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

/** Its id; undefined if some account has it. */
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
): Promise<number | undefined> {
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
  return inserted?.id
}

/** All of an account, or one of them. False if there was none. */
export async function deletePasskeysOf(
  tx: Tx,
  { accountId, id }: { accountId: number; id?: number },
): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('passkeys')
    .where('account_id', '=', accountId)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .returning('id')
    .execute()
  return deleted.length > 0
}

/** The keys of a superadmin or an admin, or one of them; none of other accounts. */
export const findKeysOfStaff = (tx: Tx, { accountId, id }: { accountId: number; id?: number }) =>
  tx
    .selectFrom('passkeys')
    .innerJoin('accounts', 'accounts.id', 'passkeys.account_id')
    .select(['passkeys.account_id', 'passkeys.credential_id', 'passkeys.public_key'])
    .where('passkeys.account_id', '=', accountId)
    .where('accounts.role', 'in', [roleNumber('superadmin'), roleNumber('admin')])
    .$if(id !== undefined, (query) => query.where('passkeys.id', '=', id ?? 0))
    .orderBy('passkeys.id')
    .execute()

/** Which keys these accounts had, in the order in which they came and went. `place` is that in the chain of seals. */
export const findKeyChanges = (db: DbOrTx, accountIds: readonly number[]) =>
  db
    .selectFrom('passkey_changes')
    .select([
      'account_id as accountId',
      'credential_id as credentialId',
      'public_key as publicKey',
      'kind',
      placeOf('passkey_changes', sql`passkey_changes.id::text`).as('place'),
    ])
    .where('account_id', 'in', [...new Set(accountIds), 0])
    .orderBy('place')
    .orderBy('id')
    .execute()

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
