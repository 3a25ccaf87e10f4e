import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'

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

/** An account with the address that waits to be confirmed, if any, and who entered it. Locks its row. */
export const lockNewAddress = (tx: Tx, accountId: number) =>
  tx
    .selectFrom('accounts')
    .select([
      'id',
      'username',
      'email',
      'new_email as newEmail',
      'new_email_by as newEmailBy',
      'invited_at as invitedAt',
    ])
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

/** Whom to notify about a change of an account. Read this before the change. */
export const getHolder = (db: DbOrTx, accountId: number) =>
  selectAddresses(db).where('account.id', '=', accountId).executeTakeFirstOrThrow()

/** Everybody who may pay, and has a password and an address. */
export const findPayerAddresses = (tx: Tx) =>
  selectAddresses(tx)
    .$narrowType<{ email: string }>()
    .where((eb) =>
      eb.or([eb('account.pay', '=', true), eb('account.role', '=', roleNumber('superadmin'))]),
    )
    .where('account.invited_at', 'is', null)
    .where(mailAddress, 'is not', null)
    .orderBy('account.id')
    .execute()
