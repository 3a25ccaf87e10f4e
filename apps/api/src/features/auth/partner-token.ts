import { createSecretKey } from 'node:crypto'
import { errors, jwtVerify } from 'jose'

/** What a partner system says. `id` is its `jti`: good once. */
export type PartnerClaims = { username: string; id: string; expiresAt: Date }

/** How far ahead a partner's token may expire. */
const longestLifeMs = 5 * 60 * 1000

/**
 * Reads a JWT (HS256) that a partner system signed with the shared secret: `sub` is the username, `jti` any text,
 * `exp` at most five minutes ahead. Undefined for any other token, and when no secret is shared.
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
