export { closePeriod } from './close-period.ts'
export { payRoutes, refuseSignedInAs } from './pay.routes.ts'
export { getCalendar } from './calendar.ts'
export { lockBalances } from './settings.queries.ts'
export { savePaySettings } from './settings.ts'
export { refuseWithoutPayouts } from './statements.ts'
export {
  type BalanceKey,
  findBalances,
  findCurrencies,
  findHolds,
  findMinimums,
  findPayeeNames,
  type PayeeKey,
} from './balances.queries.ts'
