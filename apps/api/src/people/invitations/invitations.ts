import { LINK_LIFE_DAYS } from '@tallyroom/contract/people/addresses'
import { DAY_MS } from '@tallyroom/domain/acts'
import { brandOf } from '@tallyroom/domain/brands/index'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid } from '../../errors.ts'
import type { Caller } from '../../http/record-call.ts'
import { hashToken } from '../../lib/tokens.ts'
import type { Services } from '../../services.ts'
import { updateEmail } from '../accounts/accounts.queries.ts'
import { makePassword } from '../accounts/new-password.ts'
import {
  deleteTokens,
  deleteTokensSentElsewhere,
  findToken,
  takeToken,
} from '../auth/one-time-token.queries.ts'
import { linkWith, makeOneTimeToken } from '../auth/one-time-token.ts'
import { countAddressLink } from '../auth/sign-in-waits.ts'
import { recordHand } from '../hands/record-hand.ts'
import { type NewMail, type PostServices, postMails } from '../mail/post-mail.ts'
import { type Changed, tellOfChange } from '../mail/tell-of-change.ts'
import { replacePassword } from '../sessions/replace-password.ts'
import { getInvited, lockInvited, updateInvitation } from './invitations.queries.ts'

type Invitation = { accountId: number; by: Viewer }

/**
 * Mails an invitation, which ends those before it. Call this last: see {@link postMails}.
 *
 * @throws CONFLICT if the account has a password, or no address; TOO_MANY_REQUESTS after many links for the account.
 */
export async function inviteByMail(
  tx: Tx,
  services: PostServices,
  { accountId, by }: Invitation,
): Promise<void> {
  const { mails, giveUpAt } = await writeInvitations(tx, services, { accountIds: [accountId], by })
  await postMails(tx, services, mails, giveUpAt)
}

/** The mails of invitations for several accounts, for their caller to post: see {@link inviteByMail}. */
export async function writeInvitations(
  tx: Tx,
  services: PostServices,
  { accountIds, by }: { accountIds: readonly number[]; by: Viewer },
): Promise<{ mails: NewMail[]; giveUpAt: Date }> {
  const { name } = brandOf(services.config.brand)
  const mails: NewMail[] = []
  for (const accountId of accountIds) {
    const { username, writeTo } = await lockUninvited(tx, accountId)
    if (writeTo === null) {
      throw conflict(
        `${username} has no email address. Choose “Copy invitation link”, and hand it over yourself.`,
      )
    }
    await countAddressLink(tx, accountId)
    const { link } = await makeLink(tx, services, { accountId, by, sentTo: writeTo })
    mails.push({
      to: writeTo,
      subject: `${name}: choose your password`,
      text: mailText({ username, link, name }),
    })
  }
  return { mails, giveUpAt: endOf(tx) }
}

/**
 * Makes the link of an invitation, which ends those before it.
 *
 * @throws CONFLICT if the account has a password.
 */
export async function inviteByLink(
  tx: Tx,
  services: PostServices,
  { accountId, by }: Invitation,
): Promise<{ link: string }> {
  await lockUninvited(tx, accountId)
  return makeLink(tx, services, { accountId, by })
}

/** @throws CONFLICT if the account has a password. */
export async function withdrawInvitation(tx: Tx, accountId: number): Promise<void> {
  await lockUninvited(tx, accountId)
  await deleteTokens(tx, accountId, 'invitation')
  await updateInvitation(tx, accountId, { endsAt: null })
}

/** Ends an invitation that was mailed to an address which the account no longer has; an empty one for none. */
export async function endInvitationElsewhere(
  tx: Tx,
  accountId: number,
  email: string,
): Promise<void> {
  const ended = await deleteTokensSentElsewhere(tx, { accountId, purpose: 'invitation', email })
  if (ended > 0) await updateInvitation(tx, accountId, { endsAt: null })
}

/** @throws VALIDATION_ERROR about `_form` if the link was used or withdrawn, or has expired. */
export async function readInvitation(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  token: string,
): Promise<{ username: string; waitsForApproval: boolean }> {
  const found = await findToken(db, { ...whichOf(token), now: clock.now() })
  if (!found) throw noLongerValid()
  const { username, invitedAt, waitsForApproval } = await getInvited(db, found.accountId)
  if (invitedAt === null) throw noLongerValid()
  return { username, waitsForApproval }
}

/**
 * Sets the first password of an invited account, of which no readable copy is kept, and confirms the address to which the
 * link was mailed. Returns the account's id.
 *
 * @throws as {@link readInvitation}; VALIDATION_ERROR about `password` if it is easy to guess.
 */
export async function acceptInvitation(
  services: Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>,
  given: { token: string; password: string; identify: (caller: Caller) => void },
): Promise<number> {
  const { db, clock } = services
  const which = whichOf(given.token)
  // Rejects invalid tokens before any slow work.
  const found = await findToken(db, { ...which, now: clock.now() })
  if (!found) throw noLongerValid()
  given.identify({ accountId: found.accountId, signedInBy: undefined })

  const password = await makePassword(services, given.password)
  return inTransaction(db, async (tx) => {
    const { now } = tx
    const taken = await takeToken(tx, { ...which, now })
    if (!taken) throw noLongerValid()
    const { accountId, sentTo } = taken
    const { invitedAt, username, newEmail } = await lockInvited(tx, accountId)
    if (invitedAt === null) throw noLongerValid()
    const changed: Changed[] = ['password']
    if (newEmail !== null && newEmail === sentTo) {
      await updateEmail(tx, accountId, newEmail, { by: 'invitation', now })
      changed.push('email address')
    }
    // Nobody reads it in a list.
    const unread = { ...password, sealPassword: () => null }
    await replacePassword(tx, accountId, unread, { by: 'invitation', now })
    await deleteTokens(tx, accountId, 'invitation')
    await tellOfChange(tx, services, { accountId, username, changed })
    return accountId
  })
}

const whichOf = (token: string) => ({ hash: hashToken(token), purpose: 'invitation' }) as const

async function lockUninvited(tx: Tx, accountId: number) {
  const account = await lockInvited(tx, accountId)
  if (account.invitedAt === null) {
    throw conflict(`${account.username} has a password, and needs no invitation.`)
  }
  return account
}

async function makeLink(
  tx: Tx,
  { config }: PostServices,
  { accountId, by, sentTo }: Invitation & { sentTo?: string },
): Promise<{ link: string }> {
  const { now } = tx
  const expiresAt = endOf(tx)
  await deleteTokens(tx, accountId, 'invitation')
  const token = await makeOneTimeToken(tx, { purpose: 'invitation', accountId, expiresAt, sentTo })
  await updateInvitation(tx, accountId, { invitedAt: now, endsAt: expiresAt })
  await recordHand(tx, { accountId, kinds: ['invited'], by, at: now })
  return { link: linkWith(config, '/invitation', token) }
}

/** When a link that is made now ends. */
const endOf = ({ now }: Tx): Date => new Date(now.getTime() + LINK_LIFE_DAYS * DAY_MS)

const noLongerValid = () =>
  invalid({
    _form: [
      'This invitation was used or withdrawn, or has expired. Ask whoever invited you for another one.',
    ],
  })

const mailText = ({ username, link, name }: { username: string; link: string; name: string }) =>
  `You are invited to ${name}. Your username is ${username}.

To choose your password, open this link within ${LINK_LIFE_DAYS} days. It works once.

${link}

If you don't expect this, there is nothing to do: without the link, nobody can sign in.

${name}
`
