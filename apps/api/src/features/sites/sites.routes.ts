import { sitesEndpoints } from '@tallyroom/contract/sites'
import { scopeOf } from '../../access/scope.ts'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../http/services.ts'
import { findSiteChoices } from './sites.queries.ts'

export const sitesRoutes = ({ db }: Pick<Services, 'db'>): Route[] => [
  route(sitesEndpoints.sites, ({ viewer, query }) =>
    findSiteChoices(db, scopeOf(viewer), { withSuspended: query.withSuspended === '1' }),
  ),
]
