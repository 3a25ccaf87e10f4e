import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'

/** Whom the sign-in provider means: its issuer, and its own unchanging name of the person. */
export type ProviderSubject = { issuer: string; subject: string }

/** Whose account is connected to this subject. */
export async function findLinkHolder(
  db: DbOrTx,
  { issuer, subject }: ProviderSubject,
): Promise<number | undefined> {
  const found = await db
    .selectFrom('provider_links')
    .select('account_id as accountId')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return found?.accountId
}

/** Whether an account is connected to anybody of this issuer. */
export async function isLinked(
  tx: Tx,
  { accountId, issuer }: { accountId: number; issuer: string },
): Promise<boolean> {
  const found = await tx
    .selectFrom('provider_links')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('issuer', '=', issuer)
    .executeTakeFirst()
  return found !== undefined
}

/** The accounts of staff with an address, in whatever case of its letters from A to Z. */
export async function findStaffByMail(tx: Tx, email: string): Promise<number[]> {
  const found = await tx
    .selectFrom('accounts')
    .select('id')
    .where('role', 'in', [roleNumber('superadmin'), roleNumber('admin')])
    .where(sql`lower(email collate "C")`, '=', sql`lower(${email}::text collate "C")`)
    .orderBy('id')
    .execute()
  return found.map(({ id }) => id)
}

/** False if the subject or the account is connected already. */
export async function insertLink(
  tx: Tx,
  { accountId, issuer, subject, email }: ProviderSubject & { accountId: number; email: string },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('provider_links')
    .values({
      account_id: accountId,
      issuer,
      subject,
      email,
      linked_at: tx.now,
      last_used_at: tx.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('account_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** False if the two are not connected any more. */
export async function updateLinkUse(
  tx: Tx,
  { accountId, issuer, subject }: ProviderSubject & { accountId: number },
): Promise<boolean> {
  const updated = await tx
    .updateTable('provider_links')
    .set({ last_used_at: tx.now })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('account_id', '=', accountId)
    .returning('account_id')
    .executeTakeFirst()
  return updated !== undefined
}

/** What an account is connected to, the last used first: another issuer may have been configured before. */
export const findLinks = (db: DbOrTx, accountId: number) =>
  db
    .selectFrom('provider_links')
    .select(['issuer', 'email', 'linked_at as linkedAt', 'last_used_at as lastUsedAt'])
    .where('account_id', '=', accountId)
    .orderBy('last_used_at', 'desc')
    .execute()

/** Disconnects an account. False if it was connected to nothing. */
export async function deleteLinks(tx: Tx, accountId: number): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('provider_links')
    .where('account_id', '=', accountId)
    .returning('account_id')
    .execute()
  return deleted.length > 0
}
