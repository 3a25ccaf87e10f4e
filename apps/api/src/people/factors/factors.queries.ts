import { sql } from 'kysely'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'

/** The authenticator app of an account, if a code of it has been entered. */
export const findAuthenticator = (db: DbOrTx, accountId: number) =>
  db
    .selectFrom('authenticators')
    .select(['secret_sealed as sealed', 'added_at as addedAt'])
    .where('account_id', '=', accountId)
    .where('added_at', 'is not', null)
    .$narrowType<{ addedAt: Date }>()
    .executeTakeFirst()

/** The secret of an app that has been begun with since then. */
export const findBegun = (tx: Tx, accountId: number, since: Date) =>
  tx
    .selectFrom('authenticators')
    .select('secret_sealed as sealed')
    .where('account_id', '=', accountId)
    .where('added_at', 'is', null)
    .where('begun_at', '>', since)
    .executeTakeFirst()

/** Replaces one that was begun with. False if the account has one already. */
export async function beginAuthenticatorOf(
  tx: Tx,
  accountId: number,
  { sealed, at }: { sealed: Buffer; at: Date },
): Promise<boolean> {
  const begun = await tx
    .insertInto('authenticators')
    .values({ account_id: accountId, secret_sealed: sealed, begun_at: at, last_step: 0 })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({
          secret_sealed: eb.ref('excluded.secret_sealed'),
          begun_at: eb.ref('excluded.begun_at'),
        }))
        .where('authenticators.added_at', 'is', null),
    )
    .returning('account_id')
    .executeTakeFirst()
  return begun !== undefined
}

export async function addAuthenticatorOf(
  tx: Tx,
  accountId: number,
  { step, at }: { step: number; at: Date },
): Promise<void> {
  await tx
    .updateTable('authenticators')
    .set({ added_at: at, last_step: step })
    .where('account_id', '=', accountId)
    .execute()
}

/** False if a code of this period, or of a later one, was used. Of several concurrent callers, one gets it. */
export async function takeStep(tx: Tx, accountId: number, step: number): Promise<boolean> {
  const taken = await tx
    .updateTable('authenticators')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('last_step', '<', step)
    .returning('account_id')
    .executeTakeFirst()
  return taken !== undefined
}

export async function deleteAuthenticator(tx: Tx, accountId: number): Promise<void> {
  await tx.deleteFrom('authenticators').where('account_id', '=', accountId).execute()
}

/** Those that nobody has entered a code of. */
export async function deleteBegun(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('authenticators')
    .where('added_at', 'is', null)
    .where('begun_at', '<=', before)
    .execute()
}

/** How many recovery codes are not used yet. */
export async function countRecoveryCodes(db: DbOrTx, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** False if there is no such code, or it was used. Of several concurrent callers, one gets it. */
export async function takeRecoveryCode(
  tx: Tx,
  accountId: number,
  { hash, at }: { hash: Buffer; at: Date },
): Promise<boolean> {
  const taken = await tx
    .updateTable('recovery_codes')
    .set({ used_at: at })
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('account_id')
    .executeTakeFirst()
  return taken !== undefined
}

export async function deleteRecoveryCodes(tx: Tx, accountId: number): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
}

export async function insertRecoveryCodes(
  tx: Tx,
  accountId: number,
  { hashes, at }: { hashes: readonly Buffer[]; at: Date },
): Promise<void> {
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ account_id: accountId, code_hash: hash, made_at: at })))
    .execute()
}

/** Secrets that another key encrypted than the one with this head. */
export const findSealedOtherwise = (tx: Tx, head: Buffer) =>
  tx
    .selectFrom('authenticators')
    .select(['account_id as accountId', 'secret_sealed as sealed'])
    .where(sql<boolean>`substring(secret_sealed from 1 for ${head.length}) <> ${head}`)
    .forNoKeyUpdate()
    .execute()

export async function updateSealed(tx: Tx, accountId: number, sealed: Buffer): Promise<void> {
  await tx
    .updateTable('authenticators')
    .set({ secret_sealed: sealed })
    .where('account_id', '=', accountId)
    .execute()
}

/** When the oldest factor was added that each of these accounts still has. */
export async function findFactorDays(
  db: DbOrTx,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, Date>> {
  const ids = [...new Set(accountIds), 0]
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['account_id as accountId', 'added_at as addedAt'])
    .where('account_id', 'in', ids)
    .execute()
  const apps = await db
    .selectFrom('authenticators')
    .select(['account_id as accountId', 'added_at as addedAt'])
    .where('account_id', 'in', ids)
    .where('added_at', 'is not', null)
    .$narrowType<{ addedAt: Date }>()
    .execute()
  const newestFirst = [...passkeys, ...apps].toSorted(
    (one, other) => other.addedAt.getTime() - one.addedAt.getTime(),
  )
  return new Map(newestFirst.map(({ accountId, addedAt }) => [accountId, addedAt]))
}

/** The public keys of those of these passkeys that an account still has, by account and credential. */
export async function findPublicKeys(
  db: DbOrTx,
  accountIds: readonly number[],
): Promise<ReadonlyMap<string, Buffer>> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['account_id as accountId', 'credential_id as id', 'public_key as publicKey'])
    .where('account_id', 'in', [...new Set(accountIds), 0])
    .execute()
  return new Map(
    rows.map(({ accountId, id, publicKey }) => [`${accountId} ${id.toString('hex')}`, publicKey]),
  )
}
