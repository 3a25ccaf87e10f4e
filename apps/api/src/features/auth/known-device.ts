import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Services } from '../../services.ts'
import { deriveKey } from '../../lib/secrets.ts'

/** A browser in which the account's password was entered before. */
export type KnownDevice = { accountId: number; id: string; signedInAt: Date }

const cookieName = 'device'
/** The maximum lifetime of browser cookies. */
const lifeSeconds = 400 * 24 * 60 * 60
/** If people share a browser, the most recent ones are kept. */
const mostAccounts = 5

/**
 * The accounts that know this browser, from the cookie of {@link deviceCookie}. Entries with an invalid
 * signature are ignored.
 */
export function knownDevices(
  { secret, formerSecrets }: Pick<Services, 'secret' | 'formerSecrets'>,
  cookies: string | undefined,
): KnownDevice[] {
  const value = cookies === undefined ? undefined : parseCookie(cookies)[cookieName]
  if (value === undefined) return []
  return value.split('~', mostAccounts).flatMap((entry) => {
    const [, text = '', accountId, id = '', ms, mark = ''] =
      /^((\d{1,15})\.([\w-]{16})\.(\d{1,15}))\.([\w-]{43})$/.exec(entry) ?? []
    const isOurs = [secret, ...formerSecrets].some((one) => isEqual(markOf(one, text), mark))
    return isOurs ? [{ accountId: Number(accountId), id, signedInAt: new Date(Number(ms)) }] : []
  })
}

/**
 * The known device of an account, unless the password has changed since: whoever knew the old one is a stranger
 * again.
 */
export const deviceOf = (
  devices: readonly KnownDevice[],
  account: { id: number; password_set_at: Date | null } | undefined,
): KnownDevice | undefined =>
  devices.find(
    ({ accountId, signedInAt }) =>
      accountId === account?.id &&
      signedInAt.getTime() >= (account.password_set_at?.getTime() ?? 0),
  )

/**
 * A Set-Cookie header that adds an account to the known device. The cookie is HttpOnly and SameSite. It grants
 * no access and only separates the counts of failures.
 */
export function deviceCookie(
  {
    config,
    clock,
    secret,
    formerSecrets,
  }: Pick<Services, 'config' | 'clock' | 'secret' | 'formerSecrets'>,
  cookies: string | undefined,
  accountId: number,
): string {
  const known = knownDevices({ secret, formerSecrets }, cookies)
  const present = known.find((device) => device.accountId === accountId)
  const device = {
    accountId,
    id: present?.id ?? randomBytes(12).toString('base64url'),
    signedInAt: clock.now(),
  }
  const others = known.filter((other) => other.accountId !== accountId)
  return stringifySetCookie({
    name: cookieName,
    value: [device, ...others]
      .slice(0, mostAccounts)
      .map((one) => entryOf(secret, one))
      .join('~'),
    path: '/api',
    maxAge: lifeSeconds,
    httpOnly: true,
    sameSite: 'strict',
    secure: config.publicUrl.startsWith('https:'),
  })
}

function entryOf(secret: Buffer, { accountId, id, signedInAt }: KnownDevice): string {
  const text = `${accountId}.${id}.${signedInAt.getTime()}`
  return `${text}.${markOf(secret, text)}`
}

const markOf = (secret: Buffer, text: string): string =>
  createHmac('sha256', deriveKey(secret, 'known-device')).update(text).digest('base64url')

const isEqual = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
