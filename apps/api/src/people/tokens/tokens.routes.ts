import { tokensEndpoints } from '@tallyroom/contract/people/tokens'
import { formRoute, type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { createToken, groupsOf, listTokens, revokeToken } from './tokens.ts'

export const tokensRoutes = (services: Pick<Services, 'db' | 'clock'>): Route[] => [
  route(tokensEndpoints.ownTokens, async ({ viewer }) => ({
    tokens: await listTokens(services, viewer),
    groups: groupsOf(viewer),
  })),

  formRoute(tokensEndpoints.createToken, async ({ viewer, body }) => ({
    token: await createToken(services, viewer, body),
  })),

  route(tokensEndpoints.allTokens, async () => ({
    tokens: await listTokens(services, 'everybody'),
  })),

  route(tokensEndpoints.revokeToken, ({ viewer, params }) =>
    revokeToken(services, viewer, params.id),
  ),
]
