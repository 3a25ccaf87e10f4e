export { isSiteInScope } from './sites.queries.ts'
export { sitesRoutes } from './sites.routes.ts'
