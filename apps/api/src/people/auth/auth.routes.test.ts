import { authEndpoints } from '@tallyroom/contract/people/auth'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { attempts, password } from '../../../test/sign-in.ts'
import { execute } from '../../../test/test-server.ts'
import { about } from '../../../test/test-clock.ts'
import { buildApp } from '../../app.ts'
import { authRoutes } from './auth.routes.ts'
import { makeCaptcha } from './captchas.ts'

const database = await testDatabase()
const services = testServices(database)
await attempts(services)
const app = await buildApp(services)

test('signing in, reading the account, and signing out', async () => {
  const token = await tokenOf('maria')
  const me = await call('GET', '/api/accounts/me', { token })
  expect([me.statusCode, me.json()]).toEqual([
    200,
    {
      accountId: expect.any(Number),
      username: 'maria',
      role: 'agent',
      companyId: expect.any(Number),
      officeName: 'Manila',
      agentId: expect.any(Number),
      permissions: [],
      signedInBy: null,
      mustChangePassword: false,
      mustAddFactor: false,
      isDemo: false,
      factors: [],
      contact: null,
    },
  ])

  expect((await call('POST', '/api/auth/logout', { token })).json()).toEqual({ ok: true })
  const after = await call('GET', '/api/accounts/me', { token })
  expect([after.statusCode, after.headers['error-code']]).toEqual([401, 'INVALID_TOKEN'])
  expect(await database.db.selectFrom('sessions').selectAll().execute()).toMatchObject([
    { ended_at: about(services.clock.now()), end_reason: 'logout', ip: '127.0.0.1' },
  ])
})

test('an account of the demo network says so', async () => {
  const token = await tokenOf('maria')
  const isDemo = async () => (await call('GET', '/api/accounts/me', { token })).json().isDemo
  expect(await isDemo()).toBe(false)
  onTestFinished(() => execute(database.connection, 'delete from demo_world'))
  await execute(database.connection, 'insert into demo_world (filled_at) values (now())')
  expect(await isDemo()).toBe(true)
})

test('an untrusted proxy is logged once', async () => {
  for (const [setting, expected] of [
    ['off', 1],
    ['on', 0],
  ] as const) {
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(line) }
    const trusting = testServices(database, { environment: { TRUST_PROXY: setting } })
    const one = await buildApp(trusting, { logger: { level: 'warn', stream } })
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    await one.inject({ url: '/api/brand' })
    expect(lines).toEqual([])
    for (let n = 0; n < 2; n++) await one.inject({ url: '/api/brand', headers })
    expect(lines.filter((line) => line.includes('TRUST_PROXY'))).toHaveLength(expected)
    await one.close()
  }
})

test('strangers whose proxy adds ports are not one caller, who would make everybody wait', async () => {
  const behindProxy = testServices(database, { environment: { TRUST_PROXY: 'on', CAPTCHA: 'off' } })
  const one = await buildApp(behindProxy)
  const signIn = (username: string, typed: string, address: string) =>
    one.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'x-forwarded-for': address },
      payload: { username, password: typed },
    })
  for (let n = 1; n <= 21; n++) await signIn(`nobody${n}`, 'wrong', `203.0.113.${n}:52${n}`)
  expect((await signIn('maria', password, '198.51.100.9:4711')).statusCode).toBe(200)
  // Of one caller, they are.
  for (let n = 1; n <= 21; n++) await signIn(`nobody${n + 30}`, 'wrong', `198.51.100.8:52${n}`)
  expect((await signIn('maria', password, '198.51.100.8:4711')).statusCode).toBe(429)
  await one.close()
})

test.each([{ 'x-forwarded-for': '203.0.113.7:52311' }, { forwarded: 'for="203.0.113.7:52311"' }])(
  'the common logs have the address that a proxy hands on as %o',
  async (headers) => {
    const behindProxy = testServices(database, {
      environment: { TRUST_PROXY: 'on', CAPTCHA: 'off' },
    })
    const one = await buildApp(behindProxy)
    const payload = { username: 'manila', password }
    await one.inject({ method: 'POST', url: '/api/auth/login', headers, payload })
    const [last] = await database.db
      .selectFrom('audit_log')
      .select('ip')
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    expect(last).toEqual({ ip: '203.0.113.7' })
    await one.close()
  },
)

test('an office gets its name and has no agent', async () => {
  const me = await call('GET', '/api/accounts/me', { token: await tokenOf('manila') })
  expect(me.json()).toMatchObject({ role: 'company', officeName: 'Manila', agentId: null })
})

test('the captcha is sent as an image and a check, and never cached', async () => {
  const answer = await call('GET', '/api/captcha')
  expect(answer.json()).toEqual({
    image: expect.stringMatching(/^data:image\/png;base64,/),
    check: expect.stringMatching(/^[\da-f-]{36}$/),
  })
  expect(answer.headers['cache-control']).toBe('no-store')
})

test('the captcha is a question for whoever asks for words, and never cached', async () => {
  const answer = await call('GET', '/api/captcha?as=words')
  expect(answer.json()).toEqual({
    image: '',
    question: expect.stringMatching(/^Type the .+ “\w+”.*\.$/),
    check: expect.stringMatching(/^[\da-f-]{36}$/),
  })
  expect(answer.headers['cache-control']).toBe('no-store')
  for (const other of ['', 'Words', 'sound', 'words&as=words']) {
    const refused = await call('GET', `/api/captcha?as=${other}`)
    expect([other, refused.statusCode]).toEqual([other, 422])
  }
})

test('pictures and questions wait in one queue', async () => {
  const asked: string[] = []
  const paced = authRoutes(services, async (caller) => void asked.push(caller))
  const captcha = paced.find(({ endpoint }) => endpoint === authEndpoints.captcha)
  for (const query of [{}, { as: 'words' }])
    await captcha?.handle({ ip: '203.0.113.7', cookies: undefined, query } as never)
  expect(asked).toEqual(['203.0.113.7', '203.0.113.7'])
})

test('a refusal concerns the form or the captcha, with its code', async () => {
  const wrong = await login({ password: 'wrong' })
  expect([wrong.statusCode, wrong.headers['error-code'], wrong.json().data]).toEqual([
    422,
    'VALIDATION_ERROR',
    { _form: [expect.any(String)] },
  ])
  const captcha = await login({ captchaString: 'wrong' })
  expect(captcha.json()).toMatchObject({ data: { captchaString: [expect.any(String)] } })
})

test('nothing is checked without a name and a password, or with one that is too long', async () => {
  const empty = await login({ username: ' ', password: '' })
  expect([empty.statusCode, empty.json().data]).toEqual([
    422,
    { username: ['Enter a username'], password: ['Enter a password'] },
  ])
  for (const values of [{ password: 'x'.repeat(1025) }, { username: 'a\0b' }, { username: 7 }]) {
    expect((await login(values)).statusCode).toBe(422)
  }
})

test('callers who have to wait are told for how long', async () => {
  for (let n = 0; n < 5; n++) await login({ username: 'nobody' })
  const refused = await login({ username: 'nobody' })
  expect([
    refused.statusCode,
    refused.headers['error-code'],
    refused.headers['retry-after'],
  ]).toEqual([429, 'TOO_MANY_REQUESTS', '30'])
  expect(refused.json().message).toBe('Too many failed attempts. Please try again in 30 seconds.')
})

test.each([
  ['no token', undefined],
  ['no Bearer', 'Basic bWFyaWE6'],
  ['an empty token', 'Bearer '],
  ['garbage', 'Bearer a.b.c'],
])('%s: the account is not revealed', async (_, authorization) => {
  const answer = await app.inject({
    url: '/api/accounts/me',
    ...(authorization !== undefined && { headers: { authorization } }),
  })
  expect([answer.statusCode, answer.json().code]).toEqual([401, 'INVALID_TOKEN'])
})

test('an account that must set a new password can do nothing else first', async () => {
  await database.db
    .updateTable('accounts')
    .set({ must_change_password: true })
    .where('username', '=', 'maria')
    .execute()
  const token = await tokenOf('maria')

  const refused = await call('GET', '/api/sites', { token })
  expect([refused.statusCode, refused.json().message]).toEqual([
    403,
    'Please set a new password first.',
  ])
  const me = await call('GET', '/api/accounts/me', { token })
  expect(me.json()).toMatchObject({ mustChangePassword: true })

  const chosen = 'a password of her own'
  const changed = await call('POST', '/api/profile/password', {
    token,
    body: { password: chosen, passwordConfirm: chosen },
  })
  expect(changed.statusCode).toBe(200)
  expect((await call('GET', '/api/sites', { token })).statusCode).toBe(200)
})

const call = (
  method: 'GET' | 'POST',
  url: string,
  { token, body }: { token?: string; body?: object } = {},
) =>
  app.inject({
    method,
    url,
    ...(body && { payload: body }),
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  })

async function login(values: Record<string, unknown> = {}) {
  const { check } = await makeCaptcha(services, 'HJKNP')
  const right = { username: 'maria', password, captchaString: 'HJKNP', captchaCheck: check }
  return app.inject({ method: 'POST', url: '/api/auth/login', payload: { ...right, ...values } })
}

const tokenOf = async (username: string): Promise<string> =>
  (await login({ username })).json().token
