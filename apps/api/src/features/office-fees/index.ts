export {
  defaultRateId,
  ownRateId,
  payingRateId,
  type Price,
  type Rates,
  ratesOf,
} from './rates.queries.ts'
export { presentOrigin } from './dated-rates.ts'
export { preparedRates } from './dated-rates.queries.ts'
export { addRate, type FeeColumns, findOwnRateOffices, lockRates } from './office-fees.queries.ts'
export { officeFeesRoutes } from './office-fees.routes.ts'
