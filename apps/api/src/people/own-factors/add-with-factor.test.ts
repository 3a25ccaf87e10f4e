import { authEndpoints } from '@tallyroom/contract/people/auth'
import { adminsEndpoints } from '@tallyroom/contract/people/admins'
import { factorsEndpoints } from '@tallyroom/contract/people/factors'
import type { FactorAsked } from '@tallyroom/contract/people/passkeys'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { roleNumber } from '@tallyroom/domain/roles'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Sent } from '../../../test/access-matrix.ts'
import { authenticatorOf } from '../../../test/authenticator-app.ts'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildApp, buildPasskey } from '../../../test/second-factor.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { until } from '../../../test/until.ts'
import { sealWorld } from '../../../test/verify-world.ts'
import { virtualAuthenticator } from '../../../test/virtual-authenticator.ts'
import { password } from '../../../test/ways-in.ts'
import { buildApp as startApp } from '../../app.ts'
import { inTransaction } from '../../db/transaction.ts'
import { hashPassword } from '../../lib/password.ts'
import { resetFactor } from '../admins/operator.ts'
import { checkRows } from '../../seals/index.ts'
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
const { deleteAdmin } = adminsEndpoints

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
    'passkey_changes',
    'pay_seals',
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

const changes = () =>
  db
    .selectFrom('passkey_changes')
    .select(['account_id', 'kind', 'credential_id', 'public_key'])
    .orderBy('id')
    .execute()

test.each<[string, (id: number) => Promise<unknown>]>([
  [
    'its holder removes it',
    async (id) => {
      const token = await tokenOf(services, 'gil')
      const code = await recoveryCodeOf(id)
      // Longer ago than what decides money asks for.
      clock.advance(11 * 60_000)
      const params = { id: String((await ask(ownFactors, {}, { token })).body.passkeys[0].id) }
      return ask(removePasskey, { params, body: { password, code } }, { token })
    },
  ],
  ['the operator removes all factors', () => resetFactor(services, 'gil')],
  [
    'the account is deleted',
    async (id) => {
      const token = await tokenOf(services, 'root')
      return ask(deleteAdmin, { params: { id: String(id) } }, { token })
    },
  ],
])('the key of a passkey of staff is kept, also once %s', async (_, remove) => {
  await sealWorld(db)
  const password_hash = await hashPassword(password)
  const gil = { username: 'gil', role: roleNumber('admin'), email: null, password_hash }
  const id = await buildAccount(db, gil)
  await (
    await kinds['a passkey']!(await tokenOf(services, 'gil'))
  )()
  await (
    await kinds['a passkey']!(await tokenOf(services, 'maria'))
  )()
  const { credential_id, public_key } = await db
    .selectFrom('passkeys')
    .select(['credential_id', 'public_key'])
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow()
  const added = { account_id: id, kind: 'added', credential_id, public_key }
  expect(await changes()).toEqual([added])
  await remove(id)
  expect(await changes()).toEqual([added, { ...added, kind: 'removed' }])
  const left = await db.selectFrom('passkeys').select('account_id').execute()
  expect(left).toEqual([{ account_id: maria }])
  const sealed = { table: 'passkey_changes', which: 'all' } as const
  expect(await inTransaction(db, (tx) => checkRows(tx, [sealed]))).toEqual([])
  await db.deleteFrom('accounts').where('id', '=', id).execute()
})

/** Lets an act go on until it waits for what somebody else holds, and returns how many of these rows are free by then. */
async function freeWhileWaiting(
  held: string,
  rows: string,
  act: () => Promise<unknown>,
): Promise<number | null> {
  const other = new pg.Client(database.connection.url)
  await other.connect()
  try {
    await other.query('begin')
    await other.query(held)
    const done = act()
    await until(async () => {
      const { rowCount } = await other.query(
        'select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))',
      )
      return rowCount !== 0
    })
    const free = await other.query(`select from ${rows} for update skip locked`)
    await other.query('rollback')
    await done
    return free.rowCount
  } finally {
    await other.end()
  }
}

const holdMails = `
  insert into change_counters as present (topic, changes) values ('mails', 1)
  on conflict (topic) do update set changes = present.changes + 1`

type FactorTable = 'recovery_codes' | 'authenticators' | 'passkeys'

test.each<[string, FactorTable, () => Promise<() => Promise<unknown>>]>([
  [
    'add one with a recovery code',
    'recovery_codes',
    async () => {
      await buildApp(services, bea)
      const code = await recoveryCodeOf(bea)
      const add = await kinds['a passkey']!(await tokenOf(services, 'bea'))
      const { challenge } = (await add()).body.asks as FactorAsked
      return async () => expect(await add({ challenge, code })).toMatchObject({ status: 200 })
    },
  ],
  [
    'remove one',
    'authenticators',
    async () => {
      const shown = await buildApp(services, bea)
      await buildPasskey(services, bea)
      const token = await tokenOf(services, 'bea')
      const params = { id: String((await ask(ownFactors, {}, { token })).body.passkeys[0].id) }
      const body = { password, code: shown() }
      return async () =>
        expect(await ask(removePasskey, { params, body }, { token })).toMatchObject({ status: 200 })
    },
  ],
  [
    'make recovery codes with one of them',
    'recovery_codes',
    async () => {
      await buildApp(services, bea)
      const code = await recoveryCodeOf(bea)
      const token = await tokenOf(services, 'bea')
      const { challenge } = (await renew(token)).body.asks as FactorAsked
      return async () =>
        expect(await renew(token, { challenge, code })).toMatchObject({ status: 200 })
    },
  ],
  [
    'lose all by the operator’s hand',
    'passkeys',
    async () => {
      await buildPasskey(services, bea)
      return async () => resetFactor(services, 'bea')
    },
  ],
])('those who %s lock the seals before mails, and after the factors', async (_, table, begin) => {
  const first = await begin()
  await db.deleteFrom('mails').execute()
  expect(await freeWhileWaiting(holdMails, 'pay_seal_head', first)).toBe(0)
  expect(await mailed()).not.toEqual([])

  await db.deleteFrom('authenticators').execute()
  await db.deleteFrom('recovery_codes').execute()
  await db.deleteFrom('passkeys').execute()
  const second = await begin()
  const sealed = 'select from pay_seal_head for update'
  const { count } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBeGreaterThan(0)
  expect(await freeWhileWaiting(sealed, table, second)).toBeLessThan(count)
})
