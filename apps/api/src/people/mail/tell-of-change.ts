import type { FactContent } from '@tallyroom/contract/desk/facts'
import { brandOf } from '@tallyroom/domain/brands/index'
import type { Tx } from '../../db/database.ts'
import { insertFormerAddress } from '../addresses/former-addresses.queries.ts'
import type { PostServices } from './post-mail.ts'
import { elsewhere, tellHolder } from './tell-holder.ts'

/** The changed parts of an account. */
export type Changed = 'password' | 'email address' | 'payment account'

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
 * Notifies the holder that somebody changed their credentials, in the transaction of the change: see {@link tellHolder}.
 * Does nothing without a change. Call this last.
 */
export async function tellOfChange(tx: Tx, services: PostServices, told: Told): Promise<void> {
  const { accountId, changed, emailBefore } = told
  if (changed.length === 0) return
  if (changed.includes('email address') && emailBefore) {
    await insertFormerAddress(tx, { accountId, email: emailBefore, leftAt: tx.now })
  }
  const fact: FactContent = { kind: 'account.changed', subject: { changed: [...changed] } }
  await tellHolder(tx, services, { accountId, fact }, ({ isCurrent, hasAddress }) =>
    writtenOf(services, told, isCurrent ? undefined : elsewhere(hasAddress, 'such changes')),
  )
}

function writtenOf(
  { config: { brand, publicUrl } }: Pick<PostServices, 'config'>,
  { username, changed, ifNot }: Told,
  /** What a former address is told. */
  ofFormer: string | undefined,
) {
  const { name } = brandOf(brand)
  const what = changed.join(' and the ')
  const verb = changed.length === 1 ? 'was' : 'were'
  const whereTo = changed.includes('email address')
    ? 'Emails about this account now go to this address.'
    : `You can set a new password here: ${publicUrl}/forgot`
  return {
    subject: `${name}: your ${changed.join(' and ')} ${verb} changed`,
    text: `The ${what} of the account ${username} ${verb} changed.

If you did this or asked for it, there is nothing to do.

${ifNot ?? `If not, tell the people who run ${name} at once.`} ${ofFormer ?? whereTo}

${name}
`,
  }
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
