import { inTransaction } from '../src/db/transaction.ts'
import { accountOf } from '../src/people/accounts/account.ts'
import { selectAccounts } from '../src/people/accounts/accounts.queries.ts'
import { openSession } from '../src/people/sessions/open-session.ts'
import type { TestServices } from './services.ts'

/** A session token for an account, as after signing in with its password. */
export async function tokenOf(
  { db, secret }: TestServices,
  username: string,
  visit: { ip?: string; userAgent?: string; provedBy?: undefined } = {},
): Promise<string> {
  const account = await selectAccounts(db)
    .where('accounts.username', '=', username)
    .executeTakeFirstOrThrow()
  return inTransaction(db, (tx) =>
    openSession(tx, {
      account: accountOf(account),
      ip: '203.0.113.7',
      userAgent: 'a test',
      now: tx.now,
      secret,
      provedBy: 'password',
      ...visit,
    }),
  )
}
