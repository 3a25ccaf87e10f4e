import type { Db } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { forgetAfterMs } from './sign-in-waits.ts'

async function deleteExpiredCaptchas(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('captchas').where('expires_at', '<=', now).execute()
}

async function deleteExpiredTokens(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sign_in_tokens').where('expires_at', '<=', now).execute()
}

async function deleteForgottenWaits(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('sign_in_waits').where('last_failure_at', '<', before).execute()
}

/** Deletes expired sign-in data: captchas, tokens and old waits. Runs every few minutes. */
export async function purgeSignIn({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await deleteExpiredCaptchas(db, now)
  await deleteExpiredTokens(db, now)
  await deleteForgottenWaits(db, new Date(now.getTime() - forgetAfterMs))
}
