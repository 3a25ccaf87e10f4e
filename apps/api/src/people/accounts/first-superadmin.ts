import type { Db } from '../../db/database.ts'
import { locks } from '../../db/locks.ts'
import { onlyOne } from '../../db/only-one.ts'
import { hasAccounts, insertAccount } from './accounts.queries.ts'
import { makeOneTimePassword } from './new-password.ts'

/**
 * Creates the first account of an installation. Its random password must be changed, and is only in the return
 * value: print it.
 *
 * Returns undefined if accounts exist, or another process is creating this one.
 */
export async function createFirstSuperadmin({
  db,
}: {
  db: Db
}): Promise<{ username: string; password: string } | undefined> {
  if (await hasAccounts(db)) return undefined
  const username = 'superadmin'
  const { password, passwordHash } = await makeOneTimePassword()

  const outcome = await onlyOne(db, locks.firstSuperadmin, async (tx) => {
    if (await hasAccounts(tx)) return 'there'
    await insertAccount(tx, {
      role: 'superadmin',
      username,
      passwordHash,
      mustChangePassword: true,
      createdAt: tx.now,
      madeBy: 'operator',
    })
    return 'made'
  })
  return outcome === 'made' ? { username, password } : undefined
}
