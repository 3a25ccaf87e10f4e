import { parseCookie, stringifySetCookie } from 'cookie'
import { isLoopback } from '../../config.ts'
import type { Services } from '../../services.ts'

type Config = Pick<Services['config'], 'publicUrl'>

/**
 * The name of a cookie of ours. `__Host-` makes browsers accept it only over HTTPS and from this host itself, not from a
 * sibling domain. On loopback there is no HTTPS, and some browsers would drop the cookie.
 */
const nameOf = (config: Config, name: string): string => (isOpen(config) ? name : `__Host-${name}`)

/** Whether they also go without HTTPS. */
export const isOpen = ({ publicUrl }: Config): boolean =>
  isLoopback(new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1'))

/** The value of a cookie of ours in a Cookie header. */
export const readCookie = (config: Config, name: string, cookies: string | undefined) =>
  cookies === undefined ? undefined : parseCookie(cookies)[nameOf(config, name)]

/** A Set-Cookie header, out of reach of scripts and of requests from other sites. */
export const setCookie = (config: Config, name: string, value: string, lifeSeconds: number) =>
  stringifySetCookie({
    name: nameOf(config, name),
    value,
    path: '/',
    maxAge: lifeSeconds,
    httpOnly: true,
    sameSite: 'strict',
    secure: !isOpen(config),
  })
