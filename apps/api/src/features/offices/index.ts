export { officesRoutes } from './offices.routes.ts'
export { findOffice, lockOffice, updateOfficeRow } from './office-form.queries.ts'
export { findSiteList } from './site-list.queries.ts'
export { agentSeen } from './seen.queries.ts'
