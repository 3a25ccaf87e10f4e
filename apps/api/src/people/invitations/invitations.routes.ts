import { invitationsEndpoints } from '@tallyroom/contract/people/invitations'
import { publicRoute, type Route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { deviceCookies } from '../auth/known-device.ts'
import { acceptInvitation, readInvitation } from './invitations.ts'

/** For whoever has a link. Those who invite are in the routes of agents, offices and admins. */
export const invitationsRoutes = (services: Services): Route[] => [
  publicRoute(invitationsEndpoints.readInvitation, ({ body }) =>
    readInvitation(services, body.token),
  ),

  publicRoute(invitationsEndpoints.acceptInvitation, async (input) => {
    const { body, cookies, identify, sendHeader } = input
    const accountId = await acceptInvitation(services, { ...body, identify })
    sendHeader('set-cookie', deviceCookies(services, cookies, accountId))
  }),
]
