import { linkTypesEndpoints } from '@tallyroom/contract/link-types'
import { scopeOf } from '../../access/scope.ts'
import { notFound } from '../../http/errors.ts'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../http/services.ts'
import { isSiteInScope } from '../sites/index.ts'
import { findTypesOfSite } from './link-types.queries.ts'

export const linkTypesRoutes = ({ db }: Pick<Services, 'db'>): Route[] => [
  route(linkTypesEndpoints.typesBySite, async ({ viewer, params: { siteId }, query }) => {
    if (!(await isSiteInScope(db, scopeOf(viewer), siteId))) throw notFound('site')
    return findTypesOfSite(db, siteId, {
      sortField: query.sortField,
      ascending: query.sortAsc === 'true',
    })
  }),
]
