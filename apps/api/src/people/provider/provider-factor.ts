/** How far the provider's clock may be off, in seconds. */
export const SKEW_SECONDS = 30

/** How long ago somebody may have signed in at the provider, in seconds: it is asked to let them do so anew otherwise. */
export const MAX_AGE_SECONDS = 10 * 60

/** What `acr` is called after more than one factor: OpenID's own, PAPE's and REFEDS'. */
const OF_MORE_FACTORS: ReadonlySet<unknown> = new Set([
  'phr',
  'phrh',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
  'https://refeds.org/profile/mfa',
])

/**
 * Whether an ID token says that its subject has given more than one factor (`amr` has `mfa`, RFC 8176, or `acr` is known to
 * take it), and at a time that is known (`auth_time`) and not longer ago than {@link MAX_AGE_SECONDS}.
 */
export function hasFreshFactor(claims: Readonly<Record<string, unknown>>, now: Date): boolean {
  const { amr, acr, auth_time: at } = claims
  const isOfMore = (Array.isArray(amr) && amr.includes('mfa')) || OF_MORE_FACTORS.has(acr)
  if (!isOfMore || typeof at !== 'number') return false
  const ago = now.getTime() / 1000 - at
  return ago >= -SKEW_SECONDS && ago <= MAX_AGE_SECONDS + SKEW_SECONDS
}
