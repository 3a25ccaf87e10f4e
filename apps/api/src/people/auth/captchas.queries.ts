import type { Insertable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Captchas } from '../../db/types.ts'

export async function insertCaptcha(db: Db, captcha: Insertable<Captchas>): Promise<void> {
  await db.insertInto('captchas').values(captcha).execute()
}

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
