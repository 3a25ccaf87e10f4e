import type { Insertable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'

export async function insertCaptcha(db: Db, captcha: Insertable<DB['captchas']>): Promise<void> {
  await db.insertInto('captchas').values(captcha).execute()
}

/** Removes the captcha and gives it: of several who ask at once, one gets it. */
export const takeCaptcha = (db: Db, id: string) =>
  db
    .deleteFrom('captchas')
    .where('id', '=', id)
    .returning(['answer_hash', 'expires_at'])
    .executeTakeFirst()
