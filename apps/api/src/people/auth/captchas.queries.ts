import type { Db } from '../../db/database.ts'

/** Deletes and returns the captcha. Of several concurrent callers, one gets it. */
export const takeCaptcha = (db: Db, id: string) =>
  db
    .deleteFrom('captchas')
    .where('id', '=', id)
    .returning(['answer_hash', 'expires_at'])
    .executeTakeFirst()

export async function deleteExpiredCaptchas(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('captchas').where('expires_at', '<=', now).execute()
}
