import { accountsEndpoints } from '@tallyroom/contract/people/accounts'
import { call } from '../../lib/call.ts'
import { openSession } from '../../lib/session.ts'

/** Stores the session of a token. @throws ApiError */
export async function openWith(token: string): Promise<void> {
  const me = await call(accountsEndpoints.me, {}, { token })
  openSession({ token, me })
}
