import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'

/** A mail that a process has leased. */
export type LeasedMail = Selectable<DB['mails']>

export async function insertMails(
  tx: Tx,
  mails: readonly Insertable<DB['mails']>[],
): Promise<void> {
  for (let at = 0; at < mails.length; at += AT_ONCE)
    await tx
      .insertInto('mails')
      .values(mails.slice(at, at + AT_ONCE))
      .execute()
}

/** Rows for each insert: PostgreSQL allows 65,535 parameters in a statement. */
const AT_ONCE = 1000

/**
 * The next mail that is due and that no process is sending, leased to the caller until `until`. After that, any process
 * may send it.
 */
export const leaseDueMail = (
  db: Db,
  { now, until }: { now: Date; until: Date },
): Promise<LeasedMail | undefined> =>
  db
    .updateTable('mails')
    .set((eb) => ({ next_try_at: until, tries: eb('tries', '+', 1) }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('mails')
        .select('id')
        .where('next_try_at', '<=', now)
        .orderBy('next_try_at')
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()

/** Changes a mail unless its lease has ended and another process has taken it. */
export async function updateLeased(
  db: Db,
  { id, next_try_at: lease }: LeasedMail,
  change: Partial<Pick<LeasedMail, 'next_try_at' | 'sealed_text' | 'sealed_html' | 'sent_at'>>,
): Promise<void> {
  await db
    .updateTable('mails')
    .set(change)
    .where('id', '=', id)
    .where('next_try_at', '=', lease)
    .execute()
}

/** Deletes what was written before and is sent or given up. */
export async function deleteDoneMails(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('mails')
    .where('written_at', '<', before)
    .where('next_try_at', 'is', null)
    .execute()
}
