import { accountsEndpoints } from '@tallyroom/contract/accounts'
import type { InputOf } from '@tallyroom/contract/endpoint'
import { remoteLoginEndpoints } from '@tallyroom/contract/remote-login'
import { call } from './call.ts'
import { openSession, readSession } from './session.ts'

const { signInAs, loginRemote, returnToOwn } = remoteLoginEndpoints

/** Opens the session of a single-use token: of a partner system, or of {@link enterAs}. */
export async function enterWithToken(token: string) {
  const answer = await call(loginRemote, { body: { token } })
  await keepSession(answer.token)
}

/** Goes on as an office or agent, in every tab of this browser; {@link leaveAgain} leads back. For superadmins. */
export async function enterAs(whose: InputOf<typeof signInAs>['body']) {
  const { token } = await call(signInAs, { body: whose })
  await enterWithToken(token)
}

/** Ends a session as another account and goes on with one's own. */
export async function leaveAgain() {
  const { token } = await call(returnToOwn, {})
  await keepSession(token)
}

/** Asks anew who is signed in, after what the server says of them has changed. */
export async function refreshMe() {
  const token = readSession()?.token
  if (token !== undefined) await keepSession(token)
}

async function keepSession(token: string) {
  const me = await call(accountsEndpoints.me, {}, { token })
  openSession({ token, me })
}
