import { authEndpoints } from '@tallyroom/contract/people/auth'
import { type PublicHandlerInput, publicRoute, type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { subscriberOf } from '../../lib/net/ip-address.ts'
import { endSessions, findOrigin } from '../sessions/sessions.queries.ts'
import { makeCaptchaPace } from './captcha-pace.ts'
import { makeCaptcha, makeQuestion } from './captchas.ts'
import { placeOf } from '../factors/passkey-place.ts'
import { challengeHolder, proveHolder } from './confirm-holder.ts'
import { browserOf } from '../sessions/session-cookie.ts'
import { knownDevices, welcome } from './known-device.ts'
import { challengeStep, enterFactor } from './enter-factor.ts'
import { challengeBrowser, signInByPasskey } from './sign-in-by-passkey.ts'
import { signIn } from './sign-in.ts'

type Visit = Pick<
  PublicHandlerInput<typeof authEndpoints.login>,
  'cookies' | 'fetchSite' | 'origin' | 'host' | 'ip' | 'userAgent' | 'identify' | 'sendHeader'
>

export function authRoutes(services: Services, pace = makeCaptchaPace(services.clock)): Route[] {
  const visitOf = (visit: Visit) => ({
    place: placeOf(services.config, visit.host),
    devices: knownDevices(services, visit.cookies),
    browser: browserOf(services.config, visit),
    ip: visit.ip,
    userAgent: visit.userAgent,
    identify: visit.identify,
  })

  return [
    publicRoute(authEndpoints.captcha, async ({ ip, cookies, query }) => {
      if (services.config.captcha === 'on') {
        // Requests by others behind the same address do not delay a known device.
        const [device] = knownDevices(services, cookies)
        await pace(device ? `device ${device.id}` : subscriberOf(ip))
      }
      return query.as === 'words' ? makeQuestion(services) : makeCaptcha(services)
    }),

    publicRoute(authEndpoints.login, async (input) => {
      const signedIn = await signIn(
        { ...services, log: input.log },
        { ...input.body, ...visitOf(input) },
      )
      if ('step' in signedIn) return { step: signedIn.step, ways: signedIn.ways }
      return welcome(services, input, signedIn)
    }),

    publicRoute(authEndpoints.enterFactor, async (input) => {
      const { step, ...given } = input.body
      const attempt = { step, given, ...visitOf(input) }
      const signedIn = await enterFactor({ ...services, log: input.log }, attempt)
      return welcome(services, input, signedIn)
    }),

    publicRoute(authEndpoints.challengeStep, ({ body: { step }, host }) =>
      challengeStep(services, { step, place: placeOf(services.config, host) }),
    ),

    publicRoute(authEndpoints.challengePasskey, async ({ cookies, host, sendHeader }) => {
      const { challenge, cookie } = challengeBrowser(services, cookies, host)
      sendHeader('set-cookie', cookie)
      return challenge
    }),

    publicRoute(authEndpoints.signInByPasskey, async (input) => {
      const { cookies, body, log } = input
      const attempt = { ...body, cookies, ...visitOf(input) }
      return welcome(services, input, await signInByPasskey({ ...services, log }, attempt))
    }),

    route(authEndpoints.prove, ({ viewer, body, host }) =>
      proveHolder(services, viewer, body, placeOf(services.config, host)),
    ),

    route(authEndpoints.challengeProof, ({ viewer, host }) =>
      challengeHolder(services, viewer, placeOf(services.config, host)),
    ),

    route(authEndpoints.logout, async ({ viewer: { sessionId } }) => {
      const { db, clock } = services
      // After *Sign in as*, logging out also ends the superadmin's own session. `auth/return` switches back
      // instead.
      const ended = (await findOrigin(db, sessionId))?.sessionId ?? sessionId
      await endSessions(db, { sessionId: ended }, { reason: 'logout', now: clock.now() })
    }),
  ]
}
