import type { Insertable } from 'kysely'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'
import { selectAccounts } from '../accounts/index.ts'

/** Why a session ended, as the login logs may tell. One that ran out has no end. */
export type EndReason = 'logout' | 'login-blocked' | 'password-changed'

export async function insertSession(tx: Tx, session: Insertable<DB['sessions']>): Promise<void> {
  await tx.insertInto('sessions').values(session).execute()
}

/** A session that has neither ended nor run out and was used after `seenAfter`, with its account. */
export const findOpenSession = (
  db: Db,
  sessionId: string,
  { now, seenAfter }: { now: Date; seenAfter: Date },
) =>
  selectAccounts(db)
    .innerJoin('sessions', 'sessions.account_id', 'accounts.id')
    .select(['sessions.last_seen_at', 'sessions.signed_in_by'])
    .where('sessions.id', '=', sessionId)
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_seen_at', '>', seenAfter)
    .executeTakeFirst()

export async function updateSessionSeen(db: Db, sessionId: string, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now })
    .where('id', '=', sessionId)
    .where('last_seen_at', '<', now) // requests of one page come together: the latest stays
    .execute()
}

/** Ends one session, or all of some accounts. They are over with the next request, in every process. */
export async function endSessions(
  db: DbOrTx,
  which: { sessionId: string } | { accountIds: readonly number[] },
  { reason, now }: { reason: EndReason; now: Date },
): Promise<void> {
  const end = db
    .updateTable('sessions')
    .set({ ended_at: now, end_reason: reason })
    .where('ended_at', 'is', null)
  await (
    'sessionId' in which
      ? end.where('id', '=', which.sessionId)
      : end.where('account_id', 'in', which.accountIds)
  ).execute()
}
