import { accountsEndpoints } from '@tallyroom/contract/accounts'
import { authEndpoints } from '@tallyroom/contract/auth'
import type { InputOf } from '@tallyroom/contract/endpoint'
import { remoteLoginEndpoints } from '@tallyroom/contract/remote-login'
import { call } from './call.ts'
import { openSession, readSession, type Session } from './session.ts'

const { signInAs, loginRemote, returnToOwn } = remoteLoginEndpoints

/** Opens the session of a single-use token: of a partner system, or of {@link sessionAs}. */
export async function enterWithToken(token: string) {
  const answer = await call(loginRemote, { body: { token } })
  const session = await sessionOf(answer.token)
  const left = readSession()?.token
  openSession(session)
  // One that signed in as another from here leads back to the session before.
  if (!left || session.me.signedInBy !== null) return
  // Out of reach or already ended: it runs out by itself.
  call(authEndpoints.logout, {}, { token: left }).catch(() => {})
}

/** A session as an office or agent, for superadmins, to be opened; {@link leaveAgain} leads back. */
export async function sessionAs(whose: InputOf<typeof signInAs>['body']): Promise<Session> {
  const { token } = await call(signInAs, { body: whose })
  const answer = await call(loginRemote, { body: { token } })
  return sessionOf(answer.token)
}

/** Ends a session as another account and goes on with one's own. */
export async function leaveAgain() {
  const { token } = await call(returnToOwn, {})
  openSession(await sessionOf(token))
}

const sessionOf = async (token: string): Promise<Session> => ({
  token,
  me: await call(accountsEndpoints.me, {}, { token }),
})
