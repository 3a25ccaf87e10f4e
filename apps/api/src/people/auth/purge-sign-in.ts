import type { Services } from '../../services.ts'
import { deleteFormerAddresses } from '../addresses/former-addresses.queries.ts'
import { BEGUN_MS } from '../factors/authenticator.ts'
import { deleteBegun } from '../factors/factors.queries.ts'
import { CHALLENGE_MS } from '../factors/passkey-challenge.ts'
import { deleteUsedChallenges } from '../factors/passkeys.queries.ts'
import { FORMER_ADDRESS_MS } from '../mail/tell-holder.ts'
import { deleteExpiredCaptchas } from './captchas.queries.ts'
import { deleteExpiredTokens } from './one-time-token.queries.ts'
import { forgetAfterMs } from './sign-in-waits.ts'
import { deleteForgottenWaits } from './sign-in-waits.queries.ts'

/**
 * Deletes expired sign-in data: captchas, tokens, old waits, authenticator apps without a code, challenges of passkeys and
 * addresses left long ago. Runs every few minutes.
 */
export async function purgeSignIn({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await deleteExpiredCaptchas(db, now)
  await deleteExpiredTokens(db, now)
  await deleteForgottenWaits(db, new Date(now.getTime() - forgetAfterMs))
  await deleteBegun(db, new Date(now.getTime() - BEGUN_MS))
  // The clocks of several processes differ: to one that is behind, a challenge is good for longer.
  await deleteUsedChallenges(db, new Date(now.getTime() - CHALLENGE_MS))
  await deleteFormerAddresses(db, new Date(now.getTime() - FORMER_ADDRESS_MS))
}
