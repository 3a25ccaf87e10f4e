export { lockSite } from './site-form.queries.ts'
export { findSiteChoices, isSiteInScope, sellable } from './sites.queries.ts'
export { sitesRoutes } from './sites.routes.ts'
