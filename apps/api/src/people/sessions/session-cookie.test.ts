import type { Endpoint } from '@tallyroom/contract/endpoint'
import { endpoints } from '@tallyroom/contract/endpoints'
import { accountsEndpoints } from '@tallyroom/contract/people/accounts'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { factorsEndpoints } from '@tallyroom/contract/people/factors'
import { providerEndpoints } from '@tallyroom/contract/people/provider'
import { remoteLoginEndpoints } from '@tallyroom/contract/people/remote-login'
import { tokensEndpoints } from '@tallyroom/contract/people/tokens'
import { heldIn, markOf } from '@tallyroom/contract/secrets'
import { createSecretKey, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Sent } from '../../../test/access-matrix.ts'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { startProvider } from '../../../test/fake-provider.ts'
import { addAuthenticator } from '../../../test/second-factor.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { virtualAuthenticator } from '../../../test/virtual-authenticator.ts'
import { partnerEnvironment, password } from '../../../test/ways-in.ts'
import { buildApp } from '../../app.ts'
import { hashPassword } from '../../lib/password.ts'
import { makeFindViewer } from './find-viewer.ts'

const database = await testDatabase()
const { db } = database
const there = await startProvider(database.clock)
const services = testServices(database, {
  environment: { ...there.environment, ...partnerEnvironment },
})
const { clock } = services
const app = await buildApp(services)
afterAll(async () => {
  await app.close()
  await there.stop()
})

const { login, enterFactor, logout, challengePasskey, signInByPasskey } = authEndpoints
const { signInAs, loginRemote, returnToOwn } = remoteLoginEndpoints
const { beginPasskey, addPasskey } = factorsEndpoints
const { beginProvider, signInByProvider } = providerEndpoints
const { me } = accountsEndpoints

const office = await buildOffice(db, { username: 'manila' })
const maria = await buildAgent(db, { office_id: office, username: 'maria' })
await buildAccount(db, { username: 'root', email: 'root@example.com' })
const password_hash = await hashPassword(password)

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  for (const table of ['sessions', 'sign_in_waits', 'authenticators', 'passkeys'] as const)
    await db.deleteFrom(table).execute()
  await db.updateTable('accounts').set({ password_hash }).execute()
})

/** A browser with its cookies, as the test's server sees it. */
function openBrowser(origin = 'http://localhost:80') {
  const jar = new Map<string, string>()
  const cookie = () => [...jar].map((one) => one.join('=')).join('; ') || undefined
  async function call(endpoint: Endpoint, sent: Sent = {}, token?: string) {
    return keep(await send(app, endpoint, sent, { token, cookie: cookie(), origin }))
  }
  function keep(answer: LightMyRequestResponse) {
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [name = '', value = ''] = line.split(';', 1)[0]?.split('=') ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }
  const signIn = async (username: string): Promise<string> =>
    (await call(login, { body: { username, password } })).json().token
  const whoseIs = async (token: string) => (await call(me, {}, token)).json().username
  return { jar, cookie, call, keep, signIn, whoseIs }
}

type Browser = ReturnType<typeof openBrowser>

/** What a program that has the token gets for it, with these cookies or without. */
const elsewhere = async (token: string, cookie?: string) => {
  const answer = await send(app, me, {}, { token, cookie })
  return answer.statusCode === 200 ? answer.json().username : answer.statusCode
}

const MARK = 'session-browser'

/** How a browser gets a session, by the call that answers with its token. */
const ways: Record<string, (browser: Browser) => Promise<string>> = {
  login: (browser) => browser.signIn('root'),
  async enterFactor(browser) {
    const { code } = await addAuthenticator(app, clock, await tokenOf(services, 'root'))
    const { step } = (await browser.call(login, { body: { username: 'root', password } })).json()
    return (await browser.call(enterFactor, { body: { step, code: code() } })).json().token
  },
  async signInByPasskey(browser) {
    const token = await tokenOf(services, 'root')
    const device = virtualAuthenticator({ origin: 'http://localhost:80' })
    const begun = (await send(app, beginPasskey, {}, { token })).json()
    const body = { name: 'Phone', made: device.create(begun) }
    await send(app, addPasskey, { body }, { token })
    const passkey = device.get((await browser.call(challengePasskey)).json())
    return (await browser.call(signInByPasskey, { body: { passkey } })).json().token
  },
  async signInByProvider(browser) {
    // The provider leads back to one host of the back office.
    const { host } = new URL(partnerEnvironment.PUBLIC_URL)
    const { method, path } = beginProvider
    const begun = browser.keep(await app.inject({ method, url: path, headers: { host } }))
    const body = there.visit(begun.json().url, { claims: { email: 'root@example.com' } })
    return (await browser.call(signInByProvider, { body })).json().token
  },
  async loginRemote(browser) {
    const exp = Math.floor(clock.now().getTime() / 1000) + 60
    const { PARTNER_SECRET, PARTNER_ISSUER: iss, PUBLIC_URL: aud } = partnerEnvironment
    const token = await new SignJWT({ sub: 'maria', exp, jti: randomUUID(), iss, aud })
      .setProtectedHeader({ alg: 'HS256', typ: 'sign-in+jwt' })
      .sign(createSecretKey(Buffer.from(PARTNER_SECRET)))
    return (await browser.call(loginRemote, { body: { token } })).json().token
  },
  async returnToOwn(browser) {
    const as = await openAs(browser, await browser.signIn('root'))
    return (await browser.call(returnToOwn, {}, as)).json().token
  },
}

async function openAs(browser: Browser, own: string): Promise<string> {
  const link = await browser.call(signInAs, { body: { agentId: maria } }, own)
  return (await browser.call(loginRemote, { body: { token: link.json().token } })).json().token
}

/** The kinds of secrets in an answer. */
const kindsIn = (schema: z.ZodType): (string | undefined)[] => [
  markOf(schema)?.kind,
  ...(schema instanceof z.ZodObject
    ? Object.values<z.ZodType>(schema.shape)
    : heldIn(schema)
  ).flatMap(kindsIn),
]

test('every call that answers with the token of a session is tried', () => {
  const opening = Object.entries(endpoints).filter(([, { response }]) =>
    kindsIn(response).includes('session token'),
  )
  expect(opening.map(([name]) => name).toSorted()).toEqual(Object.keys(ways).toSorted())
})

describe.each(Object.entries(ways))('opened by %s', (_, open) => {
  test('a browser’s token is worth nothing without its cookie, nor with another browser’s', async () => {
    const browser = openBrowser()
    const token = await open(browser)
    expect(await browser.whoseIs(token)).toMatch(/^(root|maria)$/)
    const other = openBrowser()
    await other.signIn('manila')
    for (const cookie of [
      undefined,
      other.cookie(),
      `${MARK}=`,
      `${MARK}=${'x'.repeat(32)}`,
      browser.cookie()?.replace(MARK, 'other'),
    ])
      expect(await elsewhere(token, cookie)).toBe(401)
    expect(await elsewhere(token, `${MARK}=${browser.jar.get(MARK)}`)).toMatch(/^(root|maria)$/)
  })
})

test('a session of Sign in as needs its cookie as well, and so does its link', async () => {
  const browser = openBrowser()
  const own = await browser.signIn('root')
  const token = await openAs(browser, own)
  expect(await browser.whoseIs(token)).toBe('maria')
  expect(await elsewhere(token)).toBe(401)
  const link = await browser.call(signInAs, { body: { agentId: maria } }, own)
  const refused = await openBrowser().call(loginRemote, { body: { token: link.json().token } })
  expect(refused.statusCode).toBe(422)
})

test('the refusal is that of an unknown token, and only the log says why', async () => {
  const token = await openBrowser().signIn('root')
  const [header, claims, signature = ''] = token.split('.')
  const unknown = [header, claims, signature.split('').toReversed().join('')].join('.')
  const [stolen, forged] = [
    await send(app, me, {}, { token }),
    await send(app, me, {}, { token: unknown }),
  ]
  expect([stolen.statusCode, stolen.body]).toEqual([401, forged.body])
  expect(stolen.headers['www-authenticate']).toBe(forged.headers['www-authenticate'])

  const warn = vi.fn<(said: unknown, text: string) => void>()
  const findViewer = makeFindViewer({ ...services, log: { ...services.log, warn } as never })
  await findViewer(token)
  expect(warn.mock.calls).toMatchObject([
    [{ cause: 'session cookie', accountId: expect.any(Number) }, 'call refused'],
  ])
  await findViewer(unknown)
  expect(warn).toHaveBeenCalledTimes(1)
})

test('a call without the cookie neither uses nor ends the session', async () => {
  const browser = openBrowser()
  const token = await browser.signIn('root')
  clock.advance(5 * 60_000)
  const seen = () => db.selectFrom('sessions').select(['last_seen_at', 'ended_at']).execute()
  const before = await seen()
  expect((await send(app, logout, {}, { token })).statusCode).toBe(401)
  expect(await seen()).toEqual(before)
  expect(await browser.whoseIs(token)).toBe('root')
})

test('the cookie is worth nothing without a token', async () => {
  const browser = openBrowser()
  await browser.signIn('root')
  expect((await browser.call(me)).statusCode).toBe(401)
})

test('two accounts are signed in side by side, and signing out of one leaves the other', async () => {
  const browser = openBrowser()
  const [root, manila] = [await browser.signIn('root'), await browser.signIn('manila')]
  const mark = browser.jar.get(MARK)
  expect([await browser.whoseIs(root), await browser.whoseIs(manila)]).toEqual(['root', 'manila'])
  await browser.call(logout, {}, root)
  expect((await browser.call(me, {}, root)).statusCode).toBe(401)
  expect(await browser.whoseIs(manila)).toBe('manila')
  expect(browser.jar.get(MARK)).toBe(mark)
})

test('a cookie that is not of ours is replaced', async () => {
  const browser = openBrowser()
  browser.jar.set(MARK, 'x')
  const token = await browser.signIn('root')
  expect(browser.jar.get(MARK)).toMatch(/^[\w-]{32}$/)
  expect(await browser.whoseIs(token)).toBe('root')
})

test('a program gets no cookie, and needs none; nor does a session of an earlier release', async () => {
  const answer = await send(
    app,
    login,
    { body: { username: 'root', password } },
    { token: undefined },
  )
  expect(String(answer.headers['set-cookie'])).not.toContain(MARK)
  expect(await elsewhere(answer.json().token)).toBe('root')
  const rows = await db.selectFrom('sessions').select('cookie_hash').execute()
  expect(rows).toEqual([{ cookie_hash: null }])
})

test('an API token needs no cookie', async () => {
  const browser = openBrowser()
  const own = await browser.signIn('root')
  const body = { name: 'books', may: ['figures'], days: 30 }
  const { token } = (await browser.call(tokensEndpoints.createToken, { body }, own)).json()
  expect(await elsewhere(token)).toBe('root')
})

test('the cookie is out of reach of scripts and other sites, and outlasts the session', async () => {
  const browser = openBrowser()
  const answer = await browser.call(login, { body: { username: 'root', password } })
  expect([answer.headers['set-cookie']].flat()).toContainEqual(
    expect.stringMatching(
      /^session-browser=[\w-]{32}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/,
    ),
  )
})

test('over HTTPS it is Secure; through a tunnel to the machine, where that could get lost, there is none', async () => {
  const environment = {
    PUBLIC_URL: 'https://a.example',
    CAPTCHA: 'off',
    ALLOW_INSECURE_HOST: 'yes',
  }
  const secure = await buildApp(testServices(database, { environment }))
  const signIn = (origin: string) =>
    send(secure, login, { body: { username: 'root', password } }, { token: undefined, origin })
  const answer = await signIn('https://b.example')
  expect([answer.headers['set-cookie']].flat()).toContainEqual(
    expect.stringMatching(/^__Host-session-browser=.*; HttpOnly; Secure; SameSite=Strict$/),
  )
  const tunnel = await signIn('http://localhost:3000')
  expect(String(tunnel.headers['set-cookie'])).not.toContain(MARK)
  const { token } = tunnel.json()
  expect((await send(secure, me, {}, { token })).statusCode).toBe(200)
  await secure.close()
})
