export { preferredDomainsRoutes } from './preferred-domains.routes.ts'
export { findActiveDomains } from './preferred-domains.queries.ts'
