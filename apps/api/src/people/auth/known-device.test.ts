import { beforeEach, expect, test } from 'vitest'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { attempts, password, wrongPassword } from '../../../test/sign-in.ts'
import { buildApp } from '../../app.ts'
import { makeOneTimePassword } from '../accounts/new-password.ts'
import { replacePassword } from '../sessions/replace-password.ts'
import { unlockAccount } from './sign-in-waits.ts'
import { inTransaction } from '../../db/transaction.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: { CAPTCHA: 'off' } })
const { clock, secret } = services
await attempts(services)
const app = await buildApp(services)

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  await db.deleteFrom('sign_in_waits').execute()
})

test('strangers’ failures do not lock the holder out of a known device', async () => {
  const device = await signedInDevice('maria')
  await failAsStranger(6)
  expect((await login({ device: undefined })).statusCode).toBe(429)
  expect((await login({ device })).statusCode).toBe(200)
  // Strangers still have to wait.
  expect((await login({ device: undefined })).statusCode).toBe(429)
})

test('a device waits for its own failures, which strangers do not notice', async () => {
  const device = await signedInDevice('maria')
  for (let n = 0; n < 5; n++) await login({ device, password: wrongPassword })
  expect((await login({ device })).statusCode).toBe(429)
  expect((await login({ device: undefined })).statusCode).toBe(200)
})

test('failures of others behind its address do not affect a known device', async () => {
  const device = await signedInDevice('maria')
  for (let n = 0; n < 20; n++) await login({ username: `name${n}`, password: wrongPassword })
  expect((await login({ username: 'manila' })).statusCode).toBe(429)
  expect((await login({ device })).statusCode).toBe(200)
})

test('the cookie is long-lived and out of reach of scripts and other sites', async () => {
  const { headers } = await login({ device: undefined })
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(
      /^device=[\w.~-]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict$/,
    ),
  ])
})

test('off loopback, browsers take it only over HTTPS and from this host itself', async () => {
  const https = testServices(database, {
    environment: {
      PUBLIC_URL: 'https://a.example',
      CAPTCHA: 'off',
      ALLOW_INSECURE_HOST: 'yes',
    },
  })
  const secure = await buildApp(https)
  const answer = await secure.inject({
    method: 'POST',
    url: authEndpoints.login.path,
    payload: { username: 'maria', password },
  })
  expect(answer.headers['set-cookie']).toEqual([
    expect.stringMatching(
      /^__Host-device=[\w.~-]+; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    ),
  ])
  await secure.close()
})

test('a cookie of an earlier release is honoured, and replaced by the next sign-in', async () => {
  const former = await signedInDevice('maria')
  await failAsStranger(6)
  const answer = await login({ device: former })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['set-cookie']).toEqual([
    'device=; Max-Age=0; Path=/api',
    expect.stringMatching(/^device=\S+; Max-Age=34560000; Path=\/;/),
  ])
})

test('a failed sign-in makes no device known', async () => {
  expect((await login({ password: wrongPassword })).headers['set-cookie']).toBeUndefined()
})

test('a device is unknown if its cookie is another account’s, forged, or older than the password', async () => {
  const maria = await signedInDevice('maria')
  const manila = await signedInDevice('manila')
  const [accountId, ...rest] = manila.split('.')
  const mariaId = maria.slice('device='.length).split('.')[0]
  const forged = [
    manila,
    `device=${mariaId}.${rest.join('.')}`,
    `${maria.slice(0, -1)}_`,
    'device=~~~',
  ]
  expect(accountId).not.toBe(`device=${mariaId}`)
  await failAsStranger(6)
  for (const device of forged) expect((await login({ device })).statusCode).toBe(429)

  clock.advance(1000)
  const { id } = await db
    .selectFrom('accounts')
    .selectAll()
    .where('username', '=', 'maria')
    .executeTakeFirstOrThrow()
  const before = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await inTransaction(db, async (tx) =>
    replacePassword(tx, id, await makeOneTimePassword(), { by: 'operator', now: tx.now }),
  )
  await db
    .updateTable('accounts')
    .set({ password_hash: before.password_hash })
    .where('id', '=', id)
    .execute()
  expect((await login({ device: maria })).statusCode).toBe(429)
  await db.updateTable('accounts').set({ password_set_at: null }).where('id', '=', id).execute()
})

test('one browser can be known to several accounts', async () => {
  const maria = await signedInDevice('maria')
  const both = cookieOf(await login({ username: 'manila', device: maria }))
  await failAsStranger(6)
  expect((await login({ device: both })).statusCode).toBe(200)
})

test('the operator unlocks an account', async () => {
  const device = await signedInDevice('maria')
  for (let n = 0; n < 5; n++) await login({ device, password: wrongPassword })
  await failAsStranger(6)
  expect(await unlockAccount({ db, secret }, 'MARIA')).toBe('maria')
  expect((await login({ device })).statusCode).toBe(200)
  expect((await login({ device: undefined })).statusCode).toBe(200)
  await expect(unlockAccount({ db, secret }, 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

function login({
  device,
  ip = '203.0.113.7',
  ...values
}: {
  device?: string | undefined
  ip?: string
  username?: string
  password?: string
}) {
  return app.inject({
    method: 'POST',
    url: authEndpoints.login.path,
    remoteAddress: ip,
    headers: device === undefined ? {} : { cookie: `other=1; ${device}` },
    payload: { username: 'maria', password, ...values },
  })
}

async function failAsStranger(times: number) {
  for (let n = 0; n < times; n++) await login({ ip: `198.51.100.${n}`, password: wrongPassword })
}

const signedInDevice = async (username: string) => cookieOf(await login({ username }))

const cookieOf = ({ headers }: Awaited<ReturnType<typeof login>>): string =>
  [headers['set-cookie']].flat().at(-1)?.split(';', 1)[0] ?? ''
