import type { Permission } from '@tallyroom/domain/abilities'
import type { Db } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { getHolder } from '../accounts/mail-address.queries.ts'
import { makeOneTimePassword } from '../accounts/new-password.ts'
import type { TellsOfChange } from '../auth/password-mail.ts'
import { replacePassword } from '../sessions/replace-password.ts'
import { lockAccountByUsername, setSpecialFlag } from './operator.queries.ts'

/** Permissions that only the operator can grant to a superadmin, on the command line. */
export const SPECIAL_PERMISSIONS = [
  'DELETE_AGENTS',
  'DELETE_SITES',
] as const satisfies readonly Permission[]
export type SpecialPermission = (typeof SPECIAL_PERMISSIONS)[number]

/**
 * Grants or revokes a special permission as of the next request. Returns the username as stored.
 *
 * @throws NOT_FOUND, or CONFLICT if it is granted to anyone but a superadmin, where it would have no effect.
 */
export function setSpecialPermission(
  db: Db,
  { username, permission }: { username: string; permission: SpecialPermission },
  granted: boolean,
): Promise<string> {
  return inTransaction(db, async (tx) => {
    const account = await lockAccountByUsername(tx, username)
    if (!account) throw notFound('account')
    if (granted && !account.isSuperadmin) {
      throw conflict(
        `${account.username} is not a superadmin. Only superadmins can hold ${permission}.`,
      )
    }
    await setSpecialFlag(tx, account.id, permission, granted)
    return account.username
  })
}

/**
 * Sets a one-time password, which must be changed, ends the account's sessions and notifies its holder. The password
 * is only in the return value: print it. `told` is the holder's address, or null if there is none.
 *
 * @throws NOT_FOUND
 */
export async function resetPassword(
  { db, clock, mail }: { db: Db; clock: Clock } & TellsOfChange,
  wanted: string,
): Promise<{ username: string; password: string; told: string | null }> {
  const password = await makeOneTimePassword()
  const { username, email } = await inTransaction(db, async (tx) => {
    const account = await lockAccountByUsername(tx, wanted)
    if (!account) throw notFound('account')
    await replacePassword(tx, account.id, password, {
      by: 'operator',
      now: clock.now(),
      mustChange: true,
    })
    return getHolder(tx, account.id)
  })
  mail.tellOfChange({ to: email, username, changed: ['password'] })
  return { username, password: password.password, told: email }
}
