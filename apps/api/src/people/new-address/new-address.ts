import { LINK_LIFE_DAYS } from '@tallyroom/contract/people/addresses'
import { DAY_MS } from '@tallyroom/domain/acts'
import { brandOf } from '@tallyroom/domain/brands/index'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid } from '../../errors.ts'
import { hashToken } from '../../lib/tokens.ts'
import type { Services } from '../../services.ts'
import { updateEmail, updateNewEmail } from '../accounts/accounts.queries.ts'
import { lockNewAddress } from '../addresses/mail-address.queries.ts'
import { deleteTokens, takeToken } from '../auth/one-time-token.queries.ts'
import { linkWith, makeOneTimeToken } from '../auth/one-time-token.ts'
import { countAddressLink } from '../auth/sign-in-waits.ts'
import type { HandBy } from '../hands/record-hand.ts'
import { type PostServices, postMail } from '../mail/post-mail.ts'
import { tellOfChange } from '../mail/tell-of-change.ts'

/** An account's address as forms have it: the one that waits, or the one that counts. */
export const shownAddress = (account: { email: string | null; new_email: string | null }) => ({
  email: account.new_email ?? account.email ?? '',
  emailConfirmed: account.new_email === null,
})

/**
 * Enters another address for an account. It counts once the link that is mailed to it was opened; an empty one at once, and so does
 * the one that counts already, in place of one that waits. Call this last: see {@link postMail}.
 *
 * @throws TOO_MANY_REQUESTS after many links for the account.
 */
export async function enterAddress(
  tx: Tx,
  services: PostServices,
  { accountId, email, by }: { accountId: number; email: string; by: Viewer },
): Promise<void> {
  const account = await lockNewAddress(tx, accountId)
  const { now } = tx
  if (email === (account.newEmail ?? account.email ?? '')) return
  await deleteTokens(tx, accountId, 'address')
  if (email === account.email) return updateNewEmail(tx, accountId, null, { by, now })
  if (email !== '') {
    await updateNewEmail(tx, accountId, email, { by, now })
    return mailLink(tx, services, { ...account, newEmail: email })
  }
  if (account.email === null) return updateNewEmail(tx, accountId, null, { by, now })
  await leaveFor(tx, services, { account, email: null, by })
}

/**
 * Mails the link again to the viewer's own address that waits.
 *
 * @throws CONFLICT if none does; TOO_MANY_REQUESTS.
 */
export async function sendAddressLink(
  services: Pick<Services, 'config' | 'db' | 'secret'>,
  { accountId }: Viewer,
): Promise<void> {
  await inTransaction(services.db, (tx) => sendAddressLinkAgain(tx, services, accountId))
}

/**
 * Mails the link again to an account's address that waits, in place of the one before. Call this last: see {@link postMail}.
 *
 * @throws CONFLICT if none waits, or the account is invited: opening the invitation confirms the address; TOO_MANY_REQUESTS.
 */
export async function sendAddressLinkAgain(
  tx: Tx,
  services: PostServices,
  accountId: number,
): Promise<void> {
  const { newEmail, invitedAt, ...account } = await lockNewAddress(tx, accountId)
  if (newEmail === null) throw conflict('No email address waits to be confirmed.')
  if (invitedAt !== null) {
    throw conflict(
      `${account.username} has no password yet. Choose “Send invitation again” in the list: opening it confirms the address.`,
    )
  }
  await deleteTokens(tx, accountId, 'address')
  await mailLink(tx, services, { ...account, newEmail })
}

/**
 * Makes the address that waits the viewer's, and tells the one before. Whoever reads the mail there by mistake has no session of
 * the account, so that a wrong letter leads nobody to its password.
 *
 * @throws VALIDATION_ERROR about `_form` if the link is another account's, was used or has expired, or another address was entered
 * since.
 */
export async function confirmAddress(
  services: Pick<Services, 'config' | 'db' | 'secret'>,
  { accountId }: Viewer,
  token: string,
): Promise<{ username: string; email: string }> {
  const hash = hashToken(token)
  return inTransaction(services.db, async (tx) => {
    const account = await lockNewAddress(tx, accountId)
    const taken = await takeToken(tx, { hash, purpose: 'address', now: tx.now })
    const email = account.newEmail
    if (taken?.accountId !== accountId || email === null || email !== taken.sentTo)
      throw noLongerValid()
    const by = { accountId: account.newEmailBy ?? account.id, signedInBy: undefined }
    await leaveFor(tx, services, { account, email, by })
    return { username: account.username, email }
  })
}

type Account = Awaited<ReturnType<typeof lockNewAddress>>

async function leaveFor(
  tx: Tx,
  services: PostServices,
  { account, email, by }: { account: Account; email: string | null; by: HandBy },
): Promise<void> {
  const { id: accountId, username, email: emailBefore } = account
  await updateEmail(tx, accountId, email, { by, now: tx.now })
  await tellOfChange(tx, services, {
    accountId,
    username,
    emailBefore,
    changed: ['email address'],
  })
}

async function mailLink(
  tx: Tx,
  services: PostServices,
  { id: accountId, username, newEmail }: Pick<Account, 'id' | 'username'> & { newEmail: string },
): Promise<void> {
  await countAddressLink(tx, accountId)
  const { name } = brandOf(services.config.brand)
  const expiresAt = new Date(tx.now.getTime() + LINK_LIFE_DAYS * DAY_MS)
  const about = { purpose: 'address', accountId, expiresAt, sentTo: newEmail } as const
  const token = await makeOneTimeToken(tx, about)
  const mail = {
    to: newEmail,
    subject: `${name}: confirm your email address`,
    text: mailText({ username, link: linkWith(services.config, '/confirm-address', token), name }),
  }
  await postMail(tx, services, mail, expiresAt)
}

const noLongerValid = () =>
  invalid({
    _form: [
      'This link has expired or was already used, is for another account, or another address was entered since. Ask for a new link in Profile.',
    ],
  })

const mailText = ({ username, link, name }: { username: string; link: string; name: string }) =>
  `This address was entered for the account ${username}.

To confirm that it is yours, open this link within ${LINK_LIFE_DAYS} days, and sign in as ${username}. It works once. Don’t pass it on.

${link}

From then on, emails about the account go here. If it is not your account, there is nothing to do: unless its holder confirms the address, no other mail comes.

${name}
`
