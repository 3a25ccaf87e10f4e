export { type Price, type Rates, ratesOf } from './rates.queries.ts'
export { officeFeesRoutes } from './office-fees.routes.ts'
