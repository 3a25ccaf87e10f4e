import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'

/**
 * The address that mails about an account go to; null for none. An office's is its manager's, wherever it is shown or
 * compared. The account's own counts only while the manager has none; saving an office writes both. Reads `office` and
 * `account`.
 */
export const mailAddress = sql<string | null>`coalesce(office.man_email, account.email)`

/** Accounts with their addresses, to be narrowed by the caller. */
export const selectAddresses = (db: DbOrTx) =>
  db
    .selectFrom('accounts as account')
    .leftJoin('offices as office', 'office.id', 'account.office_id')
    .select(['account.id', 'account.username', mailAddress.as('email')])

/** Whom to tell about a change of an account: read it before the change. */
export const getHolder = (db: DbOrTx, accountId: number) =>
  selectAddresses(db).where('account.id', '=', accountId).executeTakeFirstOrThrow()
