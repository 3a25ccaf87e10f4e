import { brandOf } from '@tallyroom/domain/brands/index'
import type { Tx } from '../../db/database.ts'
import { writeFacts } from '../../notices/index.ts'
import { postMail, type PostServices } from '../mail/post-mail.ts'

/** The changed parts of an account. */
export type Changed = 'password' | 'email address' | 'payment account'

/** An account's holder, as read before the change. */
type Told = {
  accountId: number
  to: string | null
  username: string
  changed: readonly Changed[]
  /** What to do if it was not the holder; telling those who run the back office by default. */
  ifNot?: string
}

/**
 * Notifies the holder, in their bell and at the previous address, that somebody changed their credentials, in the transaction of
 * the change. Sends no mail if there is no address, and nothing without a change. Call this last: see {@link postMail}.
 */
export async function tellOfChange(tx: Tx, services: PostServices, told: Told): Promise<void> {
  const { accountId, to, username, changed } = told
  if (changed.length === 0) return
  // Told to whoever has the account, even if they did it themselves: it may not have been them.
  await writeFacts(
    tx,
    [{ kind: 'account.changed', of: { accountId }, subject: { changed: [...changed] } }],
    { at: services.clock.now(), byAccountId: null },
  )
  if (!to) return
  const { brand, publicUrl } = services.config
  const { name } = brandOf(brand)
  const what = changed.join(' and the ')
  const verb = changed.length === 1 ? 'was' : 'were'
  await postMail(tx, services, {
    to,
    subject: `${name}: your ${changed.join(' and ')} ${verb} changed`,
    text: `The ${what} of the account ${username} ${verb} changed.

If you did this or asked for it, there is nothing to do.

${told.ifNot ?? `If not, tell the people who run ${name} at once.`} ${
      changed.includes('email address')
        ? 'Emails about this account now go to another address.'
        : `You can set a new password here: ${publicUrl}/forgot`
    }

${name}
`,
  })
}

/** The parts that a change replaces. An omitted address is unchanged. */
export function changedOf(
  before: { email: string | null },
  { password, email }: { password: boolean; email?: string | undefined },
): Changed[] {
  const changed: Changed[] = []
  if (password) changed.push('password')
  if (email !== undefined && email !== (before.email ?? '')) changed.push('email address')
  return changed
}
