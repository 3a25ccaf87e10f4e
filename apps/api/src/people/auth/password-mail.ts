import { brandOf } from '@tallyroom/domain/brands/index'
import { inTransaction } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import type { Caller } from '../../http/record-call.ts'
import type { Services } from '../../services.ts'
import { type Mail, type Mailer, mailerOf } from '../../lib/mailer.ts'
import { hashToken, makeToken } from '../../lib/tokens.ts'
import { accountOf } from '../accounts/account.ts'
import { getHolder } from '../accounts/mail-address.queries.ts'
import { makePassword } from '../accounts/new-password.ts'
import { replacePassword } from '../sessions/replace-password.ts'
import { deleteTokens, findToken, insertToken, takeToken } from './one-time-token.queries.ts'
import { findAccountByMail, getAccount } from './sign-in.queries.ts'
import { countRequest, forgetFailures } from './sign-in-waits.ts'

type MailServices = Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'secret' | 'formerSecrets'>

const lifeMinutes = 30

/** The changed parts of an account. */
export type Changed = 'password' | 'email address' | 'payment account'

/** An account's holder, as read before the change. */
type Told = { to: string | null; username: string; changed: readonly Changed[] }

export type PasswordMail = {
  /**
   * Mails a password reset link if there is an account with this username and address. Resolves before the
   * look-up, so that neither the answer nor its timing reveals whether there is one.
   *
   * @throws TOO_MANY_REQUESTS after many requests for one username or from one address.
   */
  request(asked: { username: string; email: string; ip: string }): Promise<void>
  /**
   * Notifies the holder, at the previous address, that somebody changed their credentials. Sends nothing if
   * there is no address or no change. Call this after the commit; it does not wait for the mail.
   */
  tellOfChange(told: Told): void
  /** Waits for mails that are being sent. */
  stop(): Promise<void>
}

/** The dependency of features that change passwords or addresses. */
export type TellsOfChange = { mail: Pick<PasswordMail, 'tellOfChange'> }

export function startPasswordMail(
  services: MailServices,
  mailer: Mailer = mailerOf(services.config, services.clock),
): PasswordMail {
  const { config, db, clock, log, secret } = services
  const underWay = new Set<Promise<void>>()

  return {
    async request({ username, email, ip }) {
      await countRequest(db, { username, ip, now: clock.now(), secret })
      inBackground(send(username, email))
    },
    tellOfChange({ to, username, changed }) {
      if (!to || changed.length === 0) return
      inBackground(mailer.send(changeMail(config, { to, username, changed })))
    },
    async stop() {
      await Promise.all(underWay)
      mailer.close()
    },
  }

  function inBackground(work: Promise<void>): void {
    const sending = work
      // The response is already sent, so only the operator can act on it.
      .catch((error: unknown) => log.error({ err: error }, 'a password mail was not sent'))
      .finally(() => underWay.delete(sending))
    underWay.add(sending)
  }

  async function send(username: string, email: string): Promise<void> {
    const account = await findAccountByMail(db, username, email)
    if (!account) return
    const token = makeToken()
    await insertToken(db, {
      hash: hashToken(token),
      purpose: 'password-reset',
      accountId: account.id,
      expiresAt: new Date(clock.now().getTime() + lifeMinutes * 60_000),
    })
    const { name } = brandOf(config.brand)
    // In the fragment, which browsers do not send, so no server or proxy logs it.
    const link = `${config.publicUrl}/forgot/reset#${token}`
    await mailer.send({
      to: account.email,
      subject: `${name}: set a new password`,
      text: mailText({ username: account.username, link, name }),
    })
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

/**
 * Sets a new password with a mailed token, ends all of the account's sessions and notifies the holder. Returns
 * the account's id.
 *
 * @throws VALIDATION_ERROR about `_form` if the link was used or has expired.
 */
export async function resetPassword(
  services: MailServices & TellsOfChange,
  given: { token: string; password: string; identify: (caller: Caller) => void },
): Promise<number> {
  const { db, clock, secret, mail } = services
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
  const now = clock.now()
  const holder = await inTransaction(db, async (tx) => {
    const taken = await takeToken(tx, { ...which, now })
    if (!taken) throw noLongerValid()
    const { accountId, username } = accountOf(await getAccount(tx, taken.accountId))
    await replacePassword(tx, accountId, password, { by: 'holder', now })
    await deleteTokens(tx, accountId, 'password-reset')
    await forgetFailures(tx, username, secret)
    return getHolder(tx, accountId)
  })
  mail.tellOfChange({ to: holder.email, username: holder.username, changed: ['password'] })
  return holder.id
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

function changeMail(
  { brand, publicUrl }: Services['config'],
  { to, username, changed }: { to: string; username: string; changed: readonly Changed[] },
): Mail {
  const { name } = brandOf(brand)
  const what = changed.join(' and the ')
  const verb = changed.length === 1 ? 'was' : 'were'
  return {
    to,
    subject: `${name}: your ${changed.join(' and ')} ${verb} changed`,
    text: `The ${what} of the account ${username} ${verb} changed.

If you did this or asked for it, there is nothing to do.

${
  changed.includes('payment account')
    ? `If not, choose “That wasn’t me” at once: ${publicUrl}/app/pay/account
Nothing is paid to you until we have talked to you.`
    : `If not, tell the people who run ${name} at once.`
} ${
      changed.includes('email address')
        ? 'Emails about this account now go to another address.'
        : `You can set a new password here: ${publicUrl}/forgot`
    }

${name}
`,
  }
}
