export { findVisibleAmounts, type VisibleAmounts } from './options.queries.ts'
export { optionsRoutes } from './options.routes.ts'
