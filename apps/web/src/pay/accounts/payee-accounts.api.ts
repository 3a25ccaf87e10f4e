import { loginAlertsEndpoints } from '@tallyroom/contract/desk/login-alerts'
import { payeeAccountsEndpoints } from '@tallyroom/contract/pay/accounts/payee-accounts'
import { queryOf, refreshOf } from '../../lib/queries.ts'

const { ownPayeeAccount, accountsToConfirm } = payeeAccountsEndpoints

const own = { meta: { ownErrors: true } }

export const ownAccountQuery = queryOf(ownPayeeAccount, {}, own)

export const toConfirmQuery = queryOf(accountsToConfirm, {}, own)

export const refreshAccounts = refreshOf(
  ownPayeeAccount,
  accountsToConfirm,
  loginAlertsEndpoints.loginAlerts,
)
