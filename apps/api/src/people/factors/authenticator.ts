import { Secret, TOTP } from 'otpauth'

/** What authenticator apps expect. */
const terms = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** How many periods a phone's clock may be off, either way. */
const STEPS_OFF = 1

/** How long an app can be begun with before its first code. */
export const BEGUN_MS = 30 * 60_000

/** 160 random bits, in base32. */
export const makeAuthenticatorSecret = (): string => new Secret({ size: 20 }).base32

/** What a QR code says to an authenticator app. */
export const authenticatorUri = (
  secret: string,
  { issuer, username }: { issuer: string; username: string },
): string =>
  new TOTP({ ...terms, secret: Secret.fromBase32(secret), issuer, label: username }).toString()

/** Whether a text has the shape of a code of an app. */
export const isAppCode = (text: string): boolean => /^[0-9]{6}$/.test(text)

/**
 * The period of 30 seconds, counted from 1970, whose code this is; undefined unless that is the present one, or one beside it.
 *
 * @param backMs how old the code may be instead
 */
export function stepOf(secret: string, code: string, now: Date, backMs = 0): number | undefined {
  // The library throws at other digits than ours.
  if (!isAppCode(code)) return undefined
  const totp = new TOTP({ ...terms, secret: Secret.fromBase32(secret) })
  const timestamp = now.getTime()
  const window = Math.max(STEPS_OFF, Math.ceil(backMs / (terms.period * 1000)))
  const off = totp.validate({ token: code, timestamp, window })
  return off === null || off > STEPS_OFF ? undefined : totp.counter({ timestamp }) + off
}
