import type { Tx } from '../../db/database.ts'
import { type NewPassword, updatePassword } from '../accounts/index.ts'
import { endSessions } from './sessions.queries.ts'

/**
 * Gives an account another password and ends its sessions, so that whoever knew the old one is out.
 *
 * @param keepSession the session that goes on: that of the holder who changes the password.
 * @param mustChange whether the holder has to choose another one after signing in with it.
 */
export async function replacePassword(
  tx: Tx,
  accountId: number,
  password: NewPassword,
  {
    now,
    keepSession,
    mustChange = false,
  }: { now: Date; keepSession?: string; mustChange?: boolean },
): Promise<void> {
  await updatePassword(tx, accountId, password, { mustChange, now })
  await endSessions(
    tx,
    { accountIds: [accountId], ...(keepSession !== undefined && { except: keepSession }) },
    { reason: 'password-changed', now },
  )
}
