import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Services } from '../../services.ts'
import { deriveKey } from '../../lib/secrets.ts'
import { recordDevice } from '../hands/record-hand.ts'
import { readCookie, setCookie } from '../sessions/own-cookie.ts'

/** A browser in which the account was signed in to before, by its password, a passkey or the sign-in provider. */
export type KnownDevice = { accountId: number; id: string; signedInAt: Date }

const cookieName = 'device'
/** The maximum lifetime of browser cookies. */
const lifeSeconds = 400 * 24 * 60 * 60
/** If people share a browser, the most recent ones are kept. */
const mostAccounts = 5

/** The cookie's name and path in earlier releases. {@link deviceCookies} replaces it. */
const former = { name: 'device', path: '/api' }

const formerValue = (cookies: string | undefined) =>
  cookies === undefined ? undefined : parseCookie(cookies)[former.name]

type DeviceServices = Pick<Services, 'config' | 'secret' | 'formerSecrets'>

/**
 * The accounts that know this browser, from the cookie of {@link deviceCookies}. Entries with an invalid
 * signature are ignored.
 */
export function knownDevices(
  { config, secret, formerSecrets }: DeviceServices,
  cookies: string | undefined,
): KnownDevice[] {
  const value = readCookie(config, cookieName, cookies) ?? formerValue(cookies)
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
 * Set-Cookie headers that add an account to the known device. The cookie grants no access and only separates the
 * counts of failures.
 */
export function deviceCookies(
  services: DeviceServices & Pick<Services, 'clock'>,
  cookies: string | undefined,
  accountId: number,
): string[] {
  const { config, clock, secret } = services
  const known = knownDevices(services, cookies)
  const present = known.find((device) => device.accountId === accountId)
  const device = {
    accountId,
    id: present?.id ?? randomBytes(12).toString('base64url'),
    signedInAt: clock.now(),
  }
  const others = known.filter((other) => other.accountId !== accountId)
  const value = [device, ...others]
    .slice(0, mostAccounts)
    .map((one) => entryOf(secret, one))
    .join('~')
  return [
    ...(formerValue(cookies) === undefined
      ? []
      : [stringifySetCookie({ ...former, value: '', maxAge: 0 })]),
    setCookie(config, cookieName, value, lifeSeconds),
  ]
}

/** From now on, the browser is one in which the account was signed in to. Returns the token of its session. */
export async function welcome(
  services: DeviceServices & Pick<Services, 'clock' | 'db'>,
  {
    cookies,
    sendHeader,
  }: {
    cookies: string | undefined
    sendHeader: (name: 'set-cookie', value: string | string[]) => void
  },
  { token, accountId }: { token: string; accountId: number },
): Promise<{ token: string }> {
  const at = services.clock.now()
  await recordDevice(services.db, { accountId, at }, knownDevices(services, cookies))
  sendHeader('set-cookie', deviceCookies(services, cookies, accountId))
  return { token }
}

function entryOf(secret: Buffer, { accountId, id, signedInAt }: KnownDevice): string {
  const text = `${accountId}.${id}.${signedInAt.getTime()}`
  return `${text}.${markOf(secret, text)}`
}

const markOf = (secret: Buffer, text: string): string =>
  createHmac('sha256', deriveKey(secret, 'known-device')).update(text).digest('base64url')

const isEqual = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
