import { requireProof, type Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { forbidden, invalid, invalidToken } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { verifyPassword } from '../../lib/password.ts'
import { updateProof } from '../sessions/sessions.queries.ts'
import { findHolder, lockHolder } from './confirm-holder.queries.ts'
import { countConfirmation, forgiveAttempt } from './sign-in-waits.ts'

type HolderServices = Pick<Services, 'db' | 'clock'>

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
export async function confirmHolder({ db }: HolderServices, viewer: Viewer): Promise<Confirmation> {
  requireProof(viewer)
  const { passwordHash } = await getHolder(db, viewer)
  return { passwordHash }
}

/**
 * Renews the proof of a session by the account's password. This is the only way for a session that a partner system
 * opened to get one.
 *
 * @throws VALIDATION_ERROR about `password`; TOO_MANY_REQUESTS after repeated wrong ones; FORBIDDEN after *Sign in as*.
 */
export async function proveHolder(
  { db, clock }: HolderServices,
  viewer: Viewer,
  password: string,
): Promise<void> {
  if (viewer.signedInBy !== undefined) {
    throw forbidden('You are signed in as somebody else, whose password is not yours to enter.')
  }
  const { accountId, sessionId } = viewer
  const { passwordHash } = await getHolder(db, viewer)
  const counted = await countConfirmation(db, accountId, clock.now())
  if (!(await verifyPassword(password, passwordHash))) {
    throw invalid({ password: ['is not your password'] })
  }
  await forgiveAttempt(db, counted)
  await inTransaction(db, async (tx) => {
    await stillHolder(tx, viewer, { passwordHash })
    await updateProof(tx, sessionId, { by: 'password', at: tx.now })
  })
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
