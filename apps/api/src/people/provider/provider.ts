import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type ServerMetadata,
} from 'openid-client'
import type { Config } from '../../config.ts'
import { systemClock } from '../../lib/clock.ts'
import { parseAllowedTargets, placeOfUrl } from '../../lib/net/public-address.ts'
import { makeSafeFetch } from '../../lib/net/safe-fetch.ts'
import { sharedFor } from '../../lib/shared-for.ts'
import type { Services } from '../../services.ts'
import type { ProviderSubject } from '../factors/provider-links.queries.ts'
import { hasFreshFactor, MAX_AGE_SECONDS, SKEW_SECONDS } from './provider-factor.ts'

/** The page to which the provider sends browsers back. */
const RETURN_PATH = '/sign-in/provider'

/** How long what the provider says about itself is kept. */
const KNOWN_MS = 10 * 60_000

/** What binds a sign-in at the provider to the browser that began it. */
export type Bond = { state: string; nonce: string; verifier: string }

/** Somebody who has signed in at the provider. */
export type ProviderIdentity = ProviderSubject & {
  /** Whether the provider says that it has just asked for a second factor. */
  hasFactor: boolean
  /** Their address, if the provider has verified it. */
  findEmail: () => Promise<string | undefined>
}

/** The sign-in provider. Both calls reject if it does not answer, or not as OpenID Connect has it. */
export type Provider = {
  name: string
  /** Where the browser signs in. */
  urlFor: (bond: Bond) => Promise<string>
  /** Who has signed in there, by the code that the browser came back with. */
  identify: (
    sent: { code: string; iss?: string | undefined },
    bond: Bond,
  ) => Promise<ProviderIdentity>
}

/** The provider that is configured, if one is. It is asked when somebody signs in, and never before. */
export function makeProvider({
  config,
  clock,
}: Pick<Services, 'config' | 'clock'>): Provider | undefined {
  const { provider, publicUrl } = config
  if (!provider) return undefined
  const { issuer, clientId, clientSecret, name } = provider
  const returnUrl = `${publicUrl}${RETURN_PATH}`
  const ask = fetchFor(config, issuer)
  const insecure = issuer.startsWith('http:') ? [allowInsecureRequests] : []

  const known = sharedFor(
    KNOWN_MS,
    async (): Promise<ServerMetadata> => {
      const options = { [customFetch]: ask, execute: insecure }
      const found = await discovery(new URL(issuer), clientId, undefined, undefined, options)
      const server = found.serverMetadata()
      // Some providers of many networks have one for all of them, in which each could name another's people.
      if (new URL(server.issuer).href !== new URL(issuer).href)
        throw new Error(`${issuer} calls itself ${server.issuer}`)
      return server
    },
    { clock },
  )

  async function configure(): Promise<Configuration> {
    const server = await known()
    const skew = Math.round((clock.now().getTime() - systemClock.now().getTime()) / 1000)
    const metadata = { [clockSkew]: skew, [clockTolerance]: SKEW_SECONDS }
    // In the body, every provider reads the secret alike; Basic is what all of them must have.
    const methods = server.token_endpoint_auth_methods_supported
    const auth = methods?.includes('client_secret_post') ? ClientSecretPost : ClientSecretBasic
    const made = new Configuration(server, clientId, metadata, auth(clientSecret))
    made[customFetch] = ask
    for (const allow of insecure) allow(made)
    // The signature of what it says counts, and not only whose server has said it.
    enableNonRepudiationChecks(made)
    return made
  }

  return {
    name,

    urlFor: async ({ state, nonce, verifier }) => {
      const url = buildAuthorizationUrl(await configure(), {
        redirect_uri: returnUrl,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        max_age: String(MAX_AGE_SECONDS),
      })
      return url.href
    },

    identify: async ({ code, iss }, { state, nonce, verifier }) => {
      const made = await configure()
      const returned = new URL(returnUrl)
      const sent = { code, state, ...(iss !== undefined && { iss }) }
      returned.search = new URLSearchParams(sent).toString()
      const answer = await authorizationCodeGrant(made, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = answer.claims()
      if (!claims) throw new Error('the provider sent no ID token')
      return {
        issuer: claims.iss,
        subject: claims.sub,
        hasFactor: hasFreshFactor(claims, clock.now()),
        findEmail: async () => {
          const { userinfo_endpoint: more } = made.serverMetadata()
          const isSaid = claims['email'] !== undefined && claims['email_verified'] !== undefined
          const isKnown = isSaid || more === undefined
          return verifiedOf(
            isKnown ? claims : await fetchUserInfo(made, answer.access_token, claims.sub),
          )
        },
      }
    },
  }
}

function verifiedOf(claims: Record<string, unknown>): string | undefined {
  const { email, email_verified: isVerified } = claims
  return isVerified === true && typeof email === 'string' && email !== '' ? email : undefined
}

/**
 * A fetch with the rules of {@link makeSafeFetch}. The operator has named the issuer, so its own server may be inside;
 * what it names in turn is reached as what superadmins enter.
 */
function fetchFor({ webhookAllow }: Pick<Config, 'webhookAllow'>, issuer: string): CustomFetch {
  const { origin } = new URL(issuer)
  const { port } = placeOfUrl(new URL(issuer))
  const anywhere = parseAllowedTargets(`0.0.0.0/0:${port}, [::]/0:${port}`) ?? webhookAllow
  const [own, other] = [makeSafeFetch(anywhere), makeSafeFetch(webhookAllow)]
  return async (url, { method, headers, body }) => {
    const isOwn = new URL(url).origin === origin
    const text = body instanceof URLSearchParams ? body.toString() : body
    const answer = await (isOwn ? own : other)(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(typeof text === 'string' && { body: text }),
    })
    return new Response(new Uint8Array(answer.body), {
      status: answer.status,
      headers: { 'content-type': answer.headers['content-type'] ?? '' },
    })
  }
}
