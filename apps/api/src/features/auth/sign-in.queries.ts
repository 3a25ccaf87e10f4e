import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { selectAccounts } from '../accounts/index.ts'

const selectAccountsToSignIn = (db: Db) =>
  selectAccounts(db).select(['accounts.password_hash', 'accounts.password_set_at'])

/**
 * Without regard to case, and however the name was typed: ﬁ and fi are one. Of two old accounts whose names differ in
 * nothing else, the one that was typed.
 */
export const findAccountByUsername = (db: Db, username: string) =>
  selectAccountsToSignIn(db)
    .where(
      sql<boolean>`lower(accounts.username) in (lower(${username}), lower(${username.normalize('NFKC')}))`,
    )
    .orderBy(sql`lower(accounts.username) = lower(${username})`, 'desc')
    .executeTakeFirst()

/** Holds the account's row until the transaction ends; false when its password is no longer that one. */
export async function lockAccount(
  tx: Tx,
  accountId: number,
  passwordHash: string,
): Promise<boolean> {
  const account = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('password_hash', '=', passwordHash)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return account !== undefined
}

export async function updatePasswordHash(tx: Tx, accountId: number, hash: string): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ password_hash: hash })
    .where('id', '=', accountId)
    .execute()
}

/** The account of an office or agent. */
export const findAccountOf = (db: Db, whose: { companyId: number } | { agentId: number }) =>
  ('companyId' in whose
    ? selectAccounts(db).where('accounts.office_id', '=', whose.companyId)
    : selectAccounts(db).where('accounts.agent_id', '=', whose.agentId)
  ).executeTakeFirst()

export const getAccount = (tx: Tx, accountId: number) =>
  selectAccounts(tx).where('accounts.id', '=', accountId).executeTakeFirstOrThrow()
