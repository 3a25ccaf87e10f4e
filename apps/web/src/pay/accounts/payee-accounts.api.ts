import { loginAlertsEndpoints } from '@tallyroom/contract/desk/login-alerts'
import { payeeAccountsEndpoints } from '@tallyroom/contract/pay/accounts'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'

const { ownPayeeAccount, accountsToConfirm, decideAccount } = payeeAccountsEndpoints

const own = { meta: { ownErrors: true } }

export const ownAccountQuery = queryOf(ownPayeeAccount, {}, own)

export const toConfirmQuery = queryOf(accountsToConfirm, {}, own)

export const decide = (id: number, body: { confirm: boolean; reason: string }) =>
  call(decideAccount, { params: { id: String(id) }, body })

export const refreshAccounts = (client: QueryClient) =>
  Promise.all(
    [ownPayeeAccount, accountsToConfirm, loginAlertsEndpoints.loginAlerts].map(({ path }) =>
      client.invalidateQueries({ queryKey: [path] }),
    ),
  )
