import type { Insertable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'

export async function insertCaptcha(db: Db, captcha: Insertable<DB['captchas']>): Promise<void> {
  await db.insertInto('captchas').values(captcha).execute()
}

/** Deletes and returns the captcha. Of several concurrent callers, one gets it. */
export const takeCaptcha = (db: Db, id: string) =>
  db
    .deleteFrom('captchas')
    .where('id', '=', id)
    .returning(['answer_hash', 'expires_at'])
    .executeTakeFirst()
