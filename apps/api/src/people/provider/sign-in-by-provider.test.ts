import { accountsEndpoints } from '@tallyroom/contract/people/accounts'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { factorsEndpoints } from '@tallyroom/contract/people/factors'
import { forgotEndpoints } from '@tallyroom/contract/people/forgot'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { providerEndpoints } from '@tallyroom/contract/people/provider'
import { roleNumber } from '@tallyroom/domain/roles'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { type Said, startProvider } from '../../../test/fake-provider.ts'
import { addAuthenticator } from '../../../test/second-factor.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { password, waysIn } from '../../../test/ways-in.ts'
import { viewer } from '../../../test/call-routes.ts'
import { buildApp } from '../../app.ts'
import { inTransaction } from '../../db/transaction.ts'
import { hashPassword } from '../../lib/password.ts'
import { updatePassword } from '../accounts/accounts.queries.ts'
import { makePassword } from '../accounts/new-password.ts'
import { makeOneTimeToken } from '../auth/one-time-token.ts'
import { allowPasswords, disconnectProvider } from './own-provider.ts'

const database = await testDatabase()
const { db, clock } = database
const there = await startProvider(clock)
const services = testServices(database, { environment: there.environment })
const app = await buildApp(services)
afterAll(async () => {
  await app.close()
  await there.stop()
})
const { signIn, signInAs, proved } = waysIn(app, clock)
const { me } = accountsEndpoints
const { listSessions } = profileEndpoints
const { beginProvider, signInByProvider, ownProvider, removeProvider, requireProvider } =
  providerEndpoints

let ann: number
let agentId: number
beforeAll(async () => {
  const password_hash = await hashPassword(password)
  const office = await buildOffice(db, { username: 'manila', man_email: 'boss@manila.example' })
  agentId = await buildAgent(db, { office_id: office, username: 'maria' })
  await buildAccount(db, { username: 'root', email: 'root@example.com' })
  ann = await buildAccount(db, { username: 'ann', email: 'Ann@example.com' })
  const role = roleNumber('admin')
  await buildAccount(db, { username: 'bea', email: 'bea@example.com', role })
  await db.updateTable('accounts').set({ password_hash }).execute()
})

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  there.state.isDown = false
  there.state.hasUserInfo = false
  for (const table of ['sessions', 'authenticators', 'recovery_codes', 'provider_links'] as const)
    await db.deleteFrom(table).execute()
  for (const table of ['mails', 'facts', 'sign_in_waits'] as const)
    await db.deleteFrom(table).execute()
  await db.updateTable('sign_in_rules').set({ superadmins: null, provider_only: false }).execute()
})

const cookieOf = (header: unknown) => String(header).split(';', 1)[0] ?? ''

/** Asks for the address of the provider. Returns it with the cookie of the browser that asks. */
async function begin(cookie?: string) {
  const answer = await send(app, beginProvider, {}, { token: undefined, cookie })
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)])
  return { url: answer.json().url as string, cookie: cookieOf(answer.headers['set-cookie']) }
}

const finish = async (body: object, cookie?: string) =>
  (await send(app, signInByProvider, { body: { ...body } }, { token: undefined, cookie })).json()

/** Signs in at the provider and comes back, in one browser. */
async function enter(said: Said = {}) {
  const { url, cookie } = await begin()
  return finish(there.visit(url, said), cookie)
}

const call = async (endpoint: Parameters<typeof send>[1], token: string, body?: object) =>
  (await send(app, endpoint, body ? { body: { ...body } } : {}, { token })).json()

const refused = (words: string) => ({
  code: 'VALIDATION_ERROR',
  data: { _form: [expect.stringContaining(words)] },
})
const startAgain = refused('used before, took longer than ten minutes, or began in another browser')
const notVerified = refused('could not be verified')
const signedIn = { token: expect.any(String) }
const sessions = () => db.selectFrom('sessions').select(['id', 'proved_by']).execute()
const happened = async () =>
  (
    await db.selectFrom('facts').select('subject').where('kind', '=', 'factor.changed').execute()
  ).map(({ subject }) => subject)
const now = () => Math.floor(clock.peek().getTime() / 1000)

test('the page that signs in knows the provider’s name, and nothing else of it', async () => {
  const answer = await send(app, providerEndpoints.provider, {}, { token: undefined })
  expect(answer.json()).toEqual({ name: 'Example ID' })
})

test('the browser is sent there with PKCE, state and nonce, to come back to this address', async () => {
  const { url } = await begin()
  const { origin, pathname, searchParams } = new URL(url)
  expect(`${origin}${pathname}`).toBe(`${there.state.issuer}/authorize`)
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: 'tallyroom',
    response_type: 'code',
    scope: 'openid email',
    redirect_uri: 'http://localhost/sign-in/provider',
    state: expect.stringMatching(/^[\w-]{72}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    max_age: '600',
  })
})

test('an account is matched by its verified address once, and by issuer and subject from then on', async () => {
  const { token } = await enter()
  expect(await call(me, token)).toMatchObject({ username: 'ann' })
  expect(await happened()).toEqual([{ happened: 'provider connected' }])
  const told = await db.selectFrom('mails').select('recipient').execute()
  expect(told).toEqual([{ recipient: 'Ann@example.com' }])
  // At the provider, the address has become another account's here.
  const again = await enter({ claims: { email: 'bea@example.com' } })
  expect(await call(me, again.token)).toMatchObject({ username: 'ann' })
  expect(await happened()).toHaveLength(1)
  expect(await db.selectFrom('provider_links').select(['account_id', 'email']).execute()).toEqual([
    { account_id: ann, email: 'ann@example.com' },
  ])
})

test('an address that the ID token lacks is asked for', async () => {
  there.state.hasUserInfo = true
  clock.advance(60 * 60_000)
  const userInfo = { sub: 'subject of ann', email: 'ann@example.com', email_verified: true }
  const claims = { email: undefined, email_verified: undefined }
  expect(await enter({ claims, userInfo: { ...userInfo, sub: 'another' } })).toMatchObject(
    notVerified,
  )
  expect(await enter({ claims, userInfo })).toEqual(signedIn)
  clock.advance(60 * 60_000)
})

test.each<[string, Said | (() => Said)]>([
  ['for another client', { claims: { aud: 'another' } }],
  [
    'for another client as well, that asked for it',
    { claims: { aud: ['tallyroom', 'b'], azp: 'b' } },
  ],
  ['of another issuer', { claims: { iss: 'https://another.example' } }],
  ['with another nonce', { claims: { nonce: 'x'.repeat(43) } }],
  ['without a nonce', { claims: { nonce: undefined } }],
  ['that has expired', () => ({ claims: { exp: now() - 120, iat: now() - 420 } })],
  ['of the future', () => ({ claims: { iat: now() + 300, nbf: now() + 300, exp: now() + 600 } })],
  ['without a subject', { claims: { sub: undefined } }],
  ['signed by another key', { signed: 'by another key' }],
  ['not signed (alg none)', { signed: 'not at all' }],
  ['signed by the secret of the client', { signed: 'by the client secret' }],
])('an ID token %s opens nothing', async (_which, said) => {
  expect(await enter(typeof said === 'function' ? said() : said)).toMatchObject(notVerified)
  expect(await sessions()).toEqual([])
  expect(await db.selectFrom('provider_links').selectAll().execute()).toEqual([])
})

test('the clock of the provider may be off by half a minute', async () => {
  expect(await enter({ claims: { exp: now() - 20, iat: now() - 300 } })).toEqual(signedIn)
})

test('what the browser comes back with works once', async () => {
  const { url, cookie } = await begin()
  const back = there.visit(url)
  expect(await finish(back, cookie)).toEqual(signedIn)
  const { code } = there.visit(url)
  expect(await finish({ ...back, code }, cookie)).toMatchObject(startAgain)
  expect(await sessions()).toHaveLength(1)
})

test('it works only in the browser that asked, and for ten minutes', async () => {
  const { url, cookie } = await begin()
  const other = await begin()
  const asked = there.asked.length
  expect(await finish(there.visit(url))).toMatchObject(startAgain)
  expect(await finish(there.visit(url), other.cookie)).toMatchObject(startAgain)
  const { code, state } = there.visit(url)
  const altered = `${state.startsWith('A') ? 'B' : 'A'}${state.slice(1)}`
  expect(await finish({ code, state: altered }, cookie)).toMatchObject(startAgain)
  expect(await finish({ code, state: 'a guess' }, cookie)).toMatchObject(startAgain)
  clock.advance(10 * 60_000)
  expect(await finish({ code, state }, cookie)).toMatchObject(startAgain)
  // The provider was not even asked.
  expect(there.asked).toHaveLength(asked)
})

test('a code that was made for another sign-in opens nothing', async () => {
  const { url, cookie } = await begin()
  const theirs = await begin()
  const { code } = there.visit(theirs.url)
  const { state } = there.visit(url)
  expect(await finish({ code, state }, cookie)).toMatchObject(notVerified)
  expect(await finish({ code: 'a guess', state }, cookie)).toMatchObject(startAgain)
})

test.each([
  ['an address that is not verified', { email_verified: false }, 'has not verified'],
  ['an address of which nothing is said', { email_verified: undefined }, 'has not verified'],
  ['a text for yes', { email_verified: 'true' }, 'has not verified'],
  ['no address', { email: undefined }, 'has not verified'],
  ['an address of nobody', { email: 'eve@example.com' }, 'No account of staff'],
  ['an address of an office', { email: 'boss@manila.example' }, 'No account of staff'],
])('%s matches nobody', async (_which, claims, words) => {
  expect(await enter({ claims })).toMatchObject(refused(words))
  expect(await sessions()).toEqual([])
})

test('an address of two accounts matches neither, and one that waits to be confirmed is none', async () => {
  await db
    .updateTable('accounts')
    .set({ email: 'ANN@example.com' })
    .where('username', '=', 'bea')
    .execute()
  expect(await enter()).toMatchObject(refused('Several accounts of staff'))
  await db
    .updateTable('accounts')
    .set({ email: 'bea@example.com', new_email: 'eve@example.com' })
    .where('username', '=', 'bea')
    .execute()
  expect(await enter({ claims: { email: 'eve@example.com' } })).toMatchObject(
    refused('No account of staff'),
  )
  await db.updateTable('accounts').set({ new_email: null }).execute()
})

test('an address of which the ID token does not say that it is verified is asked for', async () => {
  there.state.hasUserInfo = true
  clock.advance(60 * 60_000)
  const userInfo = { sub: 'subject of ann', email: 'ann@example.com', email_verified: true }
  expect(await enter({ claims: { email_verified: undefined }, userInfo })).toEqual(signedIn)
  clock.advance(60 * 60_000)
})

test('a new password disconnects: whoever knew the former one could have connected it', async () => {
  await enter()
  const made = await makePassword(services, 'Brass-Lantern-88')
  await inTransaction(db, (tx) =>
    updatePassword(tx, ann, made, { mustChange: false, by: viewer(), now: tx.now }),
  )
  expect(await db.selectFrom('provider_links').selectAll().execute()).toEqual([])
  expect(await enter({ claims: { email: 'eve@example.com' } })).toMatchObject(
    refused('No account of staff'),
  )
  expect(await enter()).toEqual(signedIn)
  const password_hash = await hashPassword(password)
  await db.updateTable('accounts').set({ password_hash }).where('id', '=', ann).execute()
})

test('who is connected can’t be taken over by another subject with the address', async () => {
  await enter()
  expect(await enter({ claims: { sub: 'another' } })).toMatchObject(
    refused('connected to somebody else at Example ID'),
  )
})

test('an account that is blocked or deleted stays outside, connected or not', async () => {
  const claims = { sub: 'subject of cem', email: 'cem@example.com' }
  const role = roleNumber('admin')
  const cem = await buildAccount(db, { username: 'cem', email: 'cem@example.com', role })
  const block = (login_blocked: boolean) =>
    db.updateTable('accounts').set({ login_blocked }).where('id', '=', cem).execute()
  await block(true)
  expect(await enter({ claims })).toMatchObject(refused('blocked for this account'))
  await block(false)
  expect(await enter({ claims })).toEqual(signedIn)
  await block(true)
  expect(await enter({ claims })).toMatchObject(refused('blocked for this account'))
  await db.deleteFrom('sessions').execute()
  await db.deleteFrom('accounts').where('id', '=', cem).execute()
  expect(await enter({ claims })).toMatchObject(refused('No account of staff'))
})

test('it proves no password: whatever asks for one still does', async () => {
  const { token } = await enter({ claims: { amr: ['mfa'], auth_time: now() } })
  expect((await call(listSessions, token)).sessions).toMatchObject([{ provedBy: 'provider' }])
  expect(await call(factorsEndpoints.beginAuthenticator, token)).toMatchObject({
    code: 'PROOF_NEEDED',
  })
  expect(await sessions()).toMatchObject([{ proved_by: null }])
  await proved(token)
  expect(await sessions()).toMatchObject([{ proved_by: 'password' }])
})

test('a second factor of the account is asked for, unless the provider has just asked for one', async () => {
  const { code } = await addAuthenticator(app, clock, await tokenOf(services, 'ann'))
  for (const claims of [{}, { amr: ['mfa'] }, { amr: ['mfa'], auth_time: now() - 3600 }]) {
    const { step, ways } = await enter({ claims })
    expect(ways).toEqual(['code'])
    const wrong = { body: { step, code: '000000' } }
    const answer = await send(app, authEndpoints.enterFactor, wrong, { token: undefined })
    expect(answer.json()).toMatchObject({ code: 'VALIDATION_ERROR' })
    const right = { body: { step, code: code() } }
    const opened = await send(app, authEndpoints.enterFactor, right, { token: undefined })
    expect(opened.json()).toEqual(signedIn)
    clock.advance(30_000)
  }
  expect(await enter({ claims: { amr: ['mfa'], auth_time: now() } })).toEqual(signedIn)
  const proofs = (await sessions()).map(({ proved_by }) => proved_by ?? 'nothing')
  expect(proofs.toSorted()).toEqual([...Array<string>(4).fill('nothing'), 'password'])
})

test('an account with a second factor is connected once that was given', async () => {
  const { code } = await addAuthenticator(app, clock, await tokenOf(services, 'ann'))
  await db.deleteFrom('facts').execute()
  const links = () => db.selectFrom('provider_links').select('account_id').execute()
  const giveCode = async (step: string) =>
    (
      await send(
        app,
        authEndpoints.enterFactor,
        { body: { step, code: code() } },
        { token: undefined },
      )
    ).json()
  const { step } = await enter({ claims: { sub: 'somebody with the mailbox' } })
  expect([await links(), await happened()]).toEqual([[], []])
  // Nor does it keep its holder out.
  expect(await giveCode((await enter()).step)).toEqual(signedIn)
  expect(await links()).toEqual([{ account_id: ann }])
  expect(await happened()).toEqual([{ happened: 'provider connected' }])
  clock.advance(30_000)
  expect(await giveCode(step)).toMatchObject({ code: 'VALIDATION_ERROR' })
  expect(await enter({ claims: { sub: 'another' } })).toMatchObject(
    refused('connected to somebody else'),
  )
})

test('whoever fails again and again has to wait, and the provider is asked no more', async () => {
  const guess = async () => {
    const { url, cookie } = await begin()
    const { state } = there.visit(url)
    return finish({ code: 'a guess', state }, cookie)
  }
  for (let tries = 0; tries < 20; tries++) expect(await guess()).toMatchObject(notVerified)
  const tokens = () => there.asked.filter((path) => path === '/token').length
  const asked = tokens()
  expect(await guess()).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect(tokens()).toBe(asked)
})

test('where a second factor is required, the provider’s counts, also behind Sign in as', async () => {
  await db.updateTable('sign_in_rules').set({ superadmins: '2026-02-01' }).execute()
  const led = { message: 'Please add a second factor first.' }
  expect(await call(listSessions, (await enter()).token)).toMatchObject(led)
  const { token } = await enter({ claims: { amr: ['mfa'], auth_time: now() } })
  const works = { sessions: expect.any(Array) }
  expect(await call(listSessions, token)).toMatchObject(works)
  await proved(token)
  const as = await signInAs(token, { agentId })
  expect(await call(me, as.token)).toMatchObject({ username: 'maria' })
})

test('staff sign in no other way once a superadmin who came through the provider says so', async () => {
  const mine = await proved(await signIn('ann'))
  expect(await call(requireProvider, mine, { only: true })).toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('Sign in with Example ID first'),
  })
  const { token } = await enter()
  expect(await call(requireProvider, token, { only: true })).toMatchObject({ code: 'PROOF_NEEDED' })
  await proved(token)
  expect(await call(requireProvider, token, { only: true })).toEqual({ ok: true })
  expect(await call(providerEndpoints.staffProvider, token)).toEqual({
    name: 'Example ID',
    only: true,
  })
  const byPassword = async (username: string) => {
    const sent = { body: { username, password } }
    return (await send(app, authEndpoints.login, sent, { token: undefined })).json()
  }
  for (const username of ['ann', 'root', 'bea'])
    expect(await byPassword(username)).toMatchObject(refused('only through the provider'))
  expect(await byPassword('maria')).toEqual(signedIn)
  expect(await byPassword('manila')).toEqual(signedIn)
  expect(await enter()).toEqual(signedIn)
  // A session that stands goes on.
  expect(await call(me, mine)).toMatchObject({ username: 'ann' })
  // The operator has the last word.
  await allowPasswords(db)
  expect(await byPassword('root')).toEqual(signedIn)
  await expect(allowPasswords(db)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('a step that waits when staff may sign in no other way any more leads nowhere', async () => {
  const { code } = await addAuthenticator(app, clock, await tokenOf(services, 'ann'))
  const sent = { body: { username: 'ann', password } }
  const { step } = (await send(app, authEndpoints.login, sent, { token: undefined })).json()
  await db.updateTable('sign_in_rules').set({ provider_only: true }).execute()
  const answer = await send(
    app,
    authEndpoints.enterFactor,
    { body: { step, code: code() } },
    { token: undefined },
  )
  expect(answer.json()).toMatchObject(refused('only through the provider'))
})

test('without a provider, the rule that it is the only way rests', async () => {
  await db.updateTable('sign_in_rules').set({ provider_only: true }).execute()
  const without = testServices(database, { environment: { CAPTCHA: 'off' } })
  const other = await buildApp(without)
  const sent = { body: { username: 'ann', password } }
  const answer = await send(other, authEndpoints.login, sent, { token: undefined })
  expect(answer.json()).toEqual(signedIn)
  const begun = await send(other, beginProvider, {}, { token: undefined })
  expect(begun.json()).toMatchObject({ message: 'No sign-in provider is configured.' })
  await other.close()
})

test('while the provider is down, that is said, and passwords work', async () => {
  // What it says about itself is forgotten by then.
  clock.advance(60 * 60_000)
  there.state.isDown = true
  const answer = await send(app, beginProvider, {}, { token: undefined })
  expect(answer.json()).toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('Example ID does not answer right now'),
  })
  expect(await call(me, await signIn('ann'))).toMatchObject({ username: 'ann' })
  there.state.isDown = false
  const { url, cookie } = await begin()
  there.state.isDown = true
  expect(await finish(there.visit(url), cookie)).toMatchObject(notVerified)
})

test('at another address of the back office, the right one is named', async () => {
  const { method, path } = beginProvider
  const answer = await app.inject({ method, url: path, headers: { host: 'office.example' } })
  expect(answer.json()).toMatchObject({
    code: 'CONFLICT',
    message: 'Signing in with Example ID works at http://localhost/login.',
  })
})

test('its holder disconnects an account, is told, and is matched anew', async () => {
  const { token } = await enter()
  expect(await call(ownProvider, token)).toEqual({
    name: 'Example ID',
    link: {
      email: 'ann@example.com',
      linkedAt: expect.any(String),
      lastUsedAt: expect.any(String),
    },
  })
  expect(await call(removeProvider, token)).toMatchObject({ code: 'PROOF_NEEDED' })
  await proved(token)
  expect(await call(removeProvider, token)).toEqual({ ok: true })
  expect(await call(removeProvider, token)).toMatchObject({ code: 'NOT_FOUND' })
  expect(await call(ownProvider, token)).toEqual({ name: 'Example ID', link: null })
  expect(await happened()).toContainEqual({ happened: 'provider disconnected' })
  expect(await enter({ claims: { sub: 'another' } })).toEqual(signedIn)
  expect(await call(ownProvider, await tokenOf(services, 'maria'))).toEqual({
    name: null,
    link: null,
  })
})

test('the operator disconnects an account, and so does “That wasn’t me”', async () => {
  const links = () => db.selectFrom('provider_links').select('account_id').execute()
  await enter()
  expect(await disconnectProvider(services, 'ANN')).toBe('ann')
  expect(await links()).toEqual([])
  await expect(disconnectProvider(services, 'ann')).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(disconnectProvider(services, 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await enter()
  const about = { purpose: 'not-me', accountId: ann, expiresAt: new Date('2026-04-01') } as const
  const link = await makeOneTimeToken(db, about)
  await send(app, forgotEndpoints.disownSignIn, { body: { token: link } }, { token: undefined })
  expect(await links()).toEqual([])
})

test('the common logs have who signed in, and neither code nor state', async () => {
  const { url, cookie } = await begin()
  const back = there.visit(url)
  await finish(back, cookie)
  const logged = JSON.stringify(await db.selectFrom('audit_log').selectAll().execute())
  expect(logged).toContain('/api/auth/provider')
  for (const kept of [back.code, back.state]) expect(logged).not.toContain(kept)
})
