import type { Services } from '../../services.ts'
import { deleteFormerAddresses } from '../addresses/former-addresses.queries.ts'
import { FORMER_ADDRESS_MS } from '../mail/tell-of-change.ts'
import { deleteExpiredCaptchas } from './captchas.queries.ts'
import { deleteExpiredTokens } from './one-time-token.queries.ts'
import { forgetAfterMs } from './sign-in-waits.ts'
import { deleteForgottenWaits } from './sign-in-waits.queries.ts'

/** Deletes expired sign-in data: captchas, tokens, old waits and addresses left long ago. Runs every few minutes. */
export async function purgeSignIn({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await deleteExpiredCaptchas(db, now)
  await deleteExpiredTokens(db, now)
  await deleteForgottenWaits(db, new Date(now.getTime() - forgetAfterMs))
  await deleteFormerAddresses(db, new Date(now.getTime() - FORMER_ADDRESS_MS))
}
