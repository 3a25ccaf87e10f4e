import type { Factor } from '@tallyroom/domain/factors'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import type { Caller } from '../../http/record-call.ts'
import type { Services } from '../../services.ts'
import { hashPassword, needsRehash, verifyPassword } from '../../lib/password.ts'
import { accountOf, type ClosedReason, whyClosed } from '../accounts/account.ts'
import type { AccountRow } from '../accounts/accounts.queries.ts'
import { isBlacklisted } from '../blacklist/blacklist.ts'
import type { Place } from '../factors/passkey-place.ts'
import { factorsOf } from '../factors/take-code.ts'
import { isProviderOnly } from '../sign-in-rules/sign-in-rules.queries.ts'
import { requireCaptcha } from './captchas.ts'
import type { Connected } from './connect-provider.ts'
import type { Browser } from '../sessions/open-session.ts'
import { deviceOf, type KnownDevice } from './known-device.ts'
import { openOwnSession } from './open-own-session.ts'
import { makeOneTimeToken } from './one-time-token.ts'
import { findAccountByUsername, lockAccount, updatePasswordHash } from './sign-in.queries.ts'
import { countAttempt, forgiveAttempt } from './sign-in-waits.ts'

type SignInServices = Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'secret'>

export type SignInAttempt = {
  username: string
  password: string
  captchaString: string
  captchaCheck: string
  ip: string
  userAgent: string
  place?: Place
  /** Unless a program signs in. */
  browser?: Browser | undefined
  /** From the browser's cookie. */
  devices?: readonly KnownDevice[]
  /** Called with the account whose password was tried, if it exists, as the common logs record every attempt. */
  identify?: (caller: Caller) => void
}

/** A session; for an account with a second factor only a step to it: see `enterFactor`. */
export type SignedIn = { accountId: number; token: string }
export type SignInStep = { accountId: number; step: string; ways: Factor[] }

/** How long a step is valid. */
const stepLifeMs = 5 * 60_000

/**
 * Starts a session if the password is correct. An account with a second factor gets a single-use step instead, which is
 * no session and ends with the account's sessions.
 *
 * Without the correct password, every refusal has the same text, timing and waits, whether or not the account
 * exists. Only with it may the answer reveal the account's state.
 *
 * @throws VALIDATION_ERROR about `captchaString` or `_form`; TOO_MANY_REQUESTS after repeated failures.
 */
export async function signIn(
  services: SignInServices,
  attempt: SignInAttempt,
): Promise<SignedIn | SignInStep> {
  const { db, clock, log, secret } = services
  const { password, ip, userAgent, browser } = attempt
  await requireCaptcha(services, { check: attempt.captchaCheck, answer: attempt.captchaString })

  const found = await findAccountByUsername(db, attempt.username)
  const username = found?.username ?? attempt.username
  const device = deviceOf(attempt.devices ?? [], found)
  const counted = await countAttempt(db, { username, ip, device, now: clock.now(), secret })
  attempt.identify?.({ accountId: found?.id, signedInBy: undefined })
  const isRight = await verifyPassword(password, found?.password_hash)
  if (!found || !isRight) throw refuse('credentials')

  await forgiveAttempt(db, counted)
  const reason = await whyRefused(services, found, attempt, clock.now())
  if (reason) throw refuse(reason)

  const newHash = needsRehash(found.password_hash) ? await hashPassword(password) : undefined
  return inTransaction(db, async (tx) => {
    // From here on, a password change waits for us and then also ends this session.
    if (!(await lockAccount(tx, found.id, found.password_hash))) throw refuse('credentials')
    if (newHash !== undefined) await updatePasswordHash(tx, found.id, newHash)
    const ways = await factorsOf(tx, found.id, attempt.place)
    if (ways.length > 0)
      return { accountId: found.id, step: await makeStep(tx, found.id, 'second-factor'), ways }
    const visit = { row: found, device, ip, userAgent, browser, provedBy: 'password' } as const
    return { token: await openOwnSession(tx, services, visit), accountId: found.id }
  })

  function refuse(cause: Refusal) {
    // The username is not logged: it may be a password typed into the wrong field.
    log.info({ cause, accountId: found?.id, ip }, 'sign-in refused')
    return invalid({ _form: [refusalMessages[cause]] })
  }
}

/** What a step follows: the password, or the sign-in at the provider. */
export const STEP_PURPOSES = ['second-factor', 'provider-factor'] as const
export type StepPurpose = (typeof STEP_PURPOSES)[number]

/** @param connects whom the provider means, if the account is to be connected once the factor was given */
export const makeStep = (
  tx: Tx,
  accountId: number,
  purpose: StepPurpose,
  connects?: Connected,
): Promise<string> =>
  makeOneTimeToken(tx, {
    purpose,
    accountId,
    expiresAt: new Date(tx.now.getTime() + stepLifeMs),
    sentTo: connects && JSON.stringify(connects),
  })

export type Refusal = 'credentials' | 'address' | 'provider' | ClosedReason

export const refusalMessages: Record<Refusal, string> = {
  credentials: 'The username or password is incorrect.',
  invited: 'This account has no password yet. Its holder has to be invited to choose one.',
  unapproved: 'This account is waiting for approval. You can sign in once it has been approved.',
  suspended: 'This account is suspended.',
  blocked: 'Signing in is blocked for this account.',
  address: 'You can’t sign in from this address.',
  provider: 'Staff sign in only through the provider here. Use its button below the form.',
}

/** Why an account cannot sign in from this address, even with valid credentials. */
export async function whyRefused(
  { db, config }: { db: DbOrTx; config: Pick<Services['config'], 'provider'> },
  account: AccountRow,
  { ip, byProvider = false }: { ip: string; byProvider?: boolean },
  now: Date,
): Promise<Refusal | undefined> {
  const closed = whyClosed(account, now)
  if (closed) return closed
  const { role } = accountOf(account)
  const isStaff = role === 'superadmin' || role === 'admin'
  // Without a provider, the rule would lock all of them out.
  if (isStaff && !byProvider && config.provider && (await isProviderOnly(db))) return 'provider'
  // A superadmin must be able to delete a wrong black list entry.
  if (role === 'superadmin') return undefined
  return (await isBlacklisted(db, ip)) ? 'address' : undefined
}
