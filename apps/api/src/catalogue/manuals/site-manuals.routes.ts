import { siteManualsEndpoints } from '@tallyroom/contract/catalogue/manuals'
import { brandOf } from '@tallyroom/domain/brands/index'
import { notFound } from '../../errors.ts'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import {
  createManual,
  deleteManual,
  getManual,
  listManuals,
  listSitesWithoutManual,
  updateManual,
} from './site-manuals.ts'

/** If the brand has no manuals, these endpoints answer 404. */
export const siteManualsRoutes = (services: Pick<Services, 'config' | 'db'>): Route[] =>
  brandOf(services.config.brand).flags.howToSell
    ? routesOf(services)
    : routesOf(services).map((one) => ({
        ...one,
        handle: () => Promise.reject(notFound('page')),
      }))

const routesOf = (services: Pick<Services, 'db'>): Route[] => [
  route(siteManualsEndpoints.siteManuals, ({ viewer, query: { sortField, sortAsc } }) =>
    listManuals(services, viewer, { sortField, ascending: sortAsc }),
  ),

  route(siteManualsEndpoints.availableSites, () => listSitesWithoutManual(services)),

  route(siteManualsEndpoints.siteManual, ({ viewer, params: { id } }) =>
    getManual(services, viewer, id),
  ),

  formRoute(siteManualsEndpoints.createSiteManual, async ({ body }) => ({
    id: await createManual(services, body),
  })),

  formRoute(siteManualsEndpoints.updateSiteManual, ({ params: { id }, body }) =>
    updateManual(services, id, body),
  ),

  route(siteManualsEndpoints.deleteSiteManual, ({ params: { id } }) => deleteManual(services, id)),
]
