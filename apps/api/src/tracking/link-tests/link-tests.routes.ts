import { linkTestsEndpoints } from '@tallyroom/contract/desk/link-tests'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { createLinkTest, getLinkTest } from './link-tests.ts'

export const linkTestsRoutes = (services: Pick<Services, 'db' | 'config' | 'secret'>): Route[] => [
  route(linkTestsEndpoints.createLinkTest, ({ viewer, body }) =>
    createLinkTest(services, viewer, body),
  ),
  route(linkTestsEndpoints.linkTest, ({ viewer, params }) =>
    getLinkTest(services, viewer, params.id),
  ),
]
