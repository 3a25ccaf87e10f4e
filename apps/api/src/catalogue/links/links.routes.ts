import { linksEndpoints } from '@tallyroom/contract/catalogue/links'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { generateLinks } from './generate-links.ts'

export const linksRoutes = (services: Pick<Services, 'config' | 'db' | 'clock'>): Route[] => [
  route(linksEndpoints.links, ({ viewer, body }) => generateLinks(services, viewer, body)),
]
