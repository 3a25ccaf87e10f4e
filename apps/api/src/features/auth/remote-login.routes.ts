import { remoteLoginEndpoints } from '@tallyroom/contract/remote-login'
import { publicRoute, type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { loginRemote, returnToOwn, signInAs } from './remote-login.ts'

export const remoteLoginRoutes = (services: Services): Route[] => [
  route(remoteLoginEndpoints.signInAs, ({ viewer, body }) => signInAs(services, viewer, body)),

  publicRoute(remoteLoginEndpoints.loginRemote, ({ body, ip, userAgent, identify, log }) =>
    loginRemote({ ...services, log }, { token: body.token, ip, userAgent, identify }),
  ),

  route(remoteLoginEndpoints.returnToOwn, ({ viewer }) => returnToOwn(services, viewer)),
]
