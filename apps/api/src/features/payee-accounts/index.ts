export { findAccountNotice } from './account-notice.ts'
export { payeeAccountsRoutes } from './payee-accounts.routes.ts'
export { findStandings, refuseSignedInAs, type Standing } from './payee-accounts.ts'
export {
  countWaitingAccounts,
  findAccounts,
  findPayeeNames,
  type Payee,
  payeeKey,
} from './payee-accounts.queries.ts'
export { accountSeals, resealPayeeAccounts } from './sealed-account.ts'
