import type { Insertable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'

/** The same image is stored once. */
export async function insertUpload(db: Db, upload: Insertable<DB['uploads']>): Promise<void> {
  await db
    .insertInto('uploads')
    .values(upload)
    .onConflict((conflict) => conflict.column('content_hash').doNothing())
    .execute()
}

export const findUpload = (db: Db, contentHash: string) =>
  db
    .selectFrom('uploads')
    .select(['content', 'media_type'])
    .where('content_hash', '=', contentHash)
    .executeTakeFirst()
