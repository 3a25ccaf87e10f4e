import { createSecretKey, randomUUID } from 'node:crypto'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { remoteLoginEndpoints } from '@tallyroom/contract/people/remote-login'
import type { FastifyInstance } from 'fastify'
import { SignJWT } from 'jose'
import { expect } from 'vitest'
import type { Clock } from '../src/lib/clock.ts'
import { send } from './send.ts'

const PUBLIC_URL = 'http://127.0.0.1:3000'
const PARTNER_SECRET = 'shared with the partner, 32 characters and more'

/** Of an installation with a partner system. */
export const partnerEnvironment = {
  PUBLIC_URL,
  CAPTCHA: 'off',
  PARTNER_SECRET,
  PARTNER_ISSUER: 'partner',
}

/** Everybody's. */
export const password = 'Wooden-Harbor-77'

/** The ways in which somebody gets a session. Each returns its token. */
export function waysIn(app: FastifyInstance, clock: Clock) {
  async function signIn(username: string): Promise<string> {
    const body = { username, password }
    return (await send(app, authEndpoints.login, { body }, { token: undefined })).json().token
  }

  async function proved(token: string): Promise<string> {
    const answer = await send(app, authEndpoints.prove, { body: { password } }, { token })
    expect(answer.statusCode).toBe(200)
    return token
  }

  async function signInByPartner(sub: string): Promise<string> {
    const exp = Math.floor(clock.now().getTime() / 1000) + 60
    const claims = { sub, exp, jti: randomUUID(), iss: 'partner', aud: PUBLIC_URL }
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'sign-in+jwt' })
      .sign(createSecretKey(Buffer.from(PARTNER_SECRET)))
    const sent = { body: { token } }
    const answer = await send(app, remoteLoginEndpoints.loginRemote, sent, { token: undefined })
    return answer.json().token
  }

  /** *Sign in as*, from a superadmin's session. Also returns the cookie with which they may go back. */
  async function signInAs(own: string, whose: { agentId: number } | { companyId: number }) {
    const link = await send(app, remoteLoginEndpoints.signInAs, { body: whose }, { token: own })
    const cookie = String(link.headers['set-cookie']).split(';', 1)[0] ?? ''
    const sent = { body: { token: link.json().token } }
    const by = { token: undefined, cookie }
    const answer = await send(app, remoteLoginEndpoints.loginRemote, sent, by)
    return { token: answer.json().token as string, cookie }
  }

  return { signIn, proved, signInByPartner, signInAs }
}
