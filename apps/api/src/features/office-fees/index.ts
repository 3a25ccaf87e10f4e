export { ratesOf } from './rates.queries.ts'
export type { Price, Rates } from './rates.queries.ts'
export { officeFeesRoutes } from './office-fees.routes.ts'
