import type { Db } from '../../db/database.ts'
import { notFound } from '../../errors.ts'
import { forgetAllFailures } from './sign-in-waits.ts'
import { findAccountByUsername } from './sign-in.queries.ts'

/**
 * Resets an account's failed attempts and waits. Returns the username as stored. Waits of addresses stay, since
 * others share them.
 *
 * @throws NOT_FOUND
 */
export async function unlockAccount(
  { db, secret }: { db: Db; secret: Buffer },
  wanted: string,
): Promise<string> {
  const account = await findAccountByUsername(db, wanted)
  if (!account) throw notFound('account')
  await forgetAllFailures(db, account, secret)
  return account.username
}
