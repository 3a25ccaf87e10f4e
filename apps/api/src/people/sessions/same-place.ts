import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { NO_ADDRESS, subscriberOf } from '../../lib/net/ip-address.ts'
import { describeBrowser } from './own-sessions.ts'
import { findSessionsSince } from './sessions.queries.ts'

/** What two people's sessions have in common: the subscriber's address, and the user agent, as `Chrome on Windows`. */
export type SamePlace = { address: boolean; browser: string | undefined }

/** What the viewer's session has in common with any of another account that was used since then. Nothing for a token, which has none. */
export async function findSamePlace(
  db: DbOrTx,
  { sessionId }: Viewer,
  other: { accountId: number; since: Date },
): Promise<SamePlace> {
  if (sessionId === '') return nothing
  const sessions = await findSessionsSince(db, { sessionId, ...other })
  const own = sessions.find(({ id }) => id === sessionId)
  const others = sessions.filter(({ id }) => id !== sessionId)
  if (!own) return nothing
  const place = subscriberOf(own.ip)
  return {
    address: place !== NO_ADDRESS && others.some(({ ip }) => subscriberOf(ip) === place),
    browser:
      own.user_agent !== '' && others.some(({ user_agent }) => user_agent === own.user_agent)
        ? describeBrowser(own.user_agent)
        : undefined,
  }
}

const nothing: SamePlace = { address: false, browser: undefined }
