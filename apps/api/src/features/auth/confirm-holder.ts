import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { forbidden, invalid, invalidToken } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { verifyPassword } from '../../lib/password.ts'
import { findHolder, lockHolder } from './confirm-holder.queries.ts'
import { countConfirmation, forgiveAttempt } from './sign-in-waits.ts'

/** Within this time after signing in, the password has just been given. */
const freshMs = 10 * 60 * 1000

/** What was confirmed, for {@link stillHolder}. */
type Confirmation = { passwordHash: string }

/**
 * Makes sure that the account's holder is there before they change what gives the account away: a session older than
 * ten minutes needs the current password, too. Slow by intention: do it before a transaction begins.
 *
 * @throws FORBIDDEN for who is signed in as another; VALIDATION_ERROR about `currentPassword`; TOO_MANY_REQUESTS after
 * wrong ones in a row.
 */
export async function confirmHolder(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { accountId, sessionId, signedInBy }: Viewer,
  currentPassword: string,
): Promise<Confirmation> {
  if (signedInBy !== undefined) {
    throw forbidden('Only the holder of this account can change its password and e-mail address.')
  }
  const holder = await findHolder(db, { accountId, sessionId })
  if (!holder) throw invalidToken()
  const { passwordHash, startedAt } = holder
  if (clock.now().getTime() < startedAt.getTime() + freshMs) return { passwordHash }
  if (currentPassword === '') {
    throw invalid({ currentPassword: ['is required, because you signed in a while ago'] })
  }
  const counted = await countConfirmation(db, accountId, clock.now())
  if (!(await verifyPassword(currentPassword, passwordHash))) {
    throw invalid({ currentPassword: ['is not your current password'] })
  }
  await forgiveAttempt(db, counted, clock.now())
  return { passwordHash }
}

/**
 * Holds the account's row until the transaction ends, so that of two changes at once the second one is refused.
 *
 * @throws INVALID_TOKEN when the session has ended, or the password was replaced, since the holder was confirmed.
 */
export async function stillHolder(
  tx: Tx,
  { accountId, sessionId }: Viewer,
  { passwordHash }: Confirmation,
): Promise<void> {
  if (!(await lockHolder(tx, { accountId, sessionId, passwordHash }))) throw invalidToken()
}
