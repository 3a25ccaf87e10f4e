import { accountsEndpoints, type Me } from '@tallyroom/contract/people/accounts'
import { call } from '../../lib/call.ts'
import { offerPasskey } from '../../lib/factors/passkey-offer.ts'
import { openSession } from '../../lib/session.ts'

/** Stores the session of a token. @throws ApiError */
export async function openWith(token: string): Promise<Me> {
  const me = await call(accountsEndpoints.me, {}, { token })
  openSession({ token, me })
  return me
}

/** The same after a password, from which on a passkey is offered. @throws ApiError */
export async function openByPassword(token: string): Promise<void> {
  const { accountId } = await openWith(token)
  offerPasskey(accountId)
}
