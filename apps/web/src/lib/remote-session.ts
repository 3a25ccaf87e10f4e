import { accountsEndpoints } from '@tallyroom/contract/people/accounts'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import type { InputOf } from '@tallyroom/contract/endpoint'
import { remoteLoginEndpoints } from '@tallyroom/contract/people/remote-login'
import { call } from './call.ts'
import { openSession, readSession, type Session } from './session.ts'

const { signInAs, loginRemote, returnToOwn } = remoteLoginEndpoints

/** Exchanges a single-use token, from a partner system or a superadmin's *Sign in as*, for a session. */
export async function enterWithToken(token: string) {
  const answer = await call(loginRemote, { body: { token } })
  const session = await sessionOf(answer.token)
  const left = readSession()?.token
  openSession(session)
  // A superadmin who signed in as somebody else from here needs the previous session to return.
  if (!left || session.me.signedInBy !== null) return
  // If the server is unreachable, the session expires by itself.
  call(authEndpoints.logout, {}, { token: left }).catch(() => {})
}

/** Creates a session as an office or agent, for superadmins. {@link leaveAgain} returns from it. */
export async function sessionAs(whose: InputOf<typeof signInAs>['body']): Promise<Session> {
  const { token } = await call(signInAs, { body: whose })
  const answer = await call(loginRemote, { body: { token } })
  return sessionOf(answer.token)
}

/** Ends a session as another account and returns to the superadmin's own. */
export async function leaveAgain() {
  const { token } = await call(returnToOwn, {})
  openSession(await sessionOf(token))
}

const sessionOf = async (token: string): Promise<Session> => ({
  token,
  me: await call(accountsEndpoints.me, {}, { token }),
})
