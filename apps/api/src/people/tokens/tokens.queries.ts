import { sql } from 'kysely'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { selectAccounts } from '../accounts/accounts.queries.ts'

/** Locks an account, so that nobody exceeds the number of tokens by asking twice. */
export const lockHolder = (tx: Tx, accountId: number) =>
  tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()

/** A valid token with its account, unless the account's agent or office is suspended. */
export const findTokenHolder = (db: Db, hash: Buffer, now: Date) =>
  selectAccounts(db)
    .modifyFront(prepared)
    .innerJoin('api_tokens as token', 'token.account_id', 'accounts.id')
    .leftJoin('offices as office', (join) =>
      join.on('office.id', '=', sql`coalesce(accounts.office_id, agents.office_id)`),
    )
    .select([
      'token.id as token_id',
      'token.name as token_name',
      'token.may',
      'token.last_used_at',
      'accounts.must_change_password',
    ])
    .where('token.hash', '=', hash)
    .where('token.revoked_at', 'is', null)
    .where('token.ends_at', '>', now)
    .where(sql<boolean>`coalesce(agents.active, true) and coalesce(office.active, true)`)
    .executeTakeFirst()

/** Notes the use of a token, unless another process did so after `before`. */
export async function updateTokenUse(
  db: Db,
  id: number,
  { at, ip, before }: { at: Date; ip: string; before: Date },
): Promise<void> {
  await db
    .updateTable('api_tokens')
    .set({ last_used_at: at, ip })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', before)]))
    .execute()
}

/** Tokens that are neither revoked nor expired, last used first. */
export const findTokens = (db: DbOrTx, whose: { accountId: number } | 'everybody', now: Date) =>
  db
    .selectFrom('api_tokens as token')
    .innerJoin('accounts as account', 'account.id', 'token.account_id')
    .select([
      'token.id',
      'token.name',
      'token.may',
      'token.made_at',
      'token.ends_at',
      'token.last_used_at',
      sql<string | null>`host(token.ip)`.as('ip'),
      'account.username',
    ])
    .where('token.revoked_at', 'is', null)
    .where('token.ends_at', '>', now)
    .$if(whose !== 'everybody', (query) =>
      whose === 'everybody' ? query : query.where('token.account_id', '=', whose.accountId),
    )
    .orderBy('token.last_used_at', (order) => order.desc().nullsLast())
    .orderBy('token.id', 'desc')
    .execute()

/** Revokes a token; its next call is refused in every process. False if there is no such valid token. */
export async function revokeTokenOf(
  db: DbOrTx,
  id: number,
  { whose, now }: { whose: { accountId: number } | 'everybody'; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('ends_at', '>', now)
    .$if(whose !== 'everybody', (query) =>
      whose === 'everybody' ? query : query.where('account_id', '=', whose.accountId),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Revokes all tokens of accounts. */
export async function revokeTokensOf(
  db: DbOrTx,
  accountIds: readonly number[],
  now: Date,
): Promise<void> {
  await db
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where(sql<boolean>`account_id = any(${accountIds}::bigint[])`)
    .where('revoked_at', 'is', null)
    .execute()
}
