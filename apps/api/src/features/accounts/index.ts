export { type Account, accountOf, type ClosedReason, whyClosed } from './account.ts'
export {
  type AccountRow,
  insertAccount,
  type NewAccount,
  selectAccounts,
} from './accounts.queries.ts'
export { accountsRoutes } from './accounts.routes.ts'
export { createFirstSuperadmin } from './first-superadmin.ts'
