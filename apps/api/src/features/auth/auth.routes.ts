import { authEndpoints } from '@tallyroom/contract/auth'
import { publicRoute, type Route, route } from '../../http/route.ts'
import type { Services } from '../../http/services.ts'
import { endSessions, findOrigin } from '../sessions/index.ts'
import { makeCaptcha } from './captchas.ts'
import { signIn } from './sign-in.ts'

export const authRoutes = (services: Services): Route[] => [
  publicRoute(authEndpoints.captcha, () => makeCaptcha(services)),

  publicRoute(authEndpoints.login, ({ body, ip, userAgent, log, identify }) =>
    signIn({ ...services, log }, { ...body, ip, userAgent, identify }),
  ),

  route(authEndpoints.logout, async ({ viewer: { sessionId } }) => {
    const { db, clock } = services
    // Who signed in as another leaves altogether; `auth/return` leads back instead.
    const ended = (await findOrigin(db, sessionId)) ?? sessionId
    await endSessions(db, { sessionId: ended }, { reason: 'logout', now: clock.now() })
    return { ok: true as const }
  }),
]
