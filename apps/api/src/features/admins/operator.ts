import type { Permission } from '@tallyroom/domain/abilities'
import type { Db } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { makeOneTimePassword } from '../accounts/index.ts'
import { replacePassword } from '../sessions/index.ts'
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
 * Sets a one-time password, which must be changed, and ends the account's sessions. The password is only in the
 * return value: print it.
 *
 * @throws NOT_FOUND
 */
export async function resetPassword(
  { db, clock }: { db: Db; clock: Clock },
  username: string,
): Promise<{ username: string; password: string }> {
  const password = await makeOneTimePassword()
  return inTransaction(db, async (tx) => {
    const account = await lockAccountByUsername(tx, username)
    if (!account) throw notFound('account')
    await replacePassword(tx, account.id, password, { now: clock.now(), mustChange: true })
    return { username: account.username, password: password.password }
  })
}
