import { forgotEndpoints } from '@tallyroom/contract/forgot'
import { publicRoute, type Route } from '../../http/route.ts'
import type { Services } from '../../http/services.ts'
import { type PasswordMail, resetPassword } from './password-mail.ts'

export const forgotRoutes = (services: Services, passwordMail: PasswordMail): Route[] => [
  publicRoute(forgotEndpoints.forgot, async ({ body, ip }) => {
    await passwordMail.request({ ...body, ip })
    return { ok: true as const }
  }),

  publicRoute(forgotEndpoints.resetPassword, async ({ body, identify }) => {
    await resetPassword(services, { ...body, identify })
    return { ok: true as const }
  }),
]
