import { accountsEndpoints } from '@tallyroom/contract/accounts'
import { call } from './call.ts'
import { openSession, readSession } from './session.ts'

/** Reads again who is signed in and what they may do; nothing when somebody else is by then. */
export async function refreshMe() {
  const token = readSession()?.token
  if (token === undefined) return
  const me = await call(accountsEndpoints.me, {}, { token })
  if (readSession()?.token === token) openSession({ token, me })
}
