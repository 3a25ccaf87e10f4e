import type { Db } from '../../db/database.ts'

export async function deleteExpiredCaptchas(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('captchas').where('expires_at', '<=', now).execute()
}

export async function deleteExpiredTokens(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sign_in_tokens').where('expires_at', '<=', now).execute()
}

export async function deleteForgottenWaits(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('sign_in_waits').where('last_failure_at', '<', before).execute()
}
