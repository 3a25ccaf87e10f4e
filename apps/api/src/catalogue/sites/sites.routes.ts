import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { can } from '@tallyroom/domain/abilities'
import { scopeOf } from '../../access/scope.ts'
import { notFound } from '../../errors.ts'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import {
  createSite,
  deleteSite,
  enableForAllOffices,
  getSite,
  setSitesStatus,
  updateSite,
} from './save-site.ts'
import { findAgentsOfSite, findSiteChoices, isSiteInScope } from './sites.queries.ts'
import { countSites, findSiteRows } from './site-list.queries.ts'

export const sitesRoutes = (services: Pick<Services, 'db' | 'config'>): Route[] => {
  const { db } = services
  return [
    route(sitesEndpoints.sites, ({ viewer, query }) =>
      findSiteChoices(db, scopeOf(viewer), { withSuspended: query.withSuspended === '1' }),
    ),

    route(sitesEndpoints.searchSites, async ({ viewer, body }) => {
      const scope = scopeOf(viewer)
      const [items, total] = await Promise.all([
        findSiteRows(db, scope, body),
        countSites(db, scope, body.criteria),
      ])
      return { items, total }
    }),

    route(sitesEndpoints.site, ({ params: { id } }) => getSite(services, id)),

    route(sitesEndpoints.siteAgents, async ({ viewer, params: { id } }) => {
      const scope = scopeOf(viewer)
      if (!(await isSiteInScope(db, scope, id))) throw notFound('site')
      return findAgentsOfSite(db, scope, {
        siteId: id,
        withSuspended: can(viewer, 'suspended.see'),
      })
    }),

    formRoute(sitesEndpoints.createSite, async ({ body }) => ({
      id: await createSite(services, body),
    })),

    formRoute(sitesEndpoints.updateSite, ({ viewer, params: { id }, body }) =>
      updateSite(services, viewer, id, body),
    ),

    route(
      sitesEndpoints.sitesStatus,
      async ({ viewer, body: { ids, status: active, useApproveSale } }) => {
        await setSitesStatus(services, viewer, {
          ids,
          active,
          useApproveSale: useApproveSale ?? active,
        })
      },
    ),

    route(sitesEndpoints.enableSiteForAllOffices, ({ params: { id } }) =>
      enableForAllOffices(services, id),
    ),

    route(sitesEndpoints.deleteSite, ({ params: { id } }) => deleteSite(services, id)),
  ]
}
