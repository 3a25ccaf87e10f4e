export { lockSite } from './site-form.queries.ts'
export { isSiteInScope, sellable } from './sites.queries.ts'
export { sitesRoutes } from './sites.routes.ts'
