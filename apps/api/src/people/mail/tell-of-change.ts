import { brandOf } from '@tallyroom/domain/brands/index'
import type { Tx } from '../../db/database.ts'
import { writeFacts } from '../../notices/index.ts'
import { postMails, type PostServices } from './post-mail.ts'
import { findFormerAddresses, insertFormerAddress } from '../addresses/former-addresses.queries.ts'
import { getHolder } from '../addresses/mail-address.queries.ts'

/** The changed parts of an account. */
export type Changed = 'password' | 'email address' | 'payment account'

/** How long addresses that an account has left still hear of its changes. */
export const FORMER_ADDRESS_MS = 30 * 24 * 60 * 60_000

type Told = {
  accountId: number
  username: string
  changed: readonly Changed[]
  /** The address before this change, if it may have changed that. */
  emailBefore?: string | null
  /** What to do if it was not the holder; telling those who run the back office by default. */
  ifNot?: string
}

/**
 * Notifies the holder that somebody changed their credentials, in the transaction of the change: in their bell, at their
 * address, and at those that the account had in the last 30 days. So whoever takes an account over can't first lead its
 * mails elsewhere. Does nothing without a change. Call this last: see {@link postMails}.
 */
export async function tellOfChange(tx: Tx, services: PostServices, told: Told): Promise<void> {
  const { accountId, changed, emailBefore } = told
  if (changed.length === 0) return
  const { now } = tx
  // Told to whoever has the account, even if they did it themselves: it may not have been them.
  await writeFacts(
    tx,
    [{ kind: 'account.changed', of: { accountId }, subject: { changed: [...changed] } }],
    { at: now, byAccountId: null },
  )
  if (changed.includes('email address') && emailBefore) {
    await insertFormerAddress(tx, { accountId, email: emailBefore, leftAt: now })
  }
  const { email } = await getHolder(tx, accountId)
  const since = new Date(now.getTime() - FORMER_ADDRESS_MS)
  const former = await findFormerAddresses(tx, accountId, since)
  await postMails(tx, services, [
    ...(email ? [mailOf(services, told, email, true)] : []),
    ...former
      .filter((address) => address !== email)
      .map((address) => mailOf(services, told, address, false)),
  ])
}

function mailOf(
  { config: { brand, publicUrl } }: Pick<PostServices, 'config'>,
  { username, changed, ifNot }: Told,
  to: string,
  isCurrent: boolean,
) {
  const { name } = brandOf(brand)
  const what = changed.join(' and the ')
  const verb = changed.length === 1 ? 'was' : 'were'
  const whereTo = changed.includes('email address')
    ? 'Emails about this account now go to this address.'
    : `You can set a new password here: ${publicUrl}/forgot`
  return {
    to,
    subject: `${name}: your ${changed.join(' and ')} ${verb} changed`,
    text: `The ${what} of the account ${username} ${verb} changed.

If you did this or asked for it, there is nothing to do.

${ifNot ?? `If not, tell the people who run ${name} at once.`} ${isCurrent ? whereTo : ELSEWHERE}

${name}
`,
  }
}

const ELSEWHERE =
  'Emails about this account now go to another address. For 30 days, this one hears of such changes, too.'

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
