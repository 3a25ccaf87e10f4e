import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { mailAddress, selectAddresses } from '../addresses/mail-address.queries.ts'

const selectInvited = (db: DbOrTx, accountId: number) =>
  selectAddresses(db)
    .leftJoin('agents as agent', 'agent.id', 'account.agent_id')
    .select([
      'account.new_email as newEmail',
      'account.invited_at as invitedAt',
      sql<string | null>`coalesce(account.new_email, ${mailAddress})`.as('writeTo'),
      sql<boolean>`agent.id is not null and agent.approved_at is null`.as('waitsForApproval'),
    ])
    .where('account.id', '=', accountId)

/** An account with the address to which it is invited, and whether it has a password. */
export const getInvited = (db: DbOrTx, accountId: number) =>
  selectInvited(db, accountId).executeTakeFirstOrThrow()

/** The same with a lock on the account's row. */
export const lockInvited = (tx: Tx, accountId: number) =>
  selectInvited(tx, accountId).forNoKeyUpdate('account').executeTakeFirstOrThrow()

export async function updateInvitation(
  tx: Tx,
  accountId: number,
  { invitedAt, endsAt }: { invitedAt?: Date; endsAt: Date | null },
): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ invitation_ends_at: endsAt, ...(invitedAt && { invited_at: invitedAt }) })
    .where('id', '=', accountId)
    .execute()
}
