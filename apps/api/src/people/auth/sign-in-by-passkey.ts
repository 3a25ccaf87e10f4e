import type { PasskeyAnswer } from '@tallyroom/contract/people/passkeys'
import { inTransaction } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import type { Caller } from '../../http/record-call.ts'
import { hashToken, makeToken } from '../../lib/tokens.ts'
import type { Services } from '../../services.ts'
import { CHALLENGE_MS } from '../factors/passkey-challenge.ts'
import { type Place, placeOf } from '../factors/passkey-place.ts'
import { challengeAnybody, takePasskey } from '../factors/passkeys.ts'
import { findPasskeyHolder } from '../factors/passkeys.queries.ts'
import { passkeyCopied, tellOfUse } from '../factors/take-code.ts'
import type { Browser } from '../sessions/open-session.ts'
import { deviceOf, type KnownDevice } from './known-device.ts'
import { openOwnSession } from './open-own-session.ts'
import { readCookie, setCookie } from '../sessions/own-cookie.ts'
import { refusalMessages, type SignedIn, whyRefused } from './sign-in.ts'
import { findAccountToSignIn, lockAccountToSignIn } from './sign-in.queries.ts'
import { countAttempt, forgiveAttempt } from './sign-in-waits.ts'

type PasskeyServices = Pick<
  Services,
  'config' | 'db' | 'clock' | 'log' | 'secret' | 'formerSecrets'
>

const cookieName = 'passkey'

/**
 * What any passkey of this host name signs, and the cookie of the browser in which alone that counts: whoever gets hold of a
 * signed challenge lacks it.
 *
 * @throws CONFLICT on an IP address
 */
export function challengeBrowser(
  { config, clock, secret }: Pick<PasskeyServices, 'config' | 'clock' | 'secret'>,
  cookies: string | undefined,
  host: string,
) {
  // One for all of its tabs.
  const mark = readCookie(config, cookieName, cookies) ?? makeToken()
  const asked = { browser: hashToken(mark), place: placeOf(config, host) }
  return {
    challenge: challengeAnybody({ secret }, asked, clock.now()),
    cookie: setCookie(config, cookieName, mark, CHALLENGE_MS / 1000),
  }
}

export type PasskeyAttempt = {
  passkey: PasskeyAnswer
  place: Place
  /** With the mark of {@link challengeBrowser}. */
  cookies: string | undefined
  ip: string
  userAgent: string
  browser: Browser | undefined
  /** From the browser's cookie. */
  devices?: readonly KnownDevice[]
  identify?: (caller: Caller) => void
}

/**
 * Starts a session if a passkey has signed the browser's challenge, and its device has asked its owner for a PIN, a finger or a
 * face. This takes the place of password and second factor, by the same rules and waits as `signIn`, for as long as the
 * password is the one that the passkey was last used with: whoever knew a former one could have added it.
 *
 * @throws VALIDATION_ERROR about `_form` or `passkey`; TOO_MANY_REQUESTS after repeated failures.
 */
export async function signInByPasskey(
  services: PasskeyServices,
  attempt: PasskeyAttempt,
): Promise<SignedIn> {
  const { config, db, clock, log, secret } = services
  const { passkey, place, cookies, ip, userAgent, browser, devices = [], identify } = attempt
  const mark = readCookie(config, cookieName, cookies)
  // Whoever has asked for nothing has made no guess.
  if (mark === undefined) throw refuse('no challenge', notAccepted)
  const credentialId = Buffer.from(passkey.id, 'base64url')
  const accountId = await findPasskeyHolder(db, { credentialId, rpId: place.rpId })
  const account = accountId === undefined ? undefined : await findAccountToSignIn(db, accountId)
  const device = deviceOf(devices, account)
  const username = account?.username ?? `passkey ${passkey.id}`
  const counted = await countAttempt(db, { username, ip, device, now: clock.now(), secret })
  identify?.({ accountId, signedInBy: undefined })
  if (accountId === undefined) throw refuse('passkey', notAccepted)

  const token = await inTransaction(db, async (tx) => {
    const { now } = tx
    const row = await lockAccountToSignIn(tx, accountId)
    if (!row) throw refuse('passkey', notAccepted, accountId)
    const whose = { browser: hashToken(mark) }
    const asked = { accountId, place, purpose: 'sign-in', whose } as const
    const verdict = await takePasskey(tx, services, passkey, asked)
    if (verdict.is === 'wrong') throw refuse('passkey', notAccepted, accountId)
    if (verdict.is === 'copied') {
      await tellOfUse(tx, services, { accountId, provedBy: 'copied' })
      return undefined
    }
    const reason = await whyRefused({ db: tx, config }, row, { ip }, now)
    if (reason) throw refuse(reason, refusalMessages[reason], accountId)
    if (verdict.withPasswordAt < (row.password_set_at ?? verdict.withPasswordAt))
      throw refuse('password changed since', passwordFirst, accountId)
    const visit = { ip, userAgent, browser }
    return openOwnSession(tx, services, { row, device, ...visit, provedBy: 'passkey' })
  })
  if (token === undefined) {
    log.warn({ cause: 'copied passkey', accountId, ip }, 'sign-in refused')
    throw passkeyCopied()
  }
  await forgiveAttempt(db, counted)
  return { token, accountId }

  function refuse(cause: string, told: string, whose?: number) {
    log.info({ cause, accountId: whose, ip }, 'sign-in refused')
    return invalid({ _form: [told] })
  }
}

const notAccepted = 'The passkey was not accepted. Try again, or sign in with your password.'

const passwordFirst =
  'The password has changed since this passkey was last used with it. Sign in with the password once, and use the passkey after it.'
