import { inTransaction } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import type { Caller } from '../../http/record-call.ts'
import type { Services } from '../../services.ts'
import { hashPassword, needsRehash, verifyPassword } from '../../lib/password.ts'
import { accountOf, type ClosedReason, whyClosed } from '../accounts/account.ts'
import type { AccountRow } from '../accounts/accounts.queries.ts'
import { isBlacklisted } from '../blacklist/blacklist.ts'
import { openSession } from '../sessions/open-session.ts'
import { requireCaptcha } from './captchas.ts'
import { deviceOf, type KnownDevice } from './known-device.ts'
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
  /** From the browser's cookie. */
  devices?: readonly KnownDevice[]
  /** Called with the account whose password was tried, if it exists, as the common logs record every attempt. */
  identify?: (caller: Caller) => void
}

/**
 * Starts a session if the password is correct.
 *
 * Without the correct password, every refusal has the same text, timing and waits, whether or not the account
 * exists. Only with it may the answer reveal the account's state.
 *
 * @throws VALIDATION_ERROR about `captchaString` or `_form`; TOO_MANY_REQUESTS after repeated failures.
 */
export async function signIn(
  services: SignInServices,
  attempt: SignInAttempt,
): Promise<{ token: string; accountId: number }> {
  const { db, clock, log, secret } = services
  const { password, ip, userAgent } = attempt
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
    const account = accountOf(found)
    const visit = { ip, userAgent, now: tx.now, secret, provedBy: 'password' } as const
    const token = await openSession(tx, { account, ...visit })
    return { token, accountId: found.id }
  })

  function refuse(cause: Refusal) {
    // The username is not logged: it may be a password typed into the wrong field.
    log.info({ cause, accountId: found?.id, ip }, 'sign-in refused')
    return invalid({ _form: [refusalMessages[cause]] })
  }
}

export type Refusal = 'credentials' | 'address' | ClosedReason

export const refusalMessages: Record<Refusal, string> = {
  credentials: 'The username or password is incorrect.',
  unapproved: 'This account is waiting for approval. You can sign in once it has been approved.',
  suspended: 'This account is suspended.',
  blocked: 'Signing in is blocked for this account.',
  address: 'You can’t sign in from this address.',
}

/** Why an account cannot sign in from this address, even with valid credentials. */
export async function whyRefused(
  { db }: Pick<Services, 'db'>,
  account: AccountRow,
  { ip }: { ip: string },
  now: Date,
): Promise<Refusal | undefined> {
  const closed = whyClosed(account, now)
  if (closed) return closed
  // A superadmin must be able to delete a wrong black list entry.
  if (accountOf(account).role === 'superadmin') return undefined
  return (await isBlacklisted(db, ip)) ? 'address' : undefined
}
