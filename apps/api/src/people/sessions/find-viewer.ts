import { TOKEN_PREFIX } from '@tallyroom/contract/token-groups'
import { permissionsOf } from '@tallyroom/domain/abilities'
import type { Viewer } from '../../access/viewer.ts'
import type { FindViewer } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { readSessionToken } from '../../lib/tokens.ts'
import { accountOf, whyClosed } from '../accounts/account.ts'
import { provedForMs, seenEveryMs, sessionIdleMs, sessionTokenKey } from './open-session.ts'
import { lacksFactor } from '../sign-in-rules/must-have-factor.ts'
import { findTokenViewer } from '../tokens/find-token-viewer.ts'
import { isWhereOpened } from './session-cookie.ts'
import { findOpenSession, updateSessionSeen } from './sessions.queries.ts'

/**
 * Finds the holder of a session's token or of one for programs. Reads the session and its account each time, so that changes (ended, blocked,
 * another role or office) take effect on the next request in every process.
 */
export function makeFindViewer({
  config,
  db,
  clock,
  log,
  secret,
}: Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'secret'>): FindViewer {
  const key = sessionTokenKey(secret)

  return async function findViewer(
    token,
    { isUnattended, ip = '127.0.0.1', cookies } = { isUnattended: false },
  ): Promise<Viewer | undefined> {
    if (token.startsWith(TOKEN_PREFIX)) return findTokenViewer({ db, clock }, token, ip)
    const now = clock.now()
    const sessionId = await readSessionToken(key, token, now)
    if (sessionId === undefined) return undefined
    const seenAfter = new Date(now.getTime() - sessionIdleMs)
    const session = await findOpenSession(db, sessionId, { now, seenAfter })
    if (!session || whyClosed(session, now)) return undefined
    if (!isWhereOpened(config, cookies, session.cookie_hash)) {
      log.warn({ cause: 'session cookie', accountId: session.id, sessionId, ip }, 'call refused')
      return undefined
    }

    const staleAt = session.last_seen_at.getTime() + seenEveryMs
    if (!isUnattended && now.getTime() >= staleAt) await updateSessionSeen(db, sessionId, now)
    const signedInBy = session.signed_in_by ?? undefined
    const account = accountOf(session)
    const behind =
      signedInBy === undefined ? account : ({ ...superadmin, accountId: signedInBy } as const)
    const lacks =
      !isVouchedFor(session) && (await lacksFactor(db, { rules: session, holder: behind, now }))
    // A superadmin's own session leads them to a factor, and those in which they are somebody else wait for it.
    if (lacks && signedInBy !== undefined) return undefined
    // After *Sign in as*, the superadmin need not change the holder's password.
    const needsNewPassword = session.must_change_password && signedInBy === undefined
    const provedUntil = (session.proved_at?.getTime() ?? -Infinity) + provedForMs
    return {
      ...account,
      sessionId,
      signedInBy,
      ...(session.proved_at && { isOwnSession: true }),
      ...(session.by_partner && { byPartner: true }),
      ...(session.provider_factor !== null && { byProvider: true }),
      ...(now.getTime() < provedUntil && { isProved: true }),
      ...(needsNewPassword && { needsNewPassword }),
      ...(lacks && !needsNewPassword && { needsFactor: true }),
    }
  }
}

/** Whether somebody else has looked after the second factor of a session, or of the one that *Sign in as* came from. */
function isVouchedFor(session: {
  by_partner: boolean
  proved_at: Date | null
  signed_in_by: number | null
  provider_factor: boolean | null
  origin_provider_factor: boolean | null
}): boolean {
  // Whoever came by a partner is asked once they enter their password, which is all that a factor is added to.
  if (session.by_partner && !session.proved_at) return true
  const own = session.signed_in_by === null
  return (own ? session.provider_factor : session.origin_provider_factor) === true
}

/** Only superadmins sign in as somebody else. */
const superadmin = {
  role: 'superadmin',
  permissions: permissionsOf({ role: 'superadmin', permissions: [] }),
} as const
