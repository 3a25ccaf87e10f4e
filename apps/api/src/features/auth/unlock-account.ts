import type { Db } from '../../db/database.ts'
import { notFound } from '../../errors.ts'
import { forgetAllFailures } from './sign-in-waits.ts'
import { findAccountByUsername } from './sign-in.queries.ts'

/**
 * Forgets an account's failed attempts, so that its holder need not wait; gives the username as it is written.
 * What its address has to wait for stays: others are behind it.
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
