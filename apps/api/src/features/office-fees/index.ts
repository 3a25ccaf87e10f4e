export {
  defaultRateId,
  ownRateId,
  payingRateId,
  type Price,
  type Rates,
  ratesOf,
} from './rates.queries.ts'
export { presentOrigin } from './dated-rates.ts'
export { addPrepared, comingMidnight } from './prepare-rates.ts'
export { insertWithdrawal, preparedRates } from './dated-rates.queries.ts'
export { columnsOf } from './save-office-fee.ts'
export { addRate, type FeeColumns, findOwnRateOffices, lockRates } from './office-fees.queries.ts'
export { officeFeesRoutes } from './office-fees.routes.ts'
