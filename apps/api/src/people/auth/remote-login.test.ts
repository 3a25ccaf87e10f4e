import { createSecretKey, randomUUID } from 'node:crypto'
import { accountsEndpoints } from '@tallyroom/contract/people/accounts'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { remoteLoginEndpoints } from '@tallyroom/contract/people/remote-login'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { buildApp } from '../../app.ts'
import { endSessions } from '../sessions/sessions.queries.ts'

const partnerSecret = 'shared with the partner, 32 characters and more'
const database = await testDatabase()
const { db } = database
const issuer = 'https://partner.example'
const services = testServices(database, {
  environment: {
    PARTNER_SECRET: partnerSecret,
    PARTNER_ISSUER: issuer,
    PUBLIC_URL: 'http://127.0.0.1:3000',
  },
})
const { clock } = services
const app = await buildApp(services)
afterAll(() => app.close())

const { signInAs, loginRemote, returnToOwn } = remoteLoginEndpoints
const ids = { manila: 0, maria: 0, waiting: 0 }
let root: string

beforeAll(async () => {
  ids.manila = await buildOffice(db, { name: 'Manila', username: 'manila' })
  ids.maria = await buildAgent(db, { office_id: ids.manila, username: 'maria' })
  ids.waiting = await buildAgent(db, { office_id: ids.manila, username: 'new', approved_at: null })
  await buildAgent(db, { office_id: ids.manila, username: 'idle', active: false })
  await buildAccount(db, { username: 'Root' })
  await buildAccount(db, { role: 5, username: 'ann' })
})

/** The cookies of the superadmin's browser. */
let cookie: string | undefined

beforeEach(async () => {
  cookie = undefined
  clock.set('2026-03-01T15:00:00Z')
  root = await tokenOf(services, 'Root')
})

test('a superadmin signs in as an agent, sees that they have, and returns to their own session', async () => {
  const token = await exchange(await makeToken({ agentId: ids.maria }))
  expect(await meOf(token)).toMatchObject({ username: 'maria', role: 'agent', signedInBy: 'Root' })
  expect(await meOf(root)).toMatchObject({ username: 'Root', signedInBy: null })

  const back = await call(returnToOwn, {}, token)
  expect(await meOf(back.json().token)).toMatchObject({ username: 'Root', signedInBy: null })
  expect(await meOf(token)).toBeUndefined()
  expect(await sessionOf('maria', 'returned')).toBeDefined()
})

test('an office is named by its own id, and may be suspended', async () => {
  const token = await exchange(await makeToken({ companyId: ids.manila }))
  expect(await meOf(token)).toMatchObject({ username: 'manila', companyId: ids.manila })
  await db.updateTable('agents').set({ active: false }).where('id', '=', ids.maria).execute()
  const suspended = await exchange(await makeToken({ agentId: ids.maria }))
  expect(await meOf(suspended)).toMatchObject({ username: 'maria' })
  await db.updateTable('agents').set({ active: true }).where('id', '=', ids.maria).execute()
})

test('a link works only in the browser that asked for it, and is not used up elsewhere', async () => {
  const token = await makeToken({ agentId: ids.maria })
  for (const elsewhere of [undefined, 'sign-in-as=', `sign-in-as=${'x'.repeat(32)}`]) {
    const refused = await send(
      app,
      loginRemote,
      { body: { token } },
      { token: undefined, cookie: elsewhere },
    )
    expect([refused.statusCode, refused.json().data]).toEqual([
      422,
      { _form: ['This sign-in link works only in the browser that asked for it.'] },
    ])
  }
  expect(await meOf(await exchange(token))).toMatchObject({ username: 'maria' })
})

test('another browser that has the session gets nothing more for it, and the session ends', async () => {
  const token = await exchange(await makeToken({ agentId: ids.maria }))
  const refused = await send(
    app,
    returnToOwn,
    {},
    { token, cookie: `sign-in-as=${'x'.repeat(32)}` },
  )
  expect([refused.statusCode, refused.json().code]).toEqual([401, 'INVALID_TOKEN'])
  expect(await meOf(token)).toBeUndefined()
  expect(await sessionOf('maria', 'other-browser')).toBeDefined()
  expect(await meOf(root)).toBeDefined()
})

test('the next question replaces the cookie, and returning removes it', async () => {
  const first = await makeToken({ agentId: ids.maria })
  const former = cookie
  await makeToken({ companyId: ids.manila })
  expect(cookie).not.toBe(former)
  expect((await call(loginRemote, { token: first })).statusCode).toBe(422)
  const token = await exchange(await makeToken({ agentId: ids.maria }))
  const back = await call(returnToOwn, {}, token)
  expect(back.headers['set-cookie']).toBe(
    'sign-in-as=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict',
  )
})

test('it does not count as a sign-in of the holder', async () => {
  const countOf = async () =>
    await db
      .selectFrom('accounts')
      .select(['sign_in_count', 'last_sign_in_at'])
      .where('username', '=', 'maria')
      .executeTakeFirstOrThrow()
  const before = await countOf()
  await exchange(await makeToken({ agentId: ids.maria }))
  expect(await countOf()).toEqual(before)
})

test('a token works once, even if used many times at once', async () => {
  const token = await makeToken({ agentId: ids.maria })
  const answers = await Promise.all(Array.from({ length: 10 }, () => call(loginRemote, { token })))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect((await call(loginRemote, { token })).json()).toEqual(noLongerValid)
})

test('a token works for 60 seconds', async () => {
  const first = await makeToken({ agentId: ids.maria })
  clock.advance(59_000)
  expect((await call(loginRemote, { token: first })).statusCode).toBe(200)
  const second = await makeToken({ agentId: ids.maria })
  clock.advance(60_000)
  expect((await call(loginRemote, { token: second })).json()).toEqual(noLongerValid)
})

test('only superadmins may, and only as existing offices and agents that can be used', async () => {
  const refusal = async (body: object, token = root) => {
    const refused = await call(signInAs, body, token)
    return [refused.statusCode, refused.json().code]
  }
  const ann = await tokenOf(services, 'ann')
  expect(await refusal({ agentId: ids.maria }, ann)).toEqual([403, 'FORBIDDEN'])
  expect(await refusal({ agentId: 2_000_000_000 })).toEqual([404, 'NOT_FOUND'])
  expect(await refusal({ companyId: 2_000_000_000 })).toEqual([404, 'NOT_FOUND'])
  expect(await refusal({ agentId: ids.waiting })).toEqual([409, 'CONFLICT'])
  expect(await refusal({})).toEqual([422, 'VALIDATION_ERROR'])
  expect(await refusal({ agentId: ids.maria, companyId: ids.manila })).toEqual([
    422,
    'VALIDATION_ERROR',
  ])
})

test('it cannot be nested', async () => {
  const office = await exchange(await makeToken({ companyId: ids.manila }))
  const refused = await call(signInAs, { agentId: ids.maria }, office)
  expect(refused.statusCode).toBe(403)
})

test('an account that was blocked after the token was made is refused', async () => {
  const token = await makeToken({ agentId: ids.maria })
  const block = (login_blocked: boolean) =>
    db.updateTable('accounts').set({ login_blocked }).where('username', '=', 'maria').execute()
  await block(true)
  expect((await call(loginRemote, { token })).json().data._form).toEqual([
    'Signing in is blocked for this account.',
  ])
  await block(false)
})

test('a normal session leads back nowhere', async () => {
  expect((await call(returnToOwn, {}, root)).json().code).toBe('CONFLICT')
})

test('nobody can return once the superadmin’s own session is over', async () => {
  const token = await exchange(await makeToken({ agentId: ids.maria }))
  const superadmin = (await meOf(root))?.accountId ?? 0
  const ended = { reason: 'password-changed', now: clock.now() } as const
  await endSessions(db, { accountIds: [superadmin] }, ended)
  expect((await call(returnToOwn, {}, token)).json().code).toBe('INVALID_TOKEN')
})

test('logging out ends the superadmin’s own session, too', async () => {
  const token = await exchange(await makeToken({ agentId: ids.maria }))
  await call(authEndpoints.logout, {}, token)
  expect(await meOf(token)).toBeUndefined()
  expect(await meOf(root)).toBeUndefined()
})

test('every step is in the common logs, with both accounts', async () => {
  const before = await lastEntry()
  const token = await exchange(await makeToken({ agentId: ids.maria }))
  await call(returnToOwn, {}, token)
  const superadmin = expect.any(Number)
  expect(
    await db
      .selectFrom('audit_log')
      .select([
        'action_name',
        'username',
        'account_name',
        'role',
        'acting_account_id',
        'post_params',
      ])
      .where('id', '>', before)
      .orderBy('id')
      .execute(),
  ).toEqual([
    {
      action_name: 'POST /api/accounts/sign-in-as',
      username: 'Root',
      account_name: 'Root',
      role: 0,
      acting_account_id: null,
      post_params: `{"agentId":${ids.maria}}`,
    },
    {
      action_name: 'POST /api/auth/login-remote',
      username: 'Root',
      account_name: 'maria',
      role: 20,
      acting_account_id: superadmin,
      post_params: '{"token":"[removed]"}',
    },
    {
      action_name: 'POST /api/auth/return',
      username: 'Root',
      account_name: 'maria',
      role: 20,
      acting_account_id: superadmin,
      post_params: '{}',
    },
  ])
})

test('a partner’s token signs in as an office or agent, once', async () => {
  const token = await partnerToken({ sub: 'MARIA' })
  const answers = await Promise.all(Array.from({ length: 10 }, () => call(loginRemote, { token })))
  const good = answers.find(({ statusCode }) => statusCode === 200)
  expect(answers.filter(({ statusCode }) => statusCode === 422)).toHaveLength(9)
  expect(await meOf(good?.json().token)).toMatchObject({ username: 'maria', signedInBy: null })

  clock.advance(4 * 60_000)
  expect((await call(loginRemote, { token })).json()).toEqual(noLongerValid)
})

test.each<[string, Partial<Claims>]>([
  ['of the staff', { sub: 'ann' }],
  ['of a superadmin', { sub: 'root' }],
  ['of nobody', { sub: 'nobody' }],
  ['without a name', { sub: undefined }],
  ['without an id', { jti: undefined }],
  ['with an empty id', { jti: '' }],
  ['that has expired', { exp: -1 }],
  ['that is good for too long', { exp: 301 }],
  ['without an end', { exp: undefined }],
  ['signed with another secret', { secret: 'not the one that the partner was given' }],
  ['signed in another way', { alg: 'HS512' }],
  ['that is not signed', { alg: 'none' }],
  ['for another installation', { aud: 'https://other.example' }],
  ['for this one and another, by prefix', { aud: 'http://127.0.0.1:3000.other.example' }],
  ['for nobody', { aud: undefined }],
  ['of another issuer', { iss: 'https://other.example' }],
  ['of no issuer', { iss: undefined }],
  ['of another type', { typ: 'at+jwt' }],
  ['of the general type', { typ: 'JWT' }],
  ['of no type', { typ: undefined }],
])('a partner’s token %s is refused', async (_, claims) => {
  const refused = await call(loginRemote, { token: await partnerToken(claims) })
  expect([refused.statusCode, refused.json()]).toEqual([422, noLongerValid])
})

test('a partner can’t bypass what locks an account', async () => {
  const formOf = async (sub: string) =>
    (await call(loginRemote, { token: await partnerToken({ sub }) })).json().data?._form
  expect(await formOf('new')).toEqual([expect.stringContaining('waiting for approval')])
  expect(await formOf('idle')).toBeUndefined()
  await db
    .insertInto('ip_blacklist')
    .values({ ip: '127.0.0.0/8', created_at: clock.now() })
    .execute()
  expect(await formOf('maria')).toEqual(['You can’t sign in from this address.'])
  await db.deleteFrom('ip_blacklist').execute()
})

test('without a shared secret no partner’s token is valid, not even an unsigned one', async () => {
  const alone = await buildApp(testServices(database))
  for (const secret of [partnerSecret, 'undefined', ' ']) {
    const body = { token: await partnerToken({ secret }) }
    const refused = await send(alone, loginRemote, { body }, { token: undefined })
    expect(refused.json()).toEqual(noLongerValid)
  }
  await alone.close()
})

const noLongerValid = {
  code: 'VALIDATION_ERROR',
  message: 'Please check your input.',
  data: { _form: ['This sign-in link is no longer valid. Please request a new one.'] },
}

type Claims = {
  sub: string | undefined
  jti: string | undefined
  /** Seconds from now. */
  exp: number | undefined
  aud: string | undefined
  iss: string | undefined
  typ: string | undefined
  secret: string
  alg: string
}

async function partnerToken(claims: Partial<Claims>): Promise<string> {
  const { exp, secret, alg, typ, ...rest } = {
    sub: 'maria',
    jti: randomUUID(),
    exp: 300,
    aud: 'http://127.0.0.1:3000',
    iss: issuer,
    typ: 'sign-in+jwt',
    secret: partnerSecret,
    alg: 'HS256',
    ...claims,
  }
  const given = { ...rest, exp: exp && Math.floor(clock.now().getTime() / 1000) + exp }
  const payload = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  )
  if (alg === 'none') {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    return `${part({ alg: 'none' })}.${part(payload)}.`
  }
  const header = { alg, ...(typ !== undefined && { typ }) }
  return new SignJWT(payload).setProtectedHeader(header).sign(createSecretKey(Buffer.from(secret)))
}

/** A call from the superadmin's browser, which keeps its cookie. */
async function call(endpoint: Parameters<typeof send>[1], body: object, token?: string) {
  const sent = endpoint.body ? { body: { ...body } } : {}
  const answer = await send(app, endpoint, sent, { token, cookie })
  const set = answer.headers['set-cookie']
  if (typeof set === 'string') cookie = set.split(';', 1)[0]
  return answer
}

const makeToken = async (whose: object): Promise<string> =>
  (await call(signInAs, whose, root)).json().token

const exchange = async (token: string): Promise<string> =>
  (await call(loginRemote, { token })).json().token

async function meOf(token: string) {
  const answer = await call(accountsEndpoints.me, {}, token)
  return answer.statusCode === 200
    ? answer.json<{ accountId: number; username: string; signedInBy: string | null }>()
    : undefined
}

const sessionOf = (username: string, reason: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select('end_reason')
    .where('username', '=', username)
    .where('ended_at', 'is not', null)
    .where('end_reason', '=', reason)
    .executeTakeFirstOrThrow()

async function lastEntry(): Promise<number> {
  return (await db.selectFrom('audit_head').select('last_id').executeTakeFirstOrThrow()).last_id
}
