import { requestFor } from '@tallyroom/contract/messages'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { forbidden, invalid, invalidToken } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { verifyPassword } from '../../lib/password.ts'
import { findHolder, lockHolder } from './confirm-holder.queries.ts'
import { countConfirmation, forgiveAttempt } from './sign-in-waits.ts'

/** The password counts as just entered within this time after sign-in. */
const freshMs = 10 * 60 * 1000

/** Proof for {@link stillHolder}. */
type Confirmation = { passwordHash: string }

/**
 * Verifies that the account holder is present before they change their credentials: a session older than ten
 * minutes also needs the current password. Deliberately slow: call it before the transaction.
 *
 * @throws FORBIDDEN after *Sign in as*; VALIDATION_ERROR about `currentPassword`; TOO_MANY_REQUESTS after
 * repeated wrong passwords.
 */
export async function confirmHolder(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { accountId, sessionId, signedInBy }: Viewer,
  currentPassword: string,
): Promise<Confirmation> {
  if (signedInBy !== undefined) {
    throw forbidden('Only the holder of this account can change its password and email address.')
  }
  const holder = await findHolder(db, { accountId, sessionId })
  if (!holder) throw invalidToken()
  const { passwordHash, startedAt } = holder
  if (clock.now().getTime() < startedAt.getTime() + freshMs) return { passwordHash }
  if (currentPassword === '') {
    throw invalid({
      currentPassword: [`${requestFor('currentPassword')}, because you signed in a while ago`],
    })
  }
  const counted = await countConfirmation(db, accountId, clock.now())
  if (!(await verifyPassword(currentPassword, passwordHash))) {
    throw invalid({ currentPassword: ['is not your current password'] })
  }
  await forgiveAttempt(db, counted, clock.now())
  return { passwordHash }
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
