import { payeeAccountsEndpoints } from '@tallyroom/contract/pay/accounts/payee-accounts'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { decideAccount, listToConfirm } from './confirm-accounts.ts'
import { disownAccount } from '../accounts/disown-account.ts'
import { enterAccount, getOwnAccount } from '../accounts/payee-accounts.ts'

export const payeeAccountsRoutes = (
  services: Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>,
): Route[] => [
  route(payeeAccountsEndpoints.ownPayeeAccount, ({ viewer }) => getOwnAccount(services, viewer)),

  route(payeeAccountsEndpoints.enterPayeeAccount, async ({ viewer, ip, body }) => ({
    id: await enterAccount(services, viewer, { ip, entered: body }),
  })),

  route(payeeAccountsEndpoints.disownAccount, ({ viewer, params: { id } }) =>
    disownAccount(services, viewer, id),
  ),

  route(payeeAccountsEndpoints.accountsToConfirm, ({ viewer }) => listToConfirm(services, viewer)),

  route(payeeAccountsEndpoints.decideAccount, ({ viewer, params: { id }, body }) =>
    decideAccount(services, viewer, id, body),
  ),
]
