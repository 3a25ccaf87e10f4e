import type { Permission } from '@tallyroom/domain/abilities'
import type { Db } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict } from '../../errors.ts'
import { getHolder } from '../addresses/mail-address.queries.ts'
import { noAccount } from '../accounts/no-account.ts'
import { makeOneTimePassword } from '../accounts/new-password.ts'
import { tellOfChange } from '../mail/tell-of-change.ts'
import type { PostServices } from '../mail/post-mail.ts'
import { writeFacts } from '../../notices/index.ts'
import { removeFactors } from '../factors/change-passkeys.ts'
import { factorsOf } from '../factors/take-code.ts'
import { recordFactorReset } from '../hands/record-hand.ts'
import { tellOfFactor, tellPayersOfReset } from '../mail/tell-of-factor.ts'
import { endSessions } from '../sessions/sessions.queries.ts'
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
    if (!account) throw noAccount(username)
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
  services: PostServices & { db: Db },
  wanted: string,
): Promise<{ username: string; password: string; told: string | null }> {
  const { db } = services
  const password = await makeOneTimePassword()
  const { username, email: told } = await inTransaction(db, async (tx) => {
    const account = await lockAccountByUsername(tx, wanted)
    if (!account) throw noAccount(wanted)
    await replacePassword(tx, account.id, password, {
      by: 'operator',
      now: tx.now,
      mustChange: true,
    })
    const holder = await getHolder(tx, account.id)
    await tellOfChange(tx, services, {
      accountId: account.id,
      username: holder.username,
      changed: ['password'],
    })
    return holder
  })
  return { username, password: password.password, told }
}

/**
 * Removes the second factor of an account, for who has lost all of it: ends its sessions, and tells its holder and everybody
 * who may pay, and lets the account approve nothing for some days. `told` is the holder's address, or null if there is none.
 *
 * @throws NOT_FOUND; CONFLICT if it has none
 */
export const resetFactor = (
  services: PostServices & { db: Db },
  wanted: string,
): Promise<{ username: string; told: string | null }> =>
  inTransaction(services.db, async (tx) => {
    const { now } = tx
    const account = await lockAccountByUsername(tx, wanted)
    if (!account) throw noAccount(wanted)
    const { id: accountId, username } = account
    // One that was begun and not confirmed is asked for by nobody.
    if ((await factorsOf(tx, accountId)).length === 0)
      throw conflict(`${username} has no second factor.`)
    await removeFactors(tx, accountId)
    await recordFactorReset(tx, { accountId, kind: 'operator factor', at: now })
    await endSessions(tx, { accountIds: [accountId] }, { reason: 'factor-reset', now })
    const reset = { kind: 'factor.reset', of: 'network', subject: { username } } as const
    await writeFacts(tx, [reset], { at: now, byAccountId: null })
    const { email } = await getHolder(tx, accountId)
    await tellOfFactor(tx, services, { accountId, happened: 'second factor reset' })
    await tellPayersOfReset(tx, services, { username, kind: 'operator factor' })
    return { username, told: email }
  })
