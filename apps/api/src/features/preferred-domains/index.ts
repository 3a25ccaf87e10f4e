export { keepDomainRoots } from './domain-roots.ts'
export { preferredDomainsRoutes } from './preferred-domains.routes.ts'
export { findActiveDomains } from './preferred-domains.queries.ts'
