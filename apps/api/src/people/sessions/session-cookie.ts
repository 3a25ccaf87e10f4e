import { timingSafeEqual } from 'node:crypto'
import type { Services } from '../../services.ts'
import { hashToken, makeToken } from '../../lib/tokens.ts'
import { type Browser, sessionLifeMs } from './open-session.ts'
import { isOpen, readCookie, setCookie } from './own-cookie.ts'

type Config = Services['config']

const cookieName = 'session-browser'

/** What a call says of its sender. */
export type Sender = {
  /** The raw Cookie header. */
  cookies: string | undefined
  /** `Sec-Fetch-Site`. Browsers send it over HTTPS and on loopback, and scripts in them can't leave it out. */
  fetchSite: string | undefined
  /** Of the page that sends the call. */
  origin: string | undefined
  sendHeader: (name: 'set-cookie', value: string) => void
}

/**
 * The browser that sent a call, by a secret that scripts in it can't read: one for all of its sessions, so that two accounts
 * can be signed in side by side. Undefined for a program, and where a browser wouldn't keep the cookie.
 */
export function browserOf(
  config: Config,
  { cookies, fetchSite, origin, sendHeader }: Sender,
): Browser | undefined {
  if (fetchSite === undefined || !keepsCookies(config, origin)) return undefined
  const present = readCookie(config, cookieName, cookies)
  const secret = present !== undefined && /^[\w-]{32}$/.test(present) ? present : makeToken()
  // As long as any session that is opened now.
  const cookie = setCookie(config, cookieName, secret, sessionLifeMs / 1000)
  return { hash: hashToken(secret), keep: () => sendHeader('set-cookie', cookie) }
}

/** Whether a session that was opened with this hash is used where it was opened. */
export function isWhereOpened(
  config: Config,
  cookies: string | undefined,
  cookieHash: Buffer | null,
): boolean {
  if (cookieHash === null) return true
  const secret = readCookie(config, cookieName, cookies)
  return secret !== undefined && timingSafeEqual(hashToken(secret), cookieHash)
}

/** Past the proxy, as through a tunnel to the machine itself, some browsers drop what is `Secure`. */
const keepsCookies = (config: Config, origin = ''): boolean =>
  isOpen(config) || !origin.startsWith('http:')
