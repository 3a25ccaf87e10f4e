import { remoteLoginEndpoints } from '@tallyroom/contract/people/remote-login'
import { publicRoute, type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { browserOf } from '../sessions/session-cookie.ts'
import { unmarkBrowser } from './asking-browser.ts'
import { loginRemote, returnToOwn, signInAs } from './remote-login.ts'

export const remoteLoginRoutes = (services: Services): Route[] => [
  route(remoteLoginEndpoints.signInAs, async ({ viewer, body, sendHeader }) => {
    const { token, cookie } = await signInAs(services, viewer, body)
    sendHeader('set-cookie', cookie)
    return { token }
  }),

  publicRoute(remoteLoginEndpoints.loginRemote, (input) => {
    const { body, ip, userAgent, cookies, identify, log } = input
    const browser = browserOf(services.config, input)
    const login = { token: body.token, ip, userAgent, cookies, browser, identify }
    return loginRemote({ ...services, log }, login)
  }),

  route(remoteLoginEndpoints.returnToOwn, async ({ viewer, cookies, ip, log, sendHeader }) => {
    const token = await returnToOwn({ ...services, log }, viewer, { cookies, ip })
    sendHeader('set-cookie', unmarkBrowser(services.config))
    return { token }
  }),
]
