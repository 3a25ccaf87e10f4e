import type { FieldMessages } from '@tallyroom/contract/errors'
import { inTransaction } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import type { Caller } from '../../http/record-call.ts'
import { hashToken } from '../../lib/tokens.ts'
import type { Services } from '../../services.ts'
import { challengeFor } from '../factors/passkeys.ts'
import type { Place } from '../factors/passkey-place.ts'
import {
  factorNeeded,
  type GivenFactor,
  isMissing,
  passkeyCopied,
  takeFactor,
  tellOfUse,
  wrongFactor,
} from '../factors/take-code.ts'
import type { Browser } from '../sessions/open-session.ts'
import { type Connected, connectProvider } from './connect-provider.ts'
import { deviceOf, type KnownDevice } from './known-device.ts'
import { tellOfNewPlace } from './new-place.ts'
import { findToken, takeToken } from './one-time-token.queries.ts'
import { openOwnSession } from './open-own-session.ts'
import { refusalMessages, type SignedIn, STEP_PURPOSES, whyRefused } from './sign-in.ts'
import { findAccountToSignIn, lockAccountToSignIn } from './sign-in.queries.ts'
import { countFactor, forgiveAttempt } from './sign-in-waits.ts'

type FactorServices = Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'secret' | 'formerSecrets'>

export type FactorAttempt = {
  /** From `signIn` or `signInByProvider`. What is wrong does not consume it. */
  step: string
  given: GivenFactor
  place: Place
  ip: string
  userAgent: string
  /** Unless a program signs in. */
  browser?: Browser | undefined
  /** From the browser's cookie. */
  devices?: readonly KnownDevice[]
  identify?: (caller: Caller) => void
}

/**
 * Starts a session if a step is valid and the second factor is right. What `signIn` looked at is looked at again, as minutes
 * may lie between the two.
 *
 * @throws VALIDATION_ERROR about `code` or `passkey`, or about `_form` if there is no such step any more; TOO_MANY_REQUESTS
 * after repeated wrong ones.
 */
export async function enterFactor(
  services: FactorServices,
  { step, given, place, ip, userAgent, browser, devices = [], identify }: FactorAttempt,
): Promise<SignedIn> {
  const { config, db, clock, log } = services
  const found = await findStep(db, step, clock.now())
  if (!found) throw tooLate()
  if (isMissing(given)) throw factorNeeded()
  const { accountId, which } = found
  const byProvider = which.purpose === 'provider-factor'
  identify?.({ accountId, signedInBy: undefined })
  const device = deviceOf(devices, await findAccountToSignIn(db, accountId))
  const counted = await countFactor(db, accountId, { device, now: clock.now() })

  let isWrong = false
  const token = await inTransaction(db, async (tx) => {
    const { now } = tx
    isWrong = false
    const row = await lockAccountToSignIn(tx, accountId)
    const taken = row && (await takeToken(tx, { ...which, now }))
    if (!taken) throw tooLate()
    const reason = await whyRefused({ db: tx, config }, row, { ip, byProvider }, now)
    if (reason) throw refuse(reason, { _form: [refusalMessages[reason]] })
    const provedBy = await takeFactor(tx, services, { accountId, given, purpose: 'step', place })
    isWrong = !provedBy && !given.passkey
    if (!provedBy) throw refuse('second factor', wrongFactor(given))
    if (provedBy === 'copied') {
      await tellOfUse(tx, services, { accountId, provedBy })
      return undefined
    }
    const opened = await openOwnSession(tx, services, {
      row,
      device,
      ip,
      userAgent,
      browser,
      ...(byProvider ? { providerFactor: true } : { provedBy }),
    })
    await tellOfUse(tx, services, { accountId, provedBy })
    if (byProvider && taken.sentTo !== null) {
      const connects = JSON.parse(taken.sentTo) as Connected // as `makeStep` wrote it
      if (!(await connectProvider(tx, services, { ...connects, accountId }))) throw tooLate()
    }
    return opened
  }).catch(async (error: unknown) => {
    // By now the attempt is rolled back, and the step is good for another one.
    if (isWrong && !device && !byProvider) await tellOfWrongCode()
    throw error
  })
  if (token === undefined) {
    log.warn({ cause: 'copied passkey', accountId, ip }, 'sign-in refused')
    throw passkeyCopied()
  }
  await forgiveAttempt(db, counted)
  return { token, accountId }

  function tellOfWrongCode() {
    return inTransaction(db, async (tx) => {
      await lockAccountToSignIn(tx, accountId)
      await tellOfNewPlace(tx, services, { accountId, happened: 'wrong code', ip, userAgent })
    })
  }

  function refuse(cause: string, told: FieldMessages) {
    log.info({ cause, accountId, ip }, 'sign-in refused')
    return invalid(told)
  }
}

/**
 * What a passkey signs for {@link enterFactor}.
 *
 * @throws VALIDATION_ERROR about `_form` if there is no such step; CONFLICT if none of the account works here
 */
export async function challengeStep(
  { db, clock, secret }: Pick<FactorServices, 'db' | 'clock' | 'secret'>,
  { step, place }: Pick<FactorAttempt, 'step' | 'place'>,
) {
  const now = clock.now()
  const found = await findStep(db, step, now)
  if (!found) throw tooLate()
  const { accountId } = found
  return challengeFor(db, { secret }, { accountId, purpose: 'step', place }, now)
}

async function findStep(db: FactorServices['db'], step: string, now: Date) {
  const hash = hashToken(step)
  for (const purpose of STEP_PURPOSES) {
    const found = await findToken(db, { hash, purpose, now })
    if (found) return { which: { hash, purpose }, accountId: found.accountId }
  }
  return undefined
}

const tooLate = () => invalid({ _form: ['This took too long. Please sign in again.'] })
