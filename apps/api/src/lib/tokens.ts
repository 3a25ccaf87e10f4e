import { createHash, type KeyObject, randomBytes } from 'node:crypto'
import type { RoleNumber } from '@tallyroom/domain/roles'
import { errors, jwtVerify, SignJWT } from 'jose'

/**
 * The claims of a session token. Only `sid` is trusted; the rest is informative, and the server reads it from
 * the database on each request.
 */
export type SessionClaims = {
  /** The id of the session's row. */
  sid: string
  accountId: number
  agentId: number | null
  companyId: number | null
  role: RoleNumber
}

const algorithm = 'HS256'

/** `expiresAt` is rounded down to whole seconds. */
export function signSessionToken(
  key: KeyObject,
  claims: SessionClaims,
  { issuedAt, expiresAt }: { issuedAt: Date; expiresAt: Date },
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(key)
}

/** The session's id; undefined if the token is not signed with this key, was altered or has expired. */
export async function readSessionToken(
  key: KeyObject,
  token: string,
  now: Date,
): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      currentDate: now,
      requiredClaims: ['exp', 'sid'],
    })
    return typeof payload['sid'] === 'string' ? payload['sid'] : undefined
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/** An unguessable single-use token of 32 characters. Only its hash is stored. */
export const makeToken = (): string => randomBytes(24).toString('base64url')

/** A fast hash is enough: unlike a password, a token of 192 bits cannot be brute-forced. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
