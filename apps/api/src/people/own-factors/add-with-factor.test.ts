import { authEndpoints } from '@tallyroom/contract/people/auth'
import { factorsEndpoints } from '@tallyroom/contract/people/factors'
import type { FactorAsked } from '@tallyroom/contract/people/passkeys'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { roleNumber } from '@tallyroom/domain/roles'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Sent } from '../../../test/access-matrix.ts'
import { authenticatorOf } from '../../../test/authenticator-app.ts'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildApp, buildPasskey } from '../../../test/second-factor.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { virtualAuthenticator } from '../../../test/virtual-authenticator.ts'
import { password } from '../../../test/ways-in.ts'
import { buildApp as startApp } from '../../app.ts'
import { inTransaction } from '../../db/transaction.ts'
import { hashPassword } from '../../lib/password.ts'
import { makeRecoveryCodes } from '../factors/recovery-codes.ts'
import { findPersons } from '../hands/persons.ts'
import { whyMayNot } from '../hands/who-may.ts'

/* Whoever has a second factor and adds another one, or removes one by a recovery code. */

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock } = services
const app = await startApp(services)
afterAll(() => app.close())

const {
  beginAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
  removePasskey,
  renewRecoveryCodes,
  beginPasskey,
  addPasskey,
  ownFactors,
} = factorsEndpoints

const { prove } = authEndpoints

const origin = 'http://localhost:80'
let bea: number
let maria: number
beforeAll(async () => {
  const office = await buildOffice(db, { username: 'manila' })
  await buildAgent(db, { office_id: office, username: 'maria' })
  await buildAccount(db, { username: 'root', email: 'root@example.com' })
  bea = await buildAccount(db, {
    username: 'bea',
    role: roleNumber('admin'),
    pay: true,
    email: 'bea@example.com',
  })
  const found = await db
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', 'maria')
    .execute()
  maria = found[0]!.id
  await db
    .updateTable('accounts')
    .set({ password_hash: await hashPassword(password) })
    .execute()
})

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  await emptyTables(database.connection, [
    'sessions',
    'sign_in_waits',
    'authenticators',
    'passkeys',
    'recovery_codes',
    'account_hands',
    'mails',
    'facts',
  ])
})

const ask = async (endpoint: Endpoint, sent: Sent, by: { token: string; factor?: object }) => {
  const answer = await send(app, endpoint, sent, by)
  return { status: answer.statusCode, body: answer.json() }
}
type Added = Awaited<ReturnType<typeof ask>>

/** Begins to add each kind of factor. What is returned adds it, as often as it is called. */
const kinds: Record<string, (token: string) => Promise<(factor?: object) => Promise<Added>>> = {
  async 'a passkey'(token) {
    const { body: begun } = await ask(beginPasskey, {}, { token })
    const body = { name: 'Second', made: virtualAuthenticator({ origin }).create(begun) }
    return (factor) => ask(addPasskey, { body }, { token, ...(factor && { factor }) })
  },
  async 'an app'(token) {
    const { body: begun } = await ask(beginAuthenticator, {}, { token })
    const body = { code: authenticatorOf(begun.secret, clock)() }
    return (factor) => ask(confirmAuthenticator, { body }, { token, ...(factor && { factor }) })
  },
}

const recoveryCodeOf = async (accountId: number): Promise<string> =>
  (await inTransaction(db, (tx) => makeRecoveryCodes(tx, accountId)))[0]!

const countOf = async (token: string): Promise<number> => {
  const { body } = await ask(ownFactors, {}, { token })
  return body.passkeys.length + (body.authenticatorAddedAt === null ? 0 : 1)
}

/** Why an account approves nothing, some days later. */
const barred = async (accountId: number, days = 0) => {
  const at = new Date(clock.peek().getTime() + days * 24 * 60 * 60_000)
  return whyMayNot('approve run', accountId, [], await findPersons(db, at, [accountId]))?.why
}

const mailed = () => db.selectFrom('mails').select(['recipient as to', 'subject']).execute()

const asked = {
  status: 403,
  body: { code: 'FACTOR_NEEDED', asks: { act: 'add factor', byCode: false } },
}

test.each(Object.keys(kinds))('the first factor, %s, is added by the password', async (kind) => {
  const token = await tokenOf(services, 'bea')
  const add = await kinds[kind]!(token)
  expect(await add()).toMatchObject({ status: 200 })
  expect(await barred(bea)).toBeUndefined()
})

test.each(Object.keys(kinds))('another one, %s, takes the passkey that there is', async (kind) => {
  const device = await buildPasskey(services, bea)
  const token = await tokenOf(services, 'bea')
  const add = await kinds[kind]!(token)
  const refused = await add()
  expect(refused).toMatchObject(asked)
  expect(await countOf(token)).toBe(1)
  const { challenge, passkey } = refused.body.asks as FactorAsked
  const unsigned = { challenge, passkey: { ...device.get(passkey!), signature: 'AAAA' } }
  expect(await add(unsigned)).toMatchObject({ body: { code: 'FACTOR_NEEDED' } })
  expect(await countOf(token)).toBe(1)
  expect(await add({ challenge, passkey: device.get(passkey!) })).toMatchObject({ status: 200 })
  expect(await countOf(token)).toBe(2)
  expect(await barred(bea)).toBeUndefined()
  expect(await mailed()).toEqual([{ to: 'bea@example.com', subject: expect.any(String) }])
})

test('what was signed to add one passkey adds no other', async () => {
  const device = await buildPasskey(services, bea)
  const token = await tokenOf(services, 'bea')
  const [one, other] = [await kinds['a passkey']!(token), await kinds['a passkey']!(token)]
  const { challenge, passkey } = (await one()).body.asks as FactorAsked
  const given = { challenge, passkey: device.get(passkey!) }
  expect(await other(given)).toMatchObject({ status: 409 })
  expect(await countOf(token)).toBe(1)
})

test('another passkey takes a code of the app that there is', async () => {
  const code = await buildApp(services, bea)
  const token = await tokenOf(services, 'bea')
  const add = await kinds['a passkey']!(token)
  const { challenge, byCode } = (await add()).body.asks as FactorAsked
  expect(byCode).toBe(true)
  expect(await add({ challenge, code: code() })).toMatchObject({ status: 200 })
  expect(await barred(bea)).toBeUndefined()
})

test.each(Object.keys(kinds))(
  'whoever adds %s with a recovery code approves nothing for seven days, and who may pay is told',
  async (kind) => {
    await buildPasskey(services, bea, { host: 'another.example.com' })
    const code = await recoveryCodeOf(bea)
    const token = await tokenOf(services, 'bea')
    const add = await kinds[kind]!(token)
    const refused = await add()
    expect(refused).toMatchObject({ ...asked, body: { asks: { passkey: null } } })
    const { challenge } = refused.body.asks as FactorAsked
    expect(await add({ challenge, code: 'AAAA-BBBB' })).toMatchObject({
      body: { data: { code: [expect.stringContaining('is wrong')] } },
    })
    expect(await barred(bea)).toBeUndefined()
    expect(await add({ challenge, code })).toMatchObject({ status: 200 })
    expect(await countOf(token)).toBe(2)
    const why = 'changed a second factor or its recovery codes with a recovery code on 1 Mar 2026'
    expect(await barred(bea)).toBe(why)
    expect(await barred(bea, 6.9)).toBe(why)
    expect(await barred(bea, 7)).toBeUndefined()
    const mails = await mailed()
    const told = mails.filter(({ subject }) => /second factor of bea was changed/.test(subject))
    expect(told.map(({ to }) => to).toSorted()).toEqual(['bea@example.com', 'root@example.com'])
    expect(mails.map(({ subject }) => subject).join('\n')).toContain('a recovery code of your')
    const facts = await db.selectFrom('facts').select(['kind', 'subject']).execute()
    expect(facts).toContainEqual({ kind: 'factor.recovered', subject: { username: 'bea' } })
  },
)

test('a recovery code of an account that pays nobody is told to its holder alone', async () => {
  await buildPasskey(services, maria)
  const code = await recoveryCodeOf(maria)
  const add = await kinds['a passkey']!(await tokenOf(services, 'maria'))
  const { challenge } = (await add()).body.asks as FactorAsked
  expect(await add({ challenge, code })).toMatchObject({ status: 200 })
  expect(await barred(maria)).toContain('with a recovery code')
  const facts = await db.selectFrom('facts').select('kind').distinct().execute()
  expect(facts).toEqual([{ kind: 'factor.changed' }])
})

test.each([
  ['a passkey', 'a recovery code', removePasskey],
  ['an app', 'a recovery code', removeAuthenticator],
  ['a passkey', 'the app', removePasskey],
  ['an app', 'the app', removeAuthenticator],
] as const)(
  'removing %s with %s: only a recovery code lets the account approve nothing for seven days',
  async (_, by, endpoint) => {
    const shown = await buildApp(services, bea)
    await buildPasskey(services, bea)
    const code = await recoveryCodeOf(bea)
    const token = await tokenOf(services, 'bea')
    const { body: own } = await ask(ownFactors, {}, { token })
    const params = { id: String(own.passkeys[0].id) }
    const given = by === 'a recovery code' ? code : shown()
    const removed = await ask(endpoint, { params, body: { password, code: given } }, { token })
    expect(removed).toMatchObject({ status: 200 })
    const isBarred = by === 'a recovery code'
    expect(await barred(bea)).toEqual(isBarred ? expect.stringContaining(by) : undefined)
    const told = (await mailed()).map(({ to }) => to)
    expect(told.includes('root@example.com')).toBe(isBarred)
  },
)

const renew = async (token: string, factor?: object) =>
  ask(renewRecoveryCodes, {}, { token, ...(factor && { factor }) })

test('a session of ten minutes alone gets no recovery codes', async () => {
  const code = await buildApp(services, bea)
  const token = await tokenOf(services, 'bea')
  const refused = await renew(token)
  expect(refused).toMatchObject({
    status: 403,
    body: { code: 'FACTOR_NEEDED', asks: { act: 'new recovery codes', byCode: true } },
  })
  const { challenge } = refused.body.asks as FactorAsked
  expect(await renew(token, { challenge, code: code() })).toMatchObject({
    status: 200,
    body: { recoveryCodes: { length: 10 } },
  })
  expect(await barred(bea)).toBeUndefined()
})

test('whoever makes recovery codes with one of the former approves nothing for seven days', async () => {
  await buildApp(services, bea)
  const code = await recoveryCodeOf(bea)
  const token = await tokenOf(services, 'bea')
  const { challenge } = (await renew(token)).body.asks as FactorAsked
  expect(await renew(token, { challenge, code })).toMatchObject({ status: 200 })
  expect(await barred(bea)).toContain('with a recovery code')
})

test('so does whoever signed in with the last of them, and is asked for nothing more', async () => {
  await buildApp(services, bea)
  const code = await recoveryCodeOf(bea)
  const token = await tokenOf(services, 'bea')
  expect((await ask(prove, { body: { password, code } }, { token })).status).toBe(200)
  // With others left, one is asked for.
  expect(await renew(token)).toMatchObject({ body: { code: 'FACTOR_NEEDED' } })
  await db.deleteFrom('recovery_codes').where('used_at', 'is', null).execute()
  expect(await renew(token)).toMatchObject({ status: 200, body: { recoveryCodes: { length: 10 } } })
  expect(await barred(bea)).toContain('with a recovery code')
})

test('the code of a new app is good while a recovery code is looked for', async () => {
  await buildPasskey(services, bea, { host: 'another.example.com' })
  const code = await recoveryCodeOf(bea)
  const token = await tokenOf(services, 'bea')
  const add = await kinds['an app']!(token)
  const { challenge } = (await add()).body.asks as FactorAsked
  clock.advance(90_000)
  expect(await add()).toMatchObject({ status: 422 })
  expect(await add({ challenge, code })).toMatchObject({ status: 200 })
})

test('wrong factors make the account wait, as wrong passwords do', async () => {
  await buildPasskey(services, bea)
  const add = await kinds['a passkey']!(await tokenOf(services, 'bea'))
  let { challenge } = (await add()).body.asks as FactorAsked
  for (const _ of [1, 2, 3, 4, 5]) {
    const refused = await add({ challenge, code: 'AAAA-BBBB' })
    expect(refused).toMatchObject({ status: 403 })
    challenge = refused.body.asks.challenge
  }
  expect(await add({ challenge, code: await recoveryCodeOf(bea) })).toMatchObject({ status: 429 })
})
