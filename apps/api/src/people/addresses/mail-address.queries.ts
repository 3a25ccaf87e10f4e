import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'

/**
 * The address for mails about an account; null if there is none. For an office it is its manager's, wherever it
 * is shown or compared. The account's own address counts only if the manager has none; saving an office writes
 * both. Reads `office` and `account`.
 */
export const mailAddress = sql<string | null>`coalesce(office.man_email, account.email)`

/** Accounts with their addresses, for the caller to filter. */
export const selectAddresses = (db: DbOrTx) =>
  db
    .selectFrom('accounts as account')
    .leftJoin('offices as office', 'office.id', 'account.office_id')
    .select(['account.id', 'account.username', mailAddress.as('email')])

/** Whom to notify about a change of an account. Read this before the change. */
export const getHolder = (db: DbOrTx, accountId: number) =>
  selectAddresses(db).where('account.id', '=', accountId).executeTakeFirstOrThrow()
