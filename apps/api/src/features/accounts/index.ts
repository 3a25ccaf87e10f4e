export { type Account, accountOf, type ClosedReason, whyClosed } from './account.ts'
export {
  type AccountRow,
  hasAccounts,
  insertAccount,
  selectAccounts,
  updateEmail,
  updatePassword,
  updateUsername,
  type NewPassword,
} from './accounts.queries.ts'
export { accountsRoutes } from './accounts.routes.ts'
export { makeOneTimePassword, makePassword, makePasswordIfGiven } from './new-password.ts'
export { type PasswordColumn, passwordColumn, revealPassword } from './password-column.ts'
export { getHolder, mailAddress, selectAddresses } from './mail-address.queries.ts'
export { resealPasswords } from './reseal-passwords.ts'
export { createFirstSuperadmin } from './first-superadmin.ts'
export { fillUsernameLooks, lookOf } from './username-look.ts'
