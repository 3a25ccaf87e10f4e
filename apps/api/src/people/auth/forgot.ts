import { DAY_MS } from '@tallyroom/domain/acts'
import { brandOf } from '@tallyroom/domain/brands/index'
import { inTransaction } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import type { Caller } from '../../http/record-call.ts'
import { hasFactSince, type NewFact, writeFacts } from '../../notices/index.ts'
import type { Services } from '../../services.ts'
import { hashToken } from '../../lib/tokens.ts'
import { type Account, accountOf, whyClosed } from '../accounts/account.ts'
import { getHolder } from '../addresses/mail-address.queries.ts'
import { makePassword } from '../accounts/new-password.ts'
import { tellOfChange } from '../mail/tell-of-change.ts'
import { postMail } from '../mail/post-mail.ts'
import { replacePassword } from '../sessions/replace-password.ts'
import { findToken, takeToken } from './one-time-token.queries.ts'
import { linkWith, makeOneTimeToken } from './one-time-token.ts'
import {
  findAccountByMail,
  findAccountByUsername,
  getAccount,
  lockAccountToSignIn,
} from './sign-in.queries.ts'
import { countRequest, forgetFailures } from './sign-in-waits.ts'

type ForgotServices = Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'secret' | 'formerSecrets'>

const lifeMinutes = 10
/** How long a link sets a new password. */
export const linkLifeMs = lifeMinutes * 60_000

export type ForgottenPasswords = {
  /**
   * Mails a password reset link if there is an account with this username and address. Resolves before the
   * look-up, so that neither the answer nor its timing reveals whether there is one.
   *
   * @throws TOO_MANY_REQUESTS after many requests for one username or from one address.
   */
  request(asked: { username: string; email: string; ip: string }): Promise<void>
  /**
   * Tells whoever manages the account that a new password is asked for, for holders whose account has no address. Resolves and
   * throws as {@link request} does, and counts with it.
   */
  ask(asked: { username: string; ip: string }): Promise<void>
  /** Waits for links that are being made, and for what is being told. */
  stop(): Promise<void>
}

export function forgottenPasswords(services: ForgotServices): ForgottenPasswords {
  const { db, clock, log, secret } = services
  const underWay = new Set<Promise<void>>()
  const goOn = (work: Promise<void>, failed: string) => {
    const ending = work
      // The response is already sent, so only the operator can act on it.
      .catch((error: unknown) => log.error({ err: error }, failed))
      .finally(() => underWay.delete(ending))
    underWay.add(ending)
  }

  return {
    async request({ username, email, ip }) {
      await countRequest(db, { username, ip, now: clock.now(), secret })
      goOn(postLink(services, username, email), 'no password reset link was made')
    },
    async ask({ username, ip }) {
      await countRequest(db, { username, ip, now: clock.now(), secret })
      goOn(tellWhoManages(services, username), 'nobody was told that a password is asked for')
    },
    async stop() {
      await Promise.all(underWay)
    },
  }
}

async function postLink(services: ForgotServices, username: string, email: string): Promise<void> {
  const { config, db } = services
  const account = await findAccountByMail(db, username, email)
  if (!account) return
  const { name } = brandOf(config.brand)
  await inTransaction(db, async (tx) => {
    const expiresAt = new Date(tx.now.getTime() + linkLifeMs)
    const about = {
      purpose: 'password-reset',
      accountId: account.id,
      expiresAt,
      sentTo: account.email,
    } as const
    const link = linkWith(config, '/forgot/reset', await makeOneTimeToken(tx, about))
    const mail = {
      to: account.email,
      subject: `${name}: set a new password`,
      text: mailText({ username: account.username, link, name }),
    }
    await postMail(tx, services, mail, expiresAt)
  })
}

/** Once a day for each account. Not of one that a new password would not open. */
async function tellWhoManages({ db }: ForgotServices, username: string): Promise<void> {
  const found = await findAccountByUsername(db, username)
  if (!found) return
  await inTransaction(db, async (tx) => {
    const { now } = tx
    const row = await lockAccountToSignIn(tx, found.id)
    if (!row || whyClosed(row, now)) return
    const fact = askedOf(accountOf(row))
    const { kind, subject } = fact
    const told = { kind, subject: { accountId: subject.accountId } }
    if (await hasFactSince(tx, { fact: told, since: new Date(now.getTime() - DAY_MS) })) return
    await writeFacts(tx, [fact], { at: now, byAccountId: null })
  })
}

type Asked = NewFact & { kind: 'password.asked' | 'staff-password.asked' }

function askedOf({ accountId, username, ...member }: Account): Asked {
  const who = { accountId, username }
  switch (member.role) {
    case 'agent': {
      const subject = { ...who, whose: 'agent', id: member.agentId } as const
      return { kind: 'password.asked', of: { agentId: member.agentId }, subject }
    }
    case 'company': {
      const subject = { ...who, whose: 'office', id: member.officeId } as const
      return { kind: 'password.asked', of: { officeId: member.officeId }, subject }
    }
    case 'admin':
    case 'superadmin':
      return {
        kind: 'staff-password.asked',
        of: 'network',
        subject: { ...who, role: member.role },
      }
  }
}

/**
 * Sets a new password with a mailed token, ends all of the account's sessions and notifies the holder. Returns
 * the account's id.
 *
 * @throws VALIDATION_ERROR about `_form` if the link was used or has expired, or the account has had another password or address since.
 */
export async function resetPassword(
  services: ForgotServices,
  given: { token: string; password: string; identify: (caller: Caller) => void },
): Promise<number> {
  const { db, clock, secret } = services
  const which = {
    hash: hashToken(given.token),
    purpose: 'password-reset',
    now: clock.now(),
  } as const
  // Rejects invalid tokens before any slow work.
  const found = await findToken(db, which)
  if (!found) throw noLongerValid()
  given.identify({ accountId: found.accountId, signedInBy: undefined })

  const password = await makePassword(services, given.password)
  return inTransaction(db, async (tx) => {
    const { now } = tx
    const taken = await takeToken(tx, { ...which, now })
    if (!taken) throw noLongerValid()
    const { accountId, username } = accountOf(await getAccount(tx, taken.accountId))
    // The link may have been made while the address was changed.
    const { email } = await getHolder(tx, accountId)
    if (taken.sentTo !== null && taken.sentTo.toLowerCase() !== email?.toLowerCase())
      throw noLongerValid()
    await replacePassword(tx, accountId, password, { by: 'mailed link', now })
    await forgetFailures(tx, username, secret)
    await tellOfChange(tx, services, { accountId, username, changed: ['password'] })
    return accountId
  })
}

const noLongerValid = () =>
  invalid({ _form: ['This link has expired or was already used. Please request a new one.'] })

const mailText = ({ username, link, name }: { username: string; link: string; name: string }) =>
  `Somebody asked for a new password for the account ${username}.

To set one, open this link within ${lifeMinutes} minutes. It works once.

${link}

If it was not you, there is nothing to do: the password stays as it is.

${name}
`
