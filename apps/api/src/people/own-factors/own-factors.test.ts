import { accountsEndpoints } from '@tallyroom/contract/people/accounts'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { factorsEndpoints } from '@tallyroom/contract/people/factors'
import { forgotEndpoints } from '@tallyroom/contract/people/forgot'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { tokensEndpoints } from '@tallyroom/contract/people/tokens'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { authenticatorOf } from '../../../test/authenticator-app.ts'
import { addAuthenticator, stepOf } from '../../../test/second-factor.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { partnerEnvironment, password, waysIn } from '../../../test/ways-in.ts'
import { buildApp } from '../../app.ts'
import { inTransaction } from '../../db/transaction.ts'
import { isSealedWith } from '../../lib/cipher.ts'
import { hashPassword } from '../../lib/password.ts'
import { deriveKey } from '../../lib/secrets.ts'
import { hashToken } from '../../lib/tokens.ts'
import { insertToken } from '../auth/one-time-token.queries.ts'
import { resetFactor } from '../admins/operator.ts'
import { purgeSignIn } from '../auth/purge-sign-in.ts'
import { resealAuthenticators } from '../factors/sealed-secret.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: partnerEnvironment })
const { clock } = services
const app = await buildApp(services)
afterAll(() => app.close())

const { signIn, signInAs, signInByPartner } = waysIn(app, clock)
const { login, enterFactor, prove } = authEndpoints
const {
  ownFactors,
  beginAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
  renewRecoveryCodes,
} = factorsEndpoints

let passwordHash: string
let agentId: number
beforeAll(async () => {
  passwordHash = await hashPassword(password)
  const office = await buildOffice(db, {
    name: 'Manila',
    username: 'manila',
    man_email: 'boss@manila.example',
  })
  agentId = await buildAgent(db, { office_id: office, username: 'maria' })
  await buildAccount(db, { username: 'root', email: 'root@example.com' })
})

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  await db.deleteFrom('sessions').execute()
  await db.deleteFrom('sign_in_waits').execute()
  await db.deleteFrom('authenticators').execute()
  await db.deleteFrom('recovery_codes').execute()
  await db.deleteFrom('mails').execute()
  await db.deleteFrom('facts').execute()
  await db
    .updateTable('accounts')
    .set({ password_hash: passwordHash, suspended: false, must_change_password: false })
    .execute()
})

const call = async (
  endpoint: Parameters<typeof send>[1],
  token: string | undefined,
  body?: object,
) => {
  const answer = await send(app, endpoint, body ? { body: { ...body } } : {}, { token })
  return answer.json()
}

/** What is asked for a code after the password of somebody. */
const enter = async (
  code: string,
  { username = 'root', step }: { username?: string; step?: string } = {},
) =>
  call(enterFactor, undefined, { step: step ?? (await stepOf(app, { username, password })), code })

const wrong = {
  code: 'VALIDATION_ERROR',
  data: { code: ['is wrong, or was used before: enter the next one'] },
}
const tooLate = { data: { _form: ['This took too long. Please sign in again.'] } }
const signedIn = { token: expect.any(String) }

/** Without what `new-place.test` is about. */
const mails = async () =>
  (await db.selectFrom('mails').select(['recipient as to', 'subject']).execute()).filter(
    ({ subject }) => !/from a new place|a wrong code/.test(subject),
  )

const withApp = async (username = 'root') =>
  addAuthenticator(app, clock, await tokenOf(services, username))

test('without a second factor, signing in takes the password alone', async () => {
  expect(await call(login, undefined, { username: 'root', password })).toEqual(signedIn)
})

test('an app counts from its first code on', async () => {
  const token = await tokenOf(services, 'root')
  const begun = await call(beginAuthenticator, token)
  expect(new URL(begun.uri).searchParams.get('secret')).toBe(begun.secret)
  expect(await call(login, undefined, { username: 'root', password })).toEqual(signedIn)
  expect(await call(ownFactors, token)).toEqual({
    authenticatorAddedAt: null,
    passkeys: [],
    recoveryCodesLeft: 0,
  })
  const code = authenticatorOf(begun.secret, clock)
  expect(await call(confirmAuthenticator, token, { code: code(2) })).toMatchObject(wrong)
  const { recoveryCodes } = await call(confirmAuthenticator, token, { code: code() })
  expect(new Set(recoveryCodes).size).toBe(10)
  expect(await call(ownFactors, token)).toEqual({
    authenticatorAddedAt: expect.stringContaining('2026-03-01T15:00:00'),
    passkeys: [],
    recoveryCodesLeft: 10,
  })
  expect((await call(accountsEndpoints.me, token)).factors).toEqual(['code'])
  // The first code is used up.
  expect(await enter(code())).toMatchObject(wrong)
  clock.advance(30_000)
  expect(await enter(code())).toEqual(signedIn)
})

test('another app can be begun with until one counts, and then none', async () => {
  const token = await tokenOf(services, 'root')
  const first = authenticatorOf((await call(beginAuthenticator, token)).secret, clock)
  const second = authenticatorOf((await call(beginAuthenticator, token)).secret, clock)
  expect(await call(confirmAuthenticator, token, { code: first() })).toMatchObject(wrong)
  expect(await call(confirmAuthenticator, token, { code: second() })).toHaveProperty(
    'recoveryCodes',
  )
  expect(await call(beginAuthenticator, token)).toMatchObject({ code: 'CONFLICT' })
  const again = { data: { _form: ['This took too long. Please start again.'] } }
  expect(await call(confirmAuthenticator, token, { code: second(1) })).toMatchObject(again)
})

test('what was begun with ends after half an hour, and is deleted', async () => {
  const token = await tokenOf(services, 'root')
  const { secret } = await call(beginAuthenticator, token)
  clock.advance(30 * 60_000)
  const later = await tokenOf(services, 'root')
  const code = authenticatorOf(secret, clock)()
  const again = { data: { _form: ['This took too long. Please start again.'] } }
  expect(await call(confirmAuthenticator, later, { code })).toMatchObject(again)
  await purgeSignIn(services)
  expect(await db.selectFrom('authenticators').selectAll().execute()).toEqual([])
})

test('a password leads to a step, which is no session and opens one with a code', async () => {
  const { code } = await withApp()
  const step = await stepOf(app, { username: 'ROOT', password })
  expect(await call(accountsEndpoints.me, step)).toMatchObject({ code: 'INVALID_TOKEN' })
  const sessions = () => db.selectFrom('sessions').select('proved_by').execute()
  expect(await sessions()).toHaveLength(1)
  const { token } = await enter(code(), { step })
  expect(await call(accountsEndpoints.me, token)).toMatchObject({ username: 'root' })
  expect(await sessions()).toContainEqual({ proved_by: 'password and code' })
  expect(await enter(code(1), { step })).toMatchObject(tooLate)
})

test('a wrong password leads to no step, whatever factors there are', async () => {
  await withApp()
  const refused = await call(login, undefined, { username: 'root', password: 'a guess' })
  expect(refused).toMatchObject({ data: { _form: ['The username or password is incorrect.'] } })
})

test('a step is valid for five minutes, and a wrong code does not consume it', async () => {
  const { code } = await withApp()
  const step = await stepOf(app, { username: 'root', password })
  clock.advance(4 * 60_000)
  expect(await enter('000000', { step })).toMatchObject(wrong)
  expect(await enter('nonsense', { step })).toMatchObject(wrong)
  expect(await enter(code(), { step })).toEqual(signedIn)
  const late = await stepOf(app, { username: 'root', password })
  clock.advance(5 * 60_000)
  expect(await enter(code(), { step: late })).toMatchObject(tooLate)
})

test('a phone’s clock may be off by half a minute, and a code is good once', async () => {
  const { code } = await withApp()
  clock.advance(60_000)
  expect(await enter(code(-2))).toMatchObject(wrong)
  expect(await enter(code(2))).toMatchObject(wrong)
  expect(await enter(code(-1))).toEqual(signedIn)
  expect(await enter(code(-1))).toMatchObject(wrong)
  expect(await enter(code(1))).toEqual(signedIn)
  // Neither is one from before it, though nobody has used that.
  expect(await enter(code())).toMatchObject(wrong)
})

test('of two sign-ins with one code, one gets in', async () => {
  const { code } = await withApp()
  const steps = [
    await stepOf(app, { username: 'root', password }),
    await stepOf(app, { username: 'root', password }),
  ]
  const answers = await Promise.all(steps.map((step) => enter(code(), { step })))
  expect(answers.filter((answer) => 'token' in answer)).toHaveLength(1)
  const both = await stepOf(app, { username: 'root', password })
  clock.advance(30_000)
  const twice = await Promise.all([enter(code(), { step: both }), enter(code(1), { step: both })])
  expect(twice.filter((answer) => 'token' in answer)).toHaveLength(1)
})

test('another account’s code opens nothing', async () => {
  await withApp('root')
  const { code, recoveryCodes } = await withApp('maria')
  expect(await enter(code())).toMatchObject(wrong)
  expect(await enter(recoveryCodes[0] ?? '')).toMatchObject(wrong)
})

test('a recovery code opens one session, however it is typed, and its holder is told', async () => {
  const { recoveryCodes } = await withApp()
  await db.deleteFrom('mails').execute()
  const [one = '', other = ''] = recoveryCodes
  expect(one).toMatch(/^(?:[A-Z0-9]{4}-){6}[A-Z0-9]{4}$/)
  const { token } = await enter(one.toLowerCase().replaceAll('-', ' '))
  expect(await call(ownFactors, token)).toMatchObject({ recoveryCodesLeft: 9 })
  expect(await enter(one)).toMatchObject(wrong)
  expect(await enter(other)).toEqual(signedIn)
  const told = expect.stringContaining('a recovery code of your account was used')
  const mail = { to: 'root@example.com', subject: told }
  expect(await mails()).toEqual([mail, mail])
})

test('of two sign-ins with one recovery code, one gets in', async () => {
  const { recoveryCodes } = await withApp()
  const [one = ''] = recoveryCodes
  const steps = [
    await stepOf(app, { username: 'root', password }),
    await stepOf(app, { username: 'root', password }),
  ]
  const answers = await Promise.all(steps.map((step) => enter(one, { step })))
  expect(answers.filter((answer) => 'token' in answer)).toHaveLength(1)
})

test('new recovery codes replace the former ones', async () => {
  const { code, recoveryCodes } = await withApp()
  const token = await tokenOf(services, 'root')
  const renewing = async (factor?: object) =>
    (await send(app, renewRecoveryCodes, {}, { token, factor })).json()
  const { challenge } = (await renewing()).asks
  const renewed = (await renewing({ challenge, code: code() })).recoveryCodes
  expect(new Set([...recoveryCodes, ...renewed]).size).toBe(20)
  expect(await enter(recoveryCodes[0] ?? '')).toMatchObject(wrong)
  expect(await enter(renewed[9])).toEqual(signedIn)
  const maria = await tokenOf(services, 'maria')
  expect(await call(renewRecoveryCodes, maria)).toMatchObject({ code: 'CONFLICT' })
})

test('five wrong codes make the account wait, and a right one ends the count', async () => {
  const { code } = await withApp()
  const step = await stepOf(app, { username: 'root', password })
  for (let n = 0; n < 4; n++) expect(await enter('000000', { step })).toMatchObject(wrong)
  expect(await enter(code(), { step })).toEqual(signedIn)
  clock.advance(30_000)
  const again = await stepOf(app, { username: 'root', password })
  for (let n = 0; n < 5; n++) expect(await enter('000000', { step: again })).toMatchObject(wrong)
  const waits = { code: 'TOO_MANY_REQUESTS' }
  expect(await enter(code(), { step: again })).toMatchObject(waits)
  // Neither another step nor the right password evades it.
  expect(await enter(code())).toMatchObject(waits)
  clock.advance(30_000)
  expect(await enter(code())).toEqual(signedIn)
})

test('concurrent guesses do not evade the limit', async () => {
  await withApp()
  const step = await stepOf(app, { username: 'root', password })
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => enter(`00000${n % 10}`, { step })),
  )
  expect(answers.filter(({ code }) => code === 'VALIDATION_ERROR')).toHaveLength(5)
})

test('wrong codes of strangers do not keep a known device waiting', async () => {
  const { code } = await withApp()
  const first = await send(
    app,
    enterFactor,
    { body: { step: await stepOf(app, { username: 'root', password }), code: code() } },
    { token: undefined },
  )
  const cookie = String(first.headers['set-cookie']).split(';', 1)[0] ?? ''
  expect(cookie).toMatch(/^device=/)
  clock.advance(30_000)
  for (let n = 0; n < 6; n++) await enter('000000')
  expect(await enter(code())).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  const step = await stepOf(app, { username: 'root', password }, { cookie })
  const known = { token: undefined, cookie }
  const opened = await send(app, enterFactor, { body: { step, code: code() } }, known)
  expect(opened.json()).toEqual(signedIn)
})

test('a password alone makes no device known', async () => {
  await withApp()
  const body = { username: 'root', password }
  const answer = await send(app, login, { body }, { token: undefined })
  expect(answer.headers['set-cookie']).toBeUndefined()
})

test.each([
  ['suspended', { suspended: true }, 'This account is suspended.'],
  ['blocked', { login_blocked: true }, 'Signing in is blocked for this account.'],
])('a step of an account that is %s meanwhile opens nothing', async (_, state, message) => {
  const { code } = await withApp('maria')
  const step = await stepOf(app, { username: 'maria', password })
  await db.updateTable('accounts').set(state).where('username', '=', 'maria').execute()
  expect(await enter(code(), { step })).toMatchObject({ data: { _form: [message] } })
  await db.updateTable('accounts').set({ login_blocked: false, suspended: false }).execute()
})

test('a new password ends steps, keeps the second factor, and opens no session', async () => {
  const { code } = await withApp()
  const step = await stepOf(app, { username: 'root', password })
  const link = 'the link that was mailed'
  await inTransaction(db, async (tx) => {
    const { id } = await tx
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', 'root')
      .executeTakeFirstOrThrow()
    await insertToken(tx, {
      hash: hashToken(link),
      purpose: 'password-reset',
      accountId: id,
      expiresAt: new Date(tx.now.getTime() + 60_000),
    })
  })
  const next = 'Another-Harbor-78'
  const body = { token: link, password: next, passwordConfirm: next }
  const reset = await call(forgotEndpoints.resetPassword, undefined, body)
  expect(reset).toEqual({ ok: true })
  expect(await enter(code(), { step })).toMatchObject(tooLate)
  const opened = await stepOf(app, { username: 'root', password: next })
  expect(await enter(code(), { step: opened })).toEqual(signedIn)
})

test('a partner’s sign-in and Sign in as ask for no code', async () => {
  await withApp('maria')
  const own = await tokenOf(services, 'root')
  for (const token of [await signInByPartner('maria'), (await signInAs(own, { agentId })).token])
    expect(await call(accountsEndpoints.me, token)).toMatchObject({ username: 'maria' })
})

test('API tokens ask for no code, and can do nothing about it', async () => {
  const session = await tokenOf(services, 'root')
  const body = { name: 'My tracker', may: ['figures'] }
  const { token } = await call(tokensEndpoints.createToken, session, body)
  await withApp()
  expect(await call(accountsEndpoints.me, token)).toMatchObject({ username: 'root' })
  for (const endpoint of [ownFactors, beginAuthenticator, renewRecoveryCodes])
    expect(await call(endpoint, token)).toMatchObject({ code: 'FORBIDDEN' })
})

test('to prove oneself takes a code as well, once there is one', async () => {
  const { code } = await withApp()
  const token = await tokenOf(services, 'root', { provedBy: undefined })
  expect(await call(profileEndpoints.endOtherSessions, token)).toMatchObject({
    code: 'PROOF_NEEDED',
  })
  expect(await call(prove, token, { password })).toMatchObject({
    data: { code: ['Enter the code'] },
  })
  expect(await call(prove, token, { password, code: '000000' })).toMatchObject(wrong)
  // A wrong password uses no code up.
  expect(await call(prove, token, { password: 'a guess', code: code() })).toMatchObject({
    data: { password: ['is not your password'] },
  })
  expect(await call(profileEndpoints.endOtherSessions, token)).toMatchObject({
    code: 'PROOF_NEEDED',
  })
  expect(await call(prove, token, { password, code: code() })).toEqual({ ok: true })
  expect(await call(profileEndpoints.endOtherSessions, token)).toEqual({ ok: true })
  // Nor is the one that was used good for a sign-in.
  expect(await enter(code())).toMatchObject(wrong)
})

test('wrong codes count as wrong passwords do, and none as neither', async () => {
  const { code } = await withApp()
  const token = await tokenOf(services, 'root')
  for (let n = 0; n < 7; n++) await call(prove, token, { password })
  for (let n = 0; n < 5; n++) await call(prove, token, { password, code: '000000' })
  expect(await call(prove, token, { password, code: code() })).toMatchObject({
    code: 'TOO_MANY_REQUESTS',
  })
})

test('an app is removed by password and code, and the recovery codes go with it', async () => {
  const { code } = await withApp()
  const token = await tokenOf(services, 'root')
  await db.deleteFrom('mails').execute()
  const remove = (body: object) => call(removeAuthenticator, token, body)
  expect(await remove({ password: 'a guess', code: code() })).toMatchObject({
    data: { password: ['is not your password'] },
  })
  expect(await remove({ password, code: '000000' })).toMatchObject(wrong)
  expect(await call(ownFactors, token)).toMatchObject({ recoveryCodesLeft: 10 })
  expect(await remove({ password, code: code() })).toEqual({ ok: true })
  expect(await call(ownFactors, token)).toEqual({
    authenticatorAddedAt: null,
    passkeys: [],
    recoveryCodesLeft: 0,
  })
  expect(await signIn('root')).toEqual(expect.any(String))
  const told = expect.stringContaining('the authenticator app was removed from your account')
  expect(await mails()).toEqual([{ to: 'root@example.com', subject: told }])
  expect(await remove({ password, code: code(1) })).toMatchObject({ code: 'NOT_FOUND' })
})

test('whoever is signed in as somebody else removes nothing', async () => {
  const { code } = await withApp('maria')
  const { token } = await signInAs(await tokenOf(services, 'root'), { agentId })
  const refused = { code: 'FORBIDDEN' }
  expect(await call(removeAuthenticator, token, { password, code: code() })).toMatchObject(refused)
  expect(await call(beginAuthenticator, token)).toMatchObject(refused)
  expect(await call(renewRecoveryCodes, token)).toMatchObject(refused)
  // The code was not used up.
  expect(await enter(code(), { username: 'maria' })).toEqual(signedIn)
})

test('the holder is told of an app, in the bell and by mail', async () => {
  await withApp()
  const told = expect.stringContaining('an authenticator app was added to your account')
  expect(await mails()).toEqual([{ to: 'root@example.com', subject: told }])
  const facts = await db
    .selectFrom('facts')
    .select('subject')
    .where('kind', '=', 'factor.changed')
    .execute()
  expect(facts).toEqual([{ subject: { happened: 'authenticator added' } }])
})

test('the operator removes the second factor of an account, and the password alone opens it', async () => {
  await withApp('maria')
  const open = await tokenOf(services, 'maria')
  const step = await stepOf(app, { username: 'maria', password })
  await db.deleteFrom('facts').execute()
  expect(await resetFactor(services, 'MARIA')).toEqual({ username: 'maria', told: null })
  expect(await call(accountsEndpoints.me, open)).toMatchObject({ code: 'INVALID_TOKEN' })
  expect(await enter('000000', { step })).toMatchObject(tooLate)
  const token = await signIn('maria')
  expect(await call(ownFactors, token)).toEqual({
    authenticatorAddedAt: null,
    passkeys: [],
    recoveryCodesLeft: 0,
  })
  const facts = await db
    .selectFrom('facts')
    .select(['kind', 'subject'])
    .where('kind', 'like', 'factor.%')
    .orderBy('kind')
    .execute()
  expect(facts).toEqual([
    { kind: 'factor.changed', subject: { happened: 'second factor reset' } },
    { kind: 'factor.reset', subject: { username: 'maria' } },
  ])
  await call(beginAuthenticator, token)
  await expect(resetFactor(services, 'maria')).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await call(accountsEndpoints.me, token)).toMatchObject({ username: 'maria' })
  await expect(resetFactor(services, 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('the common logs have who did what, and neither keys nor codes', async () => {
  const session = await tokenOf(services, 'root')
  const { secret } = await call(beginAuthenticator, session)
  const code = authenticatorOf(secret, clock)
  const first = code()
  const { recoveryCodes } = await call(confirmAuthenticator, session, { code: first })
  const step = await stepOf(app, { username: 'root', password })
  const [one = ''] = recoveryCodes
  expect(await enter(one, { step })).toEqual(signedIn)
  const logged = JSON.stringify(await db.selectFrom('audit_log').selectAll().execute())
  expect(logged).toContain('/api/factors/authenticator/confirm')
  expect(logged).toContain('/api/auth/factor')
  for (const kept of [secret, `"${first}"`, one, step]) expect(logged).not.toContain(kept)
})

test('secrets are encrypted, with the newest key after a rotation', async () => {
  const { code, recoveryCodes } = await withApp()
  const rotated = {
    ...services,
    secret: Buffer.alloc(32, 'newest'),
    formerSecrets: [services.secret],
  }
  const sealed = async () =>
    (await db.selectFrom('authenticators').select('secret_sealed').executeTakeFirstOrThrow())
      .secret_sealed
  await resealAuthenticators(rotated)
  expect(isSealedWith(deriveKey(rotated.secret, 'authenticators'), await sealed())).toBe(true)
  await resealAuthenticators({ ...services, formerSecrets: [rotated.secret] })
  expect(await enter(code())).toEqual(signedIn)
  const stored = JSON.stringify(await db.selectFrom('recovery_codes').selectAll().execute())
  for (const one of recoveryCodes) expect(stored).not.toContain(one)
})
