import type { Services } from '../../services.ts'
import { deleteExpiredCaptchas } from './captchas.queries.ts'
import { deleteExpiredTokens } from './one-time-token.queries.ts'
import { forgetAfterMs } from './sign-in-waits.ts'
import { deleteForgottenWaits } from './sign-in-waits.queries.ts'

/** Deletes expired sign-in data: captchas, tokens and old waits. Runs every few minutes. */
export async function purgeSignIn({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await deleteExpiredCaptchas(db, now)
  await deleteExpiredTokens(db, now)
  await deleteForgottenWaits(db, new Date(now.getTime() - forgetAfterMs))
}
