import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { type HandlerInput, type Route, formRoute, route } from '../../http/route.ts'
import { deviceCookies } from '../auth/known-device.ts'
import { endOwnSessions, listOwnSessions } from '../sessions/own-sessions.ts'
import {
  changePassword,
  getAdminProfile,
  getAgentProfile,
  getCompanyProfile,
  type ProfileServices,
  updateAdminProfile,
  updateAgentProfile,
  updateCompanyProfile,
} from './profile.ts'

export const profileRoutes = (services: ProfileServices): Route[] => {
  /**
   * A new password makes every device unknown, but the holder has just proved themselves on this
   * one.
   */
  const keepDevice = ({
    viewer,
    body: { password },
    cookies,
    sendHeader,
  }: Pick<
    HandlerInput<typeof profileEndpoints.changePassword>,
    'viewer' | 'cookies' | 'sendHeader'
  > & {
    body: { password: string }
  }) => {
    if (password !== '')
      sendHeader('set-cookie', deviceCookies(services, cookies, viewer.accountId))
  }

  return [
    route(profileEndpoints.adminProfile, ({ viewer }) => getAdminProfile(services, viewer)),

    formRoute(profileEndpoints.updateAdminProfile, async (input) => {
      await updateAdminProfile(services, input.viewer, input.body)
      return keepDevice(input)
    }),

    route(profileEndpoints.companyProfile, ({ viewer }) => getCompanyProfile(services, viewer)),

    formRoute(profileEndpoints.updateCompanyProfile, async (input) => {
      await updateCompanyProfile(services, input.viewer, input.body)
      return keepDevice(input)
    }),

    route(profileEndpoints.agentProfile, ({ viewer }) => getAgentProfile(services, viewer)),

    formRoute(profileEndpoints.updateAgentProfile, async (input) => {
      await updateAgentProfile(services, input.viewer, input.body)
      return keepDevice(input)
    }),

    formRoute(profileEndpoints.changePassword, async (input) => {
      await changePassword(services, input.viewer, input.body)
      return keepDevice(input)
    }),

    route(profileEndpoints.listSessions, async ({ viewer }) => ({
      sessions: await listOwnSessions(services, viewer),
    })),

    route(profileEndpoints.endSession, ({ viewer, params }) =>
      endOwnSessions(services, viewer, params),
    ),

    route(profileEndpoints.endOtherSessions, ({ viewer }) =>
      endOwnSessions(services, viewer, 'others'),
    ),
  ]
}
