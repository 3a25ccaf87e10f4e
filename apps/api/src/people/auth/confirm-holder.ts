import { requireProof, type Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { forbidden, invalid, invalidToken } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { verifyPassword } from '../../lib/password.ts'
import { challengeFor } from '../factors/passkeys.ts'
import type { Place } from '../factors/passkey-place.ts'
import {
  factorNeeded,
  factorsOf,
  type GivenFactor,
  isMissing,
  passkeyCopied,
  takeFactor,
  tellOfUse,
  wrongFactor,
} from '../factors/take-code.ts'
import type { ProvedBy } from '../sessions/open-session.ts'
import { updateProof } from '../sessions/sessions.queries.ts'
import { findHolder, lockHolder } from './confirm-holder.queries.ts'
import { countConfirmation, forgiveAttempt } from './sign-in-waits.ts'

type HolderServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>

/** Proof for {@link stillHolder}. */
type Confirmation = { passwordHash: string }

/**
 * Verifies that the account's holder has entered their password within the last ten minutes, in this session: at
 * sign-in or by {@link proveHolder}. The browser asks for it and repeats the call, so no form needs a field for it.
 * Call this before the transaction, and {@link stillHolder} within it. An endpoint that declares `proof: 'recent'`
 * needs neither, unless it changes the credentials themselves.
 *
 * @throws PROOF_NEEDED; FORBIDDEN after *Sign in as*.
 */
export async function confirmHolder(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
): Promise<Confirmation> {
  requireProof(viewer)
  const { passwordHash } = await getHolder(db, viewer)
  return { passwordHash }
}

/**
 * Renews the proof of a session by the account's password, and its second factor if it has one. This is the only way for a
 * session that a partner system opened to get one.
 *
 * @throws as {@link asHolder}
 */
export const proveHolder = (
  services: HolderServices,
  viewer: Viewer,
  given: Given,
  place: Place,
): Promise<void> =>
  asHolder(services, viewer, { given, place }, (tx, by) =>
    updateProof(tx, viewer.sessionId, { by, at: tx.now }),
  )

/** What a holder enters. Of an account without a second factor, only the password is looked at. */
export type Given = GivenFactor & { password: string }

/**
 * What a passkey signs for {@link asHolder}.
 *
 * @throws FORBIDDEN after *Sign in as*; CONFLICT if none of the account works here
 */
export async function challengeHolder(
  { db, clock, secret }: HolderServices,
  viewer: Viewer,
  place: Place,
) {
  requireOwn(viewer)
  const { accountId } = viewer
  return challengeFor(db, { secret }, { accountId, purpose: 'proof', place }, clock.now())
}

/**
 * Verifies password and second factor of the account's holder, however recently they were entered, and acts in the
 * transaction that has locked its row and consumed the second factor.
 *
 * @throws VALIDATION_ERROR about `password`, `code` or `passkey`; TOO_MANY_REQUESTS after repeated wrong ones; FORBIDDEN after
 * *Sign in as*; INVALID_TOKEN.
 */
export async function asHolder(
  services: HolderServices,
  viewer: Viewer,
  { given, place }: { given: Given; place: Place },
  act: (tx: Tx, provedBy: ProvedBy) => Promise<void>,
): Promise<void> {
  const { db, clock } = services
  requireOwn(viewer)
  const { accountId } = viewer
  const { passwordHash } = await getHolder(db, viewer)
  // A page that doesn't know of the second factor yet has made no wrong guess.
  if (isMissing(given) && (await factorsOf(db, accountId)).length > 0) throw factorNeeded()
  const counted = await countConfirmation(db, accountId, clock.now())
  if (!(await verifyPassword(given.password, passwordHash))) {
    throw invalid({ password: ['is not your password'] })
  }
  const proof = await inTransaction(db, async (tx) => {
    await stillHolder(tx, viewer, { passwordHash })
    const provedBy = await takeFactorOf(tx, services, { accountId, given, place })
    if (provedBy !== 'copied') await act(tx, provedBy)
    await tellOfUse(tx, services, { accountId, provedBy })
    return provedBy
  })
  if (proof === 'copied') throw passkeyCopied()
  await forgiveAttempt(db, counted)
}

async function takeFactorOf(
  tx: Tx,
  services: HolderServices,
  entered: { accountId: number; given: Given; place: Place },
): Promise<ProvedBy | 'copied'> {
  const { accountId, given } = entered
  if ((await factorsOf(tx, accountId)).length === 0) return 'password'
  if (isMissing(given)) throw factorNeeded()
  const provedBy = await takeFactor(tx, services, { ...entered, purpose: 'proof' })
  if (!provedBy) throw invalid(wrongFactor(given))
  return provedBy
}

function requireOwn({ signedInBy }: Viewer): void {
  if (signedInBy !== undefined)
    throw forbidden('You are signed in as somebody else, whose password is not yours to enter.')
}

/**
 * Locks the account's row, so that the second of two concurrent changes is refused.
 *
 * @throws INVALID_TOKEN if the session has ended or the password has changed since the confirmation.
 */
export async function stillHolder(
  tx: Tx,
  { accountId, sessionId }: Viewer,
  { passwordHash }: Confirmation,
): Promise<void> {
  if (!(await lockHolder(tx, { accountId, sessionId, passwordHash }))) throw invalidToken()
}

async function getHolder(db: HolderServices['db'], viewer: Viewer): Promise<Confirmation> {
  const holder = await findHolder(db, viewer)
  if (!holder) throw invalidToken()
  return holder
}
