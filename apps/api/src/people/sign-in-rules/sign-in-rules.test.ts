import { accountsEndpoints } from '@tallyroom/contract/people/accounts'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { factorsEndpoints } from '@tallyroom/contract/people/factors'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { signInRulesEndpoints } from '@tallyroom/contract/people/sign-in-rules'
import type { RulesOfGroups } from '@tallyroom/domain/sign-in-rules'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { addAuthenticator } from '../../../test/second-factor.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { partnerEnvironment, password, waysIn } from '../../../test/ways-in.ts'
import { buildApp } from '../../app.ts'
import { hashPassword } from '../../lib/password.ts'
import { resetFactor } from '../admins/operator.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: partnerEnvironment })
const { clock } = services
const app = await buildApp(services)
afterAll(() => app.close())

const { proved, signIn, signInAs, signInByPartner } = waysIn(app, clock)

let agentId: number
let passwordHash: string
beforeAll(async () => {
  passwordHash = await hashPassword(password)
  const office = await buildOffice(db, { username: 'manila' })
  agentId = await buildAgent(db, { office_id: office, username: 'maria' })
  await buildAccount(db, { username: 'root' })
})

/** 22:00 in New York, in summer. */
const EVENING = '2026-07-02T02:00:00Z'

beforeEach(async () => {
  clock.set(EVENING)
  await db.deleteFrom('sessions').execute()
  await db.deleteFrom('authenticators').execute()
  await db.deleteFrom('recovery_codes').execute()
  await emptyTables(database.connection, ['account_hands'])
  await rule({})
  await db
    .updateTable('accounts')
    .set({ password_hash: passwordHash, must_change_password: false })
    .execute()
})

const rule = (rules: Partial<RulesOfGroups>) =>
  db
    .updateTable('sign_in_rules')
    .set({
      superadmins: null,
      admins: null,
      payers: null,
      offices: null,
      agents: null,
      second_acts: null,
      ...rules,
    })
    .execute()

const hours = (count: number) => count * 60 * 60_000
const { me } = accountsEndpoints
const { listSessions } = profileEndpoints
const call = async (endpoint: Parameters<typeof send>[1], token: string, body?: object) =>
  (await send(app, endpoint, body ? { body: { ...body } } : {}, { token })).json()

const led = { code: 'FORBIDDEN', message: 'Please add a second factor first.' }
const works = { sessions: expect.any(Array) }

test('from midnight in New York on, a session that stands can only add a factor, and then goes on', async () => {
  await rule({ agents: '2026-07-02' })
  const token = await tokenOf(services, 'maria')
  clock.advance(hours(2) - 1000)
  expect(await call(listSessions, token)).toEqual(works)
  expect(await call(me, token)).toMatchObject({ mustAddFactor: false })
  clock.advance(1000)
  expect(await call(listSessions, token)).toMatchObject(led)
  expect(await call(me, token)).toMatchObject({ mustAddFactor: true })
  await addAuthenticator(app, clock, await proved(token))
  expect(await call(me, token)).toMatchObject({ mustAddFactor: false })
  expect(await call(listSessions, token)).toEqual(works)
})

test('who signs in later is led there, and may sign out instead', async () => {
  await rule({ superadmins: '2026-07-01' })
  const token = await signIn('root')
  expect(await call(listSessions, token)).toMatchObject(led)
  expect(await call(authEndpoints.logout, token)).toEqual({ ok: true })
  expect(await call(me, token)).toMatchObject({ code: 'INVALID_TOKEN' })
})

test('a new password comes first', async () => {
  await rule({ superadmins: '2026-07-01' })
  await db.updateTable('accounts').set({ must_change_password: true }).execute()
  const token = await signIn('root')
  expect(await call(factorsEndpoints.ownFactors, token)).toMatchObject({
    message: 'Please set a new password first.',
  })
  const next = { password: 'Quiet-Otter-91', passwordConfirm: 'Quiet-Otter-91' }
  expect(await call(profileEndpoints.changePassword, token, next)).toEqual({ ok: true })
  expect(await call(listSessions, token)).toMatchObject(led)
})

test('the last factor can’t be removed while it is required', async () => {
  await rule({ superadmins: '2026-07-01' })
  const token = await tokenOf(services, 'root')
  const { code } = await addAuthenticator(app, clock, token)
  const remove = () => call(factorsEndpoints.removeAuthenticator, token, { password, code: code() })
  expect(await remove()).toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('Your network requires a second factor of you'),
  })
  // The code was not used up.
  await rule({})
  expect(await remove()).toEqual({ ok: true })
})

test('after a reset by the operator, the next sign-in leads to a factor', async () => {
  await rule({ superadmins: '2026-07-01' })
  await addAuthenticator(app, clock, await tokenOf(services, 'root'))
  await resetFactor(services, 'root')
  expect(await call(listSessions, await signIn('root'))).toMatchObject(led)
})

test('a partner vouches for who comes by it, until they enter their password', async () => {
  await rule({ agents: '2026-07-01' })
  const token = await signInByPartner('maria')
  expect(await call(listSessions, token)).toEqual(works)
  await proved(token)
  expect(await call(listSessions, token)).toMatchObject(led)
})

test('who is signed in as somebody else needs what is required of themselves', async () => {
  const own = await signIn('root')
  const { token } = await signInAs(own, { agentId })
  await rule({ agents: '2026-07-01' })
  expect(await call(me, token)).toMatchObject({ username: 'maria', mustAddFactor: false })
  await rule({ payers: '2026-07-01' })
  expect(await call(me, token)).toMatchObject({ code: 'INVALID_TOKEN' })
  await addAuthenticator(app, clock, own)
  expect(await call(me, token)).toMatchObject({ username: 'maria' })
})

test('a day in the past can’t be set, but stays', async () => {
  await rule({ agents: '2026-06-01' })
  const token = await tokenOf(services, 'root')
  const save = (body: object) => call(signInRulesEndpoints.saveSignInRules, token, body)
  expect(await save({ offices: '2026-06-30', agents: '2026-06-01' })).toMatchObject({
    data: { offices: ['must not be in the past'] },
  })
  expect(await save({ offices: '2026-07-01', agents: '2026-06-01' })).toEqual({ ok: true })
  expect(await call(signInRulesEndpoints.signInRules, token)).toMatchObject({
    superadmins: null,
    offices: '2026-07-01',
    agents: '2026-06-01',
  })
})

test('from when on approving needs a factor is chosen likewise', async () => {
  const token = await tokenOf(services, 'root')
  const save = (secondActs: string | null) =>
    call(signInRulesEndpoints.saveSignInRules, token, { secondActs })
  expect(await save('2026-06-30')).toMatchObject({
    data: { secondActs: ['must not be in the past'] },
  })
  expect(await save('2026-07-01')).toEqual({ ok: true })
  expect(await call(signInRulesEndpoints.signInRules, token)).toMatchObject({
    agents: null,
    secondActs: '2026-07-01',
  })
  // Without a factor, nobody ends what is closed without one.
  expect(await save(null)).toMatchObject({ code: 'FORBIDDEN' })
  expect(await save('2026-07-02')).toMatchObject({ code: 'FORBIDDEN' })
})

test('a day that has not come is put off, or brought forward, without a factor if there is none', async () => {
  const token = await tokenOf(services, 'root')
  const save = (secondActs: string | null) =>
    call(signInRulesEndpoints.saveSignInRules, token, { secondActs })
  expect(await save('2026-07-03')).toEqual({ ok: true })
  expect(await save('2026-07-09')).toEqual({ ok: true })
  await addAuthenticator(app, clock, token)
  expect(await save(null)).toMatchObject({
    code: 'FACTOR_NEEDED',
    asks: { act: 'put off factors' },
  })
  expect(await save('2026-07-02')).toEqual({ ok: true })
})

test('somebody else’s change is not overwritten', async () => {
  const token = await tokenOf(services, 'root')
  const { version } = await call(signInRulesEndpoints.signInRules, token)
  const save = (agents: string) =>
    call(signInRulesEndpoints.saveSignInRules, token, { agents, version })
  expect(await save('2026-07-03')).toEqual({ ok: true })
  expect(await save('2026-07-04')).toMatchObject({ code: 'CONFLICT' })
})
