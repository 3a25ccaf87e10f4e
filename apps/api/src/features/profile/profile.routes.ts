import { profileEndpoints } from '@tallyroom/contract/profile'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../http/services.ts'
import {
  getAdminProfile,
  getCompanyProfile,
  updateAdminProfile,
  updateAgentProfile,
  updateCompanyProfile,
} from './profile.ts'

export const profileRoutes = (
  services: Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>,
): Route[] => [
  route(profileEndpoints.adminProfile, ({ viewer }) => getAdminProfile(services, viewer)),

  route(profileEndpoints.updateAdminProfile, async ({ viewer, body }) => {
    await updateAdminProfile(services, viewer, body)
    return { ok: true as const }
  }),

  route(profileEndpoints.companyProfile, ({ viewer }) => getCompanyProfile(services, viewer)),

  route(profileEndpoints.updateCompanyProfile, async ({ viewer, body }) => {
    await updateCompanyProfile(services, viewer, body)
    return { ok: true as const }
  }),

  route(profileEndpoints.agentProfile, async ({ viewer: { username } }) => ({ username })),

  route(profileEndpoints.updateAgentProfile, async ({ viewer, body }) => {
    await updateAgentProfile(services, viewer, body)
    return { ok: true as const }
  }),

  route(profileEndpoints.changePassword, async ({ viewer, body }) => {
    await updateAgentProfile(services, viewer, body)
    return { ok: true as const }
  }),
]
