import type { Services } from '../../services.ts'
import {
  deleteExpiredCaptchas,
  deleteExpiredTokens,
  deleteForgottenWaits,
} from './purge.queries.ts'
import { forgetAfterMs } from './sign-in-waits.ts'

/** Deletes expired sign-in data: captchas, tokens and old waits. Runs every few minutes. */
export async function purgeSignIn({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await deleteExpiredCaptchas(db, now)
  await deleteExpiredTokens(db, now)
  await deleteForgottenWaits(db, new Date(now.getTime() - forgetAfterMs))
}
