import { loginAlertsEndpoints } from '@tallyroom/contract/desk/login-alerts'
import { payeeAccountsEndpoints } from '@tallyroom/contract/pay/accounts/payee-accounts'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { refreshOf } from '../lib/queries.ts'
import { thenRefresh } from '../lib/forms/then-refresh.ts'
import { confirm } from '../ui/dialogs/dialogs.tsx'
import { toastDone } from '../ui/toasts.tsx'

/** *That wasn't me*: after a question, refuses a payment account of the viewer's and puts their pay on hold. */
export const askToDisown = (client: QueryClient, accountId: number) =>
  confirm({
    heading: 'You did not enter this account?',
    body: 'Nothing will be paid to it. Your pay is on hold from now on, and we will contact you. If you entered it yourself, cancel.',
    confirmLabel: 'That wasn’t me',
    danger: true,
    action: async () => {
      await thenRefresh(
        call(payeeAccountsEndpoints.disownAccount, { params: { id: String(accountId) } }),
        () => refresh(client),
      )
      toastDone()
    },
  })

const refresh = refreshOf(payeeAccountsEndpoints.ownPayeeAccount, loginAlertsEndpoints.loginAlerts)
