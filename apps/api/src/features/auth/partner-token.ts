import { createSecretKey } from 'node:crypto'
import { errors, jwtVerify } from 'jose'

/** The claims of a partner system's token. `id` is its `jti`, which makes it single-use. */
export type PartnerClaims = { username: string; id: string; expiresAt: Date }

/** How far in the future a partner's token may expire. */
const longestLifeMs = 5 * 60 * 1000

/**
 * Verifies a JWT (HS256) signed by a partner system with the shared secret: `sub` is the username, `jti` any
 * text, `exp` at most five minutes ahead. Undefined for any other token, or if no secret is configured.
 */
export async function readPartnerToken(
  partnerSecret: string | undefined,
  token: string,
  now: Date,
): Promise<PartnerClaims | undefined> {
  if (partnerSecret === undefined) return undefined
  const key = createSecretKey(Buffer.from(partnerSecret))
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      currentDate: now,
      requiredClaims: ['exp', 'sub', 'jti'],
    })
    const { sub: username, jti: id, exp = 0 } = payload
    const expiresAt = new Date(exp * 1000)
    const isGood =
      typeof username === 'string' &&
      typeof id === 'string' &&
      id !== '' &&
      expiresAt.getTime() - now.getTime() <= longestLifeMs
    return isGood ? { username, id, expiresAt } : undefined
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
