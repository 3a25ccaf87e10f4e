import type { Tx } from '../../db/database.ts'
import { type NewPassword, updatePassword } from '../accounts/accounts.queries.ts'
import type { HandBy } from '../hands/record-hand.ts'
import { endSessions } from './sessions.queries.ts'

/**
 * Sets a new password and ends the account's sessions, which locks out whoever knew the old one.
 *
 * @param keepSession the holder's current session, which continues.
 * @param mustChange whether the holder has to change the password after signing in with it.
 */
export async function replacePassword(
  tx: Tx,
  accountId: number,
  password: NewPassword,
  {
    by,
    now,
    keepSession,
    mustChange = false,
  }: { by: HandBy; now: Date; keepSession?: string; mustChange?: boolean },
): Promise<void> {
  await updatePassword(tx, accountId, password, { mustChange, by, now })
  await endSessions(
    tx,
    { accountIds: [accountId], ...(keepSession !== undefined && { except: keepSession }) },
    { reason: 'password-changed', now },
  )
}
