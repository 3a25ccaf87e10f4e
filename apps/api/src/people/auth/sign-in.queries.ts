import { sql } from 'kysely'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'
import { mailAddress, selectAddresses } from '../addresses/mail-address.queries.ts'
import { selectAccounts } from '../accounts/accounts.queries.ts'

const selectAccountsToSignIn = (db: DbOrTx) =>
  selectAccounts(db).select([
    'accounts.password_hash',
    'accounts.password_set_at',
    'accounts.sign_in_count',
  ])

/**
 * Case-insensitive and NFKC-normalized: ﬁ equals fi. If two old usernames differ only by that, prefers the
 * exact one.
 */
export const findAccountByUsername = (db: Db, username: string) =>
  selectAccountsToSignIn(db)
    .where(
      sql<boolean>`lower(accounts.username) in (lower(${username}), lower(${username.normalize('NFKC')}))`,
    )
    .orderBy(sql`lower(accounts.username) = lower(${username})`, 'desc')
    .executeTakeFirst()

/** Locks the account's row. False if its password has changed. */
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

export const findAccountToSignIn = (db: DbOrTx, accountId: number) =>
  selectAccountsToSignIn(db).where('accounts.id', '=', accountId).executeTakeFirst()

/** The same with a lock on its row, as whoever changed it before has left it. */
export async function lockAccountToSignIn(tx: Tx, accountId: number) {
  await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return findAccountToSignIn(tx, accountId)
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

/** The account with this username and address, case-insensitively. Not one that is still invited. */
export const findAccountByMail = (db: Db, username: string, email: string) =>
  selectAddresses(db)
    .$narrowType<{ email: string }>()
    .where(
      sql<boolean>`lower(account.username) in (lower(${username}), lower(${username.normalize('NFKC')}))`,
    )
    .where(sql`lower(${mailAddress})`, '=', sql`lower(${email})`)
    .where('account.invited_at', 'is', null)
    .executeTakeFirst()
