import { authEndpoints } from '@tallyroom/contract/people/auth'
import { publicRoute, type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { subscriberOf } from '../../lib/net/ip-address.ts'
import { endSessions, findOrigin } from '../sessions/sessions.queries.ts'
import { makeCaptchaPace } from './captcha-pace.ts'
import { makeCaptcha } from './captchas.ts'
import { recordDevice } from '../hands/record-hand.ts'
import { proveHolder } from './confirm-holder.ts'
import { deviceCookies, knownDevices } from './known-device.ts'
import { signIn } from './sign-in.ts'

export const authRoutes = (services: Services, pace = makeCaptchaPace(services.clock)): Route[] => [
  publicRoute(authEndpoints.captcha, async ({ ip, cookies }) => {
    if (services.config.captcha === 'on') {
      // Requests by others behind the same address do not delay a known device.
      const [device] = knownDevices(services, cookies)
      await pace(device ? `device ${device.id}` : subscriberOf(ip))
    }
    return makeCaptcha(services)
  }),

  publicRoute(
    authEndpoints.login,
    async ({ body, cookies, ip, userAgent, log, identify, sendHeader }) => {
      const devices = knownDevices(services, cookies)
      const visit = { ...body, devices, ip, userAgent, identify }
      const { token, accountId } = await signIn({ ...services, log }, visit)
      await recordDevice(services.db, { accountId, at: services.clock.now() }, devices)
      sendHeader('set-cookie', deviceCookies(services, cookies, accountId))
      return { token }
    },
  ),

  route(authEndpoints.prove, ({ viewer, body }) => proveHolder(services, viewer, body.password)),

  route(authEndpoints.logout, async ({ viewer: { sessionId } }) => {
    const { db, clock } = services
    // After *Sign in as*, logging out also ends the superadmin's own session. `auth/return` switches back
    // instead.
    const ended = (await findOrigin(db, sessionId))?.sessionId ?? sessionId
    await endSessions(db, { sessionId: ended }, { reason: 'logout', now: clock.now() })
  }),
]
