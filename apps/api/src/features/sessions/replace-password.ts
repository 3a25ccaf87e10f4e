import type { Tx } from '../../db/database.ts'
import { type NewPassword, updatePassword } from '../accounts/index.ts'
import { endSessions } from './sessions.queries.ts'

/**
 * Gives an account another password and ends its sessions, so that whoever knew the old one is out. Of a
 * superadmin no readable copy is kept.
 *
 * @param keepSession the session that goes on: that of the holder who changes the password.
 */
export async function replacePassword(
  tx: Tx,
  accountId: number,
  password: NewPassword,
  { now, superadmin, keepSession }: { now: Date; superadmin?: true; keepSession?: string },
): Promise<void> {
  await updatePassword(tx, accountId, {
    hash: password.passwordHash,
    sealed: superadmin ? null : password.sealPassword(accountId),
  })
  await endSessions(
    tx,
    { accountIds: [accountId], ...(keepSession !== undefined && { except: keepSession }) },
    { reason: 'password-changed', now },
  )
}
