import type { Viewer } from '../../access/viewer.ts'
import type { FindViewer } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { readSessionToken } from '../../lib/tokens.ts'
import { accountOf, whyClosed } from '../accounts/index.ts'
import { sessionIdleMs, seenEveryMs, sessionTokenKey } from './open-session.ts'
import { findOpenSession, updateSessionSeen } from './sessions.queries.ts'

/**
 * Finds who holds a token. The session's row and its account are read each time, so that whatever changes
 * there (ended, blocked, another role, another office) holds from the next request on, in every process.
 */
export function makeFindViewer({
  db,
  clock,
  secret,
}: Pick<Services, 'db' | 'clock' | 'secret'>): FindViewer {
  const key = sessionTokenKey(secret)

  return async function findViewer(
    token,
    { isUnattended } = { isUnattended: false },
  ): Promise<Viewer | undefined> {
    const now = clock.now()
    const sessionId = await readSessionToken(key, token, now)
    if (sessionId === undefined) return undefined
    const seenAfter = new Date(now.getTime() - sessionIdleMs)
    const session = await findOpenSession(db, sessionId, { now, seenAfter })
    if (!session || whyClosed(session, now)) return undefined

    const staleAt = session.last_seen_at.getTime() + seenEveryMs
    if (!isUnattended && now.getTime() >= staleAt) await updateSessionSeen(db, sessionId, now)
    const signedInBy = session.signed_in_by ?? undefined
    // A superadmin who looks in is not asked for the holder's new password.
    const needsNewPassword = session.must_change_password && signedInBy === undefined
    return {
      ...accountOf(session),
      sessionId,
      signedInBy,
      ...(needsNewPassword && { needsNewPassword }),
    }
  }
}
