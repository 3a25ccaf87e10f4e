import Bowser from 'bowser'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { forbidden, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { sessionIdleMs } from './open-session.ts'
import { endSessions, findOwnSessions } from './sessions.queries.ts'

type SessionServices = Pick<Services, 'db' | 'clock'>

/** The open sessions of the viewer's account that the holder started. */
export async function listOwnSessions({ db, clock }: SessionServices, viewer: Viewer) {
  const sessions = await openSessionsOf(db, viewer, clock.now())
  return sessions.map((session) => ({
    id: session.id,
    ip: session.ip,
    browser: describeBrowser(session.user_agent),
    startedAt: session.started_at.toISOString(),
    lastUsedAt: session.last_seen_at.toISOString(),
    provedBy:
      session.proved_by ?? (session.provider_factor === null ? null : ('provider' as const)),
    isCurrent: session.id === viewer.sessionId,
  }))
}

/**
 * Ends one of the viewer's own sessions, or all except the current one, with the *Sign in as* sessions started
 * from them.
 *
 * @throws FORBIDDEN after *Sign in as*; NOT_FOUND for a session that is not the viewer's own.
 */
export async function endOwnSessions(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  which: { id: string } | 'others',
): Promise<void> {
  if (viewer.signedInBy !== undefined) {
    throw forbidden('Only the holder of this account can end its sessions.')
  }
  await inTransaction(db, async (tx) => {
    const { now } = tx
    const own = await openSessionsOf(tx, viewer, now)
    const ended = own.filter(({ id }) =>
      which === 'others' ? id !== viewer.sessionId : id === which.id,
    )
    if (which !== 'others' && ended.length === 0) throw notFound('session')
    for (const { id } of ended) {
      await endSessions(tx, { sessionId: id }, { reason: 'ended-by-holder', now })
    }
  })
}

const openSessionsOf = (db: DbOrTx, { accountId }: Viewer, now: Date) =>
  findOwnSessions(db, accountId, { now, seenAfter: new Date(now.getTime() - sessionIdleMs) })

/** The parser takes any text before a slash for a browser's name, and mails to the holder say it. */
const KNOWN_BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP))

/** A readable user agent: `Chrome on Windows`. */
export function describeBrowser(userAgent: string): string {
  if (userAgent === '') return 'Unknown browser'
  const { browser, os } = Bowser.parse(userAgent)
  const name = browser.name && KNOWN_BROWSERS.has(browser.name) ? browser.name : 'Unknown browser'
  return os.name ? `${name} on ${os.name}` : name
}
