import { createSecretKey } from 'node:crypto'
import { errors, jwtVerify } from 'jose'
import type { Config } from '../../config.ts'

/** The claims of a partner system's token. `id` is its `jti`, which makes it single-use. */
export type PartnerClaims = { username: string; id: string; expiresAt: Date }

type PartnerConfig = Pick<Config, 'partnerSecret' | 'partnerIssuer' | 'publicUrl'>

/** How far in the future a partner's token may expire. */
const longestLifeMs = 5 * 60 * 1000

/** So that no other token signed with the shared secret is taken for a sign-in. */
const tokenType = 'sign-in+jwt'

/**
 * Verifies a JWT (HS256) signed by the partner system with the shared secret: `typ` is `sign-in+jwt`, `iss` the
 * configured issuer, `aud` this installation's public address, `sub` the username, `jti` any text, `exp` at most five
 * minutes ahead. Undefined for any other token, or if no partner is configured.
 */
export async function readPartnerToken(
  { partnerSecret, partnerIssuer, publicUrl }: PartnerConfig,
  token: string,
  now: Date,
): Promise<PartnerClaims | undefined> {
  if (partnerSecret === undefined || partnerIssuer === undefined) return undefined
  const key = createSecretKey(Buffer.from(partnerSecret))
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      currentDate: now,
      typ: tokenType,
      issuer: partnerIssuer,
      audience: publicUrl,
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
