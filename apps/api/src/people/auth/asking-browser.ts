import { timingSafeEqual } from 'node:crypto'
import type { Services } from '../../services.ts'
import { hashToken, makeToken } from '../../lib/tokens.ts'
import { sessionLifeMs } from '../sessions/open-session.ts'
import { readCookie, setCookie } from '../sessions/own-cookie.ts'

type Config = Services['config']

const cookieName = 'sign-in-as'

/**
 * Marks the browser that asks for *Sign in as* with a secret of its own. Whoever else gets hold of the link or of the
 * session lacks it, so neither leads them to the superadmin's session.
 */
export function markBrowser(config: Config): { browserHash: Buffer; cookie: string } {
  const secret = makeToken()
  const cookie = setCookie(config, cookieName, secret, sessionLifeMs / 1000)
  return { browserHash: hashToken(secret), cookie }
}

/** Whether this is the browser with that hash. */
export function isAskingBrowser(
  config: Config,
  cookies: string | undefined,
  browserHash: Buffer | null,
): boolean {
  const secret = readCookie(config, cookieName, cookies)
  if (secret === undefined || browserHash === null) return false
  return timingSafeEqual(hashToken(secret), browserHash)
}

/** A Set-Cookie header that removes the mark. */
export const unmarkBrowser = (config: Config): string => setCookie(config, cookieName, '', 0)
