import { linksEndpoints } from '@tallyroom/contract/catalogue/links'
import { shortLinksEndpoints } from '@tallyroom/contract/catalogue/short-links'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { generateLinks } from './generate-links.ts'
import { listLinkRates } from './link-rates.ts'
import {
  createShortLink,
  getNamedShortLink,
  listShortLinks,
  removeShortLink,
  renameShortLink,
} from './short-links.ts'

export const linksRoutes = (services: Pick<Services, 'config' | 'db' | 'clock'>): Route[] => [
  route(linksEndpoints.links, ({ viewer, body }) => generateLinks(services, viewer, body)),
  route(linksEndpoints.linkRates, ({ viewer, body }) => listLinkRates(services, viewer, body)),

  route(shortLinksEndpoints.shortLinks, ({ viewer, body }) =>
    listShortLinks(services, viewer, body),
  ),
  route(shortLinksEndpoints.namedShortLink, ({ viewer, params }) =>
    getNamedShortLink(services, viewer, params.name),
  ),
  formRoute(shortLinksEndpoints.createShortLink, ({ viewer, body }) =>
    createShortLink(services, viewer, body),
  ),
  formRoute(shortLinksEndpoints.renameShortLink, ({ viewer, params, body }) =>
    renameShortLink(services, viewer, params.id, body.name),
  ),
  route(shortLinksEndpoints.deleteShortLink, ({ viewer, params }) =>
    removeShortLink(services, viewer, params.id),
  ),
]
