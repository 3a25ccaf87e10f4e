import { accountsEndpoints } from '@tallyroom/contract/people/accounts'
import { call } from './call.ts'
import { readSession, renewSession } from './session.ts'

/** Refetches the signed-in account and its rights. Drops the answer if the session has changed meanwhile. */
export async function refreshMe() {
  const token = readSession()?.token
  if (token === undefined) return
  const me = await call(accountsEndpoints.me, {}, { token })
  if (readSession()?.token === token) renewSession({ token, me })
}
