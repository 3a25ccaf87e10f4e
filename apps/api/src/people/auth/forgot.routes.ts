import { forgotEndpoints } from '@tallyroom/contract/people/forgot'
import { publicRoute, type Route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { deviceCookies } from './known-device.ts'
import { type ForgottenPasswords, resetPassword } from './forgot.ts'
import { disownSignIn } from './new-place.ts'

export const forgotRoutes = (services: Services, forgotten: ForgottenPasswords): Route[] => [
  publicRoute(forgotEndpoints.forgot, ({ body, ip }) => forgotten.request({ ...body, ip })),

  publicRoute(forgotEndpoints.forgotWithoutMail, ({ body, ip }) => forgotten.ask({ ...body, ip })),

  publicRoute(forgotEndpoints.resetPassword, async ({ body, cookies, identify, sendHeader }) => {
    const accountId = await resetPassword(services, { ...body, identify })
    // Whoever reads the account's mail is its holder.
    sendHeader('set-cookie', deviceCookies(services, cookies, accountId))
  }),

  publicRoute(forgotEndpoints.disownSignIn, ({ body, identify }) =>
    disownSignIn(services, { ...body, identify }),
  ),
]
