import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountsEndpoints } from '@tallyroom/contract/people/accounts'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { forgotEndpoints } from '@tallyroom/contract/people/forgot'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { until } from '../../../test/until.ts'
import { elsewhere } from '../../../test/test-clock.ts'
import { buildApp } from '../../app.ts'
import { inTransaction } from '../../db/transaction.ts'
import { hashPassword } from '../../lib/password.ts'
import { hashToken } from '../../lib/tokens.ts'
import { updateEmail } from '../accounts/accounts.queries.ts'
import { makePassword } from '../accounts/new-password.ts'
import { replacePassword } from '../sessions/replace-password.ts'
import { insertToken } from './one-time-token.queries.ts'
import { deviceOf, knownDevices } from './known-device.ts'
import { forgottenPasswords } from './forgot.ts'
import { purgeSignIn } from './purge-sign-in.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'forgot-'))
const database = await testDatabase()
const { db } = database
const services = testServices(database, {
  environment: {
    DATA_DIR: dataDir,
    CAPTCHA: 'off',
    ALLOW_INSECURE_HOST: 'yes',
    PUBLIC_URL: 'https://office.example',
    BRAND: 'harborline',
  },
})
const { clock } = services
const app = await buildApp(services)
afterAll(async () => {
  await app.close()
  await rm(dataDir, { recursive: true })
})

const outbox = join(dataDir, 'outbox')
const oldPassword = 'the old one'
const newPassword = 'tHe néw öne "\\%_'

beforeAll(async () => {
  const office = await buildOffice(db, {
    name: 'Manila',
    username: 'manila',
    man_email: 'Boss@Manila.example',
  })
  await buildAgent(db, { office_id: office, username: 'maria' })
  await buildAccount(db, { username: 'Root', email: 'root@example.com' })
  await buildAccount(db, { role: 5, username: 'ann', email: 'ann@example.com' })
})

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  // Mails of the previous test may still be on their way.
  await rm(outbox, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 })
  await db.deleteFrom('mails').execute()
  await db.deleteFrom('sign_in_waits').execute()
  await db.deleteFrom('sign_in_tokens').execute()
  await db
    .updateTable('accounts')
    .set({ password_hash: await hashPassword(oldPassword), must_change_password: true })
    .execute()
})

test('a mailed link sets a new password, which ends every session', async () => {
  const before = await tokenOf(services, 'ann')
  expect(await ask({ username: 'ANN', email: 'Ann@Example.com' })).toEqual({ ok: true })
  const [mail = ''] = await links()
  expect(mail).toContain('To: ann@example.com')
  expect(mail).toContain('From: Harborline <no-reply@office.example>')
  expect(mail).toContain('Subject: Harborline: set a new password')
  // Users copy these from the text, so no character may be changed.
  expect(mail).toContain('Content-Transfer-Encoding: 7bit')

  const token = tokenIn(mail)
  expect((await reset({ token })).json()).toEqual({ ok: true })
  expect((await send(app, accountsEndpoints.me, {}, { token: before })).statusCode).toBe(401)
  expect((await login('ann', oldPassword)).statusCode).toBe(422)
  expect((await login('ann', newPassword)).statusCode).toBe(200)
  expect(await account('ann')).toMatchObject({ must_change_password: false })
})

test('for an office, the manager’s address counts', async () => {
  await ask({ username: 'manila', email: 'boss@manila.example' })
  const [mail = ''] = await links()
  expect(mail).toContain('To: Boss@manila.example')
  await reset({ token: tokenIn(mail) })
  expect((await account('manila')).password_sealed).not.toBeNull()
})

test('the address in an office’s form receives its reset links', async () => {
  const office = { officeName: 'Davao', manFirstName: 'Rosa', manLastName: 'Cruz', agentNotes: '' }
  const names = { username: 'davao', password: oldPassword, passwordConfirm: oldPassword }
  await db.updateTable('accounts').set({ must_change_password: false }).execute()
  const token = await tokenOf(services, 'Root')
  const body = { ...office, ...names, manEmail: 'rosa@davao.example' }
  const created = await send(app, officesEndpoints.createOffice, { body }, { token })
  const { id } = created.json<{ id: number }>()
  await ask({ username: 'davao', email: 'rosa@davao.example' })
  await reset({ token: tokenIn((await links())[0] ?? '') })
  expect((await login('davao', newPassword)).statusCode).toBe(200)

  // The form's new address replaces the first one.
  const change = { body: { manEmail: 'ramon@davao.example' }, params: { id: String(id) } }
  expect((await send(app, officesEndpoints.updateOffice, change, { token })).statusCode).toBe(200)
  await db.deleteFrom('sign_in_waits').execute()
  const read = await links()
  await ask({ username: 'davao', email: 'rosa@davao.example' })
  await ask({ username: 'davao', email: 'ramon@davao.example' })
  const [link, ...others] = (await links(2)).filter((mail) => !read.includes(mail))
  expect(others).toEqual([])
  expect(link).toContain('To: ramon@davao.example')
})

test('no readable copy of a superadmin’s new password is stored', async () => {
  await ask({ username: 'Root', email: 'root@example.com' })
  await reset({ token: tokenIn((await links())[0] ?? '') })
  expect((await account('Root')).password_sealed).toBeNull()
})

test.each([
  ['there is no such account', { username: 'nobody', email: 'ann@example.com' }],
  ['the address is another', { username: 'ann', email: 'root@example.com' }],
  ['the account has no address', { username: 'maria', email: 'maria@example.com' }],
])('the answer is the same when %s, and no mail is sent', async (_, asked) => {
  expect(await ask(asked)).toEqual({ ok: true })
  await db.deleteFrom('mails').execute()
  const forgotten = forgottenPasswords(services)
  await forgotten.request({ ...asked, ip: '203.0.113.7' })
  await forgotten.stop()
  expect(await db.selectFrom('mails').selectAll().execute()).toEqual([])
})

test('the answer waits neither for the mail nor for the look-up of the account', async () => {
  const forgotten = forgottenPasswords(services)
  let stopping: Promise<void> | undefined
  let isStopped = false
  await inTransaction(db, async (tx) => {
    await sql`lock table accounts in access exclusive mode`.execute(tx)
    await elsewhere(() =>
      forgotten.request({ username: 'ann', email: 'ann@example.com', ip: '203.0.113.7' }),
    )
    stopping = forgotten.stop().then(() => void (isStopped = true))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(isStopped).toBe(false)
  })
  await stopping
  expect(await links()).toHaveLength(1)
})

test('a link makes the browser known, and its notification does not contain the password', async () => {
  await ask({ username: 'ann', email: 'ann@example.com' })
  const answer = await reset({ token: tokenIn((await links())[0] ?? '') })
  const cookies = String(answer.headers['set-cookie']).split(';')[0]
  const [device] = knownDevices(services, cookies)
  const { id, password_set_at } = await account('ann')
  expect(deviceOf(device ? [device] : [], { id, password_set_at })).toBeDefined()
  const told = (await mails(2)).find((mail) => mail.includes('your password was changed')) ?? ''
  expect(told).toContain('To: ann@example.com')
  expect(told).not.toContain(newPassword)
  expect(told).not.toContain('#')
  expect((await reset({ token: 'a guess' })).headers['set-cookie']).toBeUndefined()
})

test('a link works once, even if opened many times at once', async () => {
  await ask({ username: 'ann', email: 'ann@example.com' })
  const token = tokenIn((await links())[0] ?? '')
  const answers = await Promise.all(Array.from({ length: 5 }, () => reset({ token })))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect((await reset({ token })).json().data).toEqual(noLongerValid)
})

test('a link works for ten minutes, with or without a purge in between', async () => {
  await ask({ username: 'ann', email: 'ann@example.com' })
  const token = tokenIn((await links())[0] ?? '')
  clock.advance(10 * 60_000 - 1)
  await purgeSignIn(services)
  expect((await reset({ token, password: 'short', passwordConfirm: 'short' })).statusCode).toBe(422)
  clock.advance(1)
  expect((await reset({ token })).json().data).toEqual(noLongerValid)
  expect((await login('ann', oldPassword)).statusCode).toBe(200)
})

test('using one link invalidates the others', async () => {
  await ask({ username: 'ann', email: 'ann@example.com' })
  await ask({ username: 'ann', email: 'ann@example.com' })
  const [first = '', second = ''] = await links(2)
  await reset({ token: tokenIn(first) })
  expect((await reset({ token: tokenIn(second) })).json().data).toEqual(noLongerValid)
})

test.each([
  ['another password', async () => replaceOf('ann')],
  ['another address', async () => moveTo('ann', 'new@example.com')],
])('%s ends the links that were mailed before', async (_, change) => {
  await ask({ username: 'ann', email: 'ann@example.com' })
  const token = tokenIn((await links())[0] ?? '')
  try {
    await change()
    expect((await reset({ token })).json().data).toEqual(noLongerValid)
    expect((await login('ann', newPassword)).statusCode).toBe(422)
  } finally {
    await moveTo('ann', 'ann@example.com')
  }
})

test('nor does a link count that was mailed to another address meanwhile', async () => {
  await insertToken(db, {
    hash: hashToken('mailed elsewhere'),
    purpose: 'password-reset',
    accountId: (await account('ann')).id,
    expiresAt: new Date(clock.now().getTime() + 60_000),
    sentTo: 'old@example.com',
  })
  expect((await reset({ token: 'mailed elsewhere' })).json().data).toEqual(noLongerValid)
})

test.each([
  ['too short', { password: 'seven77', passwordConfirm: 'seven77' }, 'password'],
  ['not repeated', { passwordConfirm: 'another one' }, 'passwordConfirm'],
  ['without a token', { token: '' }, 'token'],
])('a new password %s is refused at its field', async (_, values, field) => {
  const refused = await reset({ token: 'a guess', ...values })
  expect([refused.statusCode, Object.keys(refused.json().data)]).toEqual([422, [field]])
})

test('a weak new password is refused with the reason, and the link stays valid', async () => {
  await ask({ username: 'manila', email: 'boss@manila.example' })
  const token = tokenIn((await links())[0] ?? '')
  const set = (password: string) => reset({ token, password, passwordConfirm: password })
  expect((await set('Password1')).json().data).toEqual({
    password: ['is one of the most common passwords. Please choose another.'],
  })
  expect((await set('harborline-26')).json().data).toEqual({
    password: ['must have at least 8 characters besides the name “harborline”'],
  })
  expect((await set('manila-2026')).json().data).toEqual({
    password: ['must have at least 8 characters besides the name “manila”'],
  })
  expect((await set(newPassword)).statusCode).toBe(200)
})

test('a token for another purpose sets no password', async () => {
  await insertToken(db, {
    hash: hashToken('made to sign in'),
    purpose: 'remote-login',
    accountId: (await account('ann')).id,
    expiresAt: new Date(clock.now().getTime() + 60_000),
  })
  expect((await reset({ token: 'made to sign in' })).json().data).toEqual(noLongerValid)
})

test('whoever used the link may sign in at once, after any number of failures', async () => {
  for (let n = 0; n < 5; n++) await login('ann', 'a guess')
  expect((await login('ann', oldPassword)).statusCode).toBe(429)
  await ask({ username: 'ann', email: 'ann@example.com' })
  await reset({ token: tokenIn((await links())[0] ?? '') })
  expect((await login('ann', newPassword)).statusCode).toBe(200)
})

test('many requests for one username have to wait, whether or not it exists', async () => {
  for (const username of ['ann', 'nobody']) {
    const asked = { username, email: 'ann@example.com' }
    for (let n = 0; n < 3; n++) expect(await ask(asked)).toEqual({ ok: true })
    const refused = await send(app, forgotEndpoints.forgot, { body: asked }, { token: undefined })
    expect([refused.statusCode, refused.headers['retry-after'], refused.json().message]).toEqual([
      429,
      '60',
      'Too many requests. Please try again in 60 seconds.',
    ])
  }
  clock.advance(60_000)
  expect(await ask({ username: 'ann', email: 'ann@example.com' })).toEqual({ ok: true })
})

test('many requests from one address have to wait', async () => {
  const from = (ip: string, username: string) =>
    send(
      app,
      forgotEndpoints.forgot,
      { body: { username, email: 'a@example.com' } },
      { token: undefined, ip },
    )
  for (let n = 0; n < 10; n++) {
    expect((await from('203.0.113.50', `name${n}`)).statusCode).toBe(200)
  }
  expect((await from('203.0.113.50', 'another')).statusCode).toBe(429)
  expect((await from('203.0.113.51', 'another')).statusCode).toBe(200)
})

test('only the app’s user can read the outbox', async () => {
  await ask({ username: 'ann', email: 'ann@example.com' })
  await mails()
  const [mail = ''] = await readdir(outbox)
  expect((await stat(outbox)).mode & 0o077).toBe(0)
  expect((await stat(join(outbox, mail))).mode & 0o077).toBe(0)
})

const noLongerValid = {
  _form: ['This link has expired or was already used. Please request a new one.'],
}

/** The mail, if any, is written after the answer. */
async function ask(asked: { username: string; email: string }): Promise<unknown> {
  const answer = await send(app, forgotEndpoints.forgot, { body: asked }, { token: undefined })
  return answer.json()
}

/** What tells of a change of a password or an address, the previous test's too, may come meanwhile. */
const links = (count = 1) => mails(count, (mail) => tokenIn(mail) !== '')

/** Waits until this many mails have been written. */
async function mails(count = 1, isMeant = (_mail: string) => true): Promise<string[]> {
  let read: string[] = []
  await until(async () => (read = (await written()).filter(isMeant)).length >= count)
  return read
}

async function written(): Promise<string[]> {
  // A file whose name begins with a dot is unfinished.
  const names = (await readdir(outbox).catch(() => [])).filter((name) => !name.startsWith('.'))
  return Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')))
}

const tokenIn = (mail: string): string =>
  /^https:\/\/office\.example\/forgot\/reset#([\w-]{32})\r?$/m.exec(mail)?.[1] ?? ''

const reset = (values: { token: string; password?: string; passwordConfirm?: string }) =>
  send(
    app,
    forgotEndpoints.resetPassword,
    { body: { password: newPassword, passwordConfirm: newPassword, ...values } },
    { token: undefined },
  )

async function replaceOf(username: string): Promise<void> {
  const { id } = await account(username)
  const password = await makePassword(services, 'Another-Otter-91')
  await inTransaction(db, (tx) =>
    replacePassword(tx, id, password, { by: 'operator', now: tx.now }),
  )
}

async function moveTo(username: string, email: string): Promise<void> {
  const { id } = await account(username)
  await inTransaction(db, (tx) => updateEmail(tx, id, email, { by: 'operator', now: tx.now }))
}

const login = (username: string, password: string) =>
  send(app, authEndpoints.login, { body: { username, password } }, { token: undefined })

const account = (username: string) =>
  db.selectFrom('accounts').selectAll().where('username', '=', username).executeTakeFirstOrThrow()
