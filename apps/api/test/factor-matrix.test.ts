import { type EndpointName, endpoints } from '@tallyroom/contract/endpoints'
import type { FactorAsked } from '@tallyroom/contract/people/passkeys'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import {
  FACTOR_GROUPS,
  type FactorAct,
  factorActs,
  type FactorGroup,
} from '@tallyroom/domain/sign-in-rules'
import { roleNumber } from '@tallyroom/domain/roles'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { inTransaction } from '../src/db/transaction.ts'
import { hashToken } from '../src/lib/tokens.ts'
import { makeRecoveryCodes } from '../src/people/factors/recovery-codes.ts'
import { recordFactorReset } from '../src/people/hands/record-hand.ts'
import { makeTokenText } from '../src/people/tokens/token-text.ts'
import { buildAccount, buildAgent, buildOffice } from './build-world.ts'
import type { Sent } from './access-matrix.ts'
import { emptyTables, testDatabase } from './database.ts'
import { buildOwed, buildPay, seenOf } from './payment-world.ts'
import { buildApp as buildAuthenticator } from './second-factor.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'
import { tokenOf } from './token-of.ts'
import { virtualAuthenticator } from './virtual-authenticator.ts'
import { partnerEnvironment, waysIn } from './ways-in.ts'

/*
 * Of whom a second factor is required, who has one, and how they came: what their session may call. And what takes it each time.
 */

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: partnerEnvironment })
const { clock } = services
const app = await buildApp(services)
afterAll(() => app.close())
const { signInAs, signInByPartner } = waysIn(app, clock)

const officeId = await buildOffice(db, { username: 'manila' })
const agentId = await buildAgent(db, { office_id: officeId, username: 'maria' })
await buildAccount(db, { username: 'root' })
await buildAccount(db, { username: 'ann', role: roleNumber('admin') })
await buildAccount(db, { username: 'bea', role: roleNumber('admin'), pay: true })
await buildAccount(db, { username: 'eve' })
await buildAccount(db, { username: 'dan' })
await buildPay(db)

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  await db.deleteFrom('authenticators').execute()
  await db.updateTable('sign_in_rules').set(off).execute()
})

const off = {
  superadmins: null,
  admins: null,
  payers: null,
  offices: null,
  agents: null,
  second_acts: null,
}

/** Whose groups are whose. */
const people: Record<string, readonly FactorGroup[]> = {
  root: ['superadmins', 'payers'],
  ann: ['admins'],
  bea: ['admins', 'payers'],
  manila: ['offices'],
  maria: ['agents'],
}
const sellers = new Set(['manila', 'maria'])

const kinds = {
  'a session of their own': (username: string) => tokenOf(services, username),
  'Sign in as': async (username: string) => {
    const as = username === 'maria' ? { agentId } : { companyId: officeId }
    return (await signInAs(await tokenOf(services, 'root'), as)).token
  },
  'a partner’s session': signInByPartner,
  'an API token': async (username: string) => {
    const text = makeTokenText()
    const { id } = await accountOf(username)
    await db
      .insertInto('api_tokens')
      .values({
        account_id: id,
        name: 'books',
        hash: hashToken(text),
        may: ['figures'],
        made_at: clock.now(),
        ends_at: new Date('2027-01-01'),
      })
      .execute()
    return text
  },
}
type Kind = keyof typeof kinds

const accountOf = (username: string) =>
  db.selectFrom('accounts').select('id').where('username', '=', username).executeTakeFirstOrThrow()

const giveFactor = async (username: string) => {
  const { id } = await accountOf(username)
  const begun_at = clock.now()
  const added = { account_id: id, secret_sealed: Buffer.of(1), begun_at, added_at: begun_at }
  await db
    .insertInto('authenticators')
    .values({ ...added, last_step: 0 })
    .execute()
}

const cases = Object.entries(people).flatMap(([username, groups]) =>
  (Object.keys(kinds) as Kind[])
    .filter((kind) => sellers.has(username) || kind.endsWith('own') || kind.endsWith('token'))
    .flatMap((kind) =>
      FACTOR_GROUPS.flatMap((required) =>
        [true, false].map((hasFactor) => {
          // In the name of an office or agent, it is root who needs one.
          const asked = kind === 'Sign in as' ? people['root'] : groups
          const isAsked = asked?.includes(required) === true && !hasFactor
          const outcome = !isAsked
            ? 'all'
            : kind === 'a session of their own'
              ? 'a factor'
              : kind === 'Sign in as'
                ? 'nothing'
                : 'all'
          return { username, kind, required, hasFactor, outcome }
        }),
      ),
    ),
)

const table: Record<EndpointName, Endpoint> = endpoints
const signedIn = Object.values(table).filter(({ ability }) => ability !== 'public')
const leading = signedIn.filter(({ beforeFactor }) => beforeFactor)
/** Such as every page makes. */
const some = [endpoints.me, endpoints.ownFactors, endpoints.listSessions, endpoints.signInRules]

const ask = async ({ method, path }: Endpoint, token: string) => {
  const url = path.replaceAll(/:\w+/g, '1')
  const answer = await app.inject({ method, url, headers: { authorization: `Bearer ${token}` } })
  const isLed = answer.json().message === 'Please add a second factor first.'
  return isLed ? 'led to a factor' : answer.statusCode
}

describe.each(cases)(
  '$username by $kind, required of $required, has one: $hasFactor',
  ({ username, kind, required, hasFactor, outcome }) => {
    test(`may call ${outcome}`, async () => {
      const token = await kinds[kind](username)
      if (hasFactor) await giveFactor(kind === 'Sign in as' ? 'root' : username)
      await db
        .updateTable('sign_in_rules')
        .set({ ...off, [required]: '2026-03-01' })
        .execute()
      const called = outcome === 'a factor' ? signedIn : some
      for (const endpoint of called.filter((one) => one !== endpoints.logout)) {
        const answer = await ask(endpoint, token)
        const isLed = outcome === 'a factor' && !leading.includes(endpoint)
        const what = `${endpoint.method} ${endpoint.path}`
        if (outcome === 'nothing') expect([what, answer]).toEqual([what, 401])
        else if (isLed) expect([what, answer]).toEqual([what, 'led to a factor'])
        else expect([what, answer]).not.toEqual([what, 'led to a factor'])
        if (outcome === 'all') expect([what, answer]).not.toEqual([what, 401])
      }
    })
  },
)

test('what adds a factor, and what leads there, is this and no more', () => {
  expect(leading.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    'GET /api/accounts/me',
    'GET /api/factors',
    'POST /api/auth/logout',
    'POST /api/auth/prove',
    'POST /api/factors/authenticator',
    'POST /api/factors/authenticator/confirm',
    'POST /api/factors/passkeys',
    'POST /api/factors/passkeys/begin',
  ])
})

const call = async (endpoint: Endpoint, sent: Sent, token: string, factor?: object) => {
  const answer = await send(app, endpoint, sent, { token, factor })
  const isJson = String(answer.headers['content-type']).startsWith('application/json')
  return { status: answer.statusCode, body: isJson ? answer.json() : answer.body }
}
type Attempt = (token: string, factor?: object) => ReturnType<typeof call>

/** A run that eve has prepared. */
async function preparedRun(): Promise<number> {
  await buildOwed(db, await buildOffice(db))
  const body = { period: null, currency: 'PHP', templateId: 1 }
  // Elsewhere than who approves it.
  const ip = '198.51.100.9'
  const token = await tokenOf(services, 'eve', { ip, userAgent: 'another' })
  const made = await send(app, endpoints.preparePaymentRun, { body }, { token, ip })
  return made.json().id
}

const approving = async (id: number): Promise<Attempt> => {
  const body = await seenOf(db, id)
  const params = { id: String(id) }
  return (token, factor) => call(endpoints.approvePaymentRun, { params, body }, token, factor)
}

/** Another way to an act. */
const alsoActs = {
  'grant PAY to a new admin': 'grant PAY',
  'set the address of a payer': 'open payer',
  'mail a payer an invitation': 'open payer',
  'make a payer the link of an invitation': 'open payer',
} as const satisfies Record<string, FactorAct>
const actOf = (name: keyof typeof acts): FactorAct =>
  name in alsoActs ? alsoActs[name as keyof typeof alsoActs] : (name as FactorAct)

const aPayer = (values: object = {}) =>
  buildAccount(db, {
    role: roleNumber('admin'),
    pay: true,
    email: `${Math.random()}@example.com`,
    ...values,
  })
const changing = async (body: Record<string, unknown>): Promise<Attempt> => {
  const sent = { params: { id: String(await aPayer()) }, body }
  return (token, factor) => call(endpoints.updateAdmin, sent, token, factor)
}
const inviting = async (endpoint: Endpoint): Promise<Attempt> => {
  const sent = { params: { id: String(await aPayer({ invited_at: clock.now() })) } }
  return (token, factor) => call(endpoint, sent, token, factor)
}

/** Each act, made ready for somebody to do it. */
const acts: Record<FactorAct | keyof typeof alsoActs, () => Promise<Attempt>> = {
  approve: async () => approving(await preparedRun()),
  async 'take file'() {
    const id = await preparedRun()
    const approve = await approving(id)
    expect(await approve(await tokenOf(services, 'dan'))).toMatchObject({ status: 200 })
    const { name } = await db
      .selectFrom('payment_run_files')
      .select('name')
      .where('run_id', '=', id)
      .executeTakeFirstOrThrow()
    const sent = { params: { id: String(id) }, body: { name } }
    return (token, factor) => call(endpoints.takePaymentFile, sent, token, factor)
  },
  async 'close period'() {
    const { body } = await call(endpoints.payPeriods, {}, await tokenOf(services, 'eve'))
    const { name } = body.find(({ state }: { state: string }) => state === 'ready')
    const sent = { params: { name }, body: { typed: name, postbacks: [] } }
    return (token, factor) => call(endpoints.closePayPeriod, sent, token, factor)
  },
  async 'grant PAY'() {
    const id = await buildAccount(db, { role: roleNumber('admin'), email: 'new@example.com' })
    const sent = { params: { id: String(id) }, body: { pay: true } }
    return (token, factor) => call(endpoints.updateAdmin, sent, token, factor)
  },
  async 'grant PAY to a new admin'() {
    const password = 'quiet-otter-91'
    const username = `n${String(Math.random()).slice(2, 11)}`
    const email = `${username}@example.com`
    const body = { username, email, password, passwordConfirm: password, pay: true }
    return (token, factor) => call(endpoints.createAdmin, { body }, token, factor)
  },
  'open payer': () => changing({ password: 'quiet-otter-91', passwordConfirm: 'quiet-otter-91' }),
  'set the address of a payer': () => changing({ email: `${Math.random()}@example.com` }),
  'mail a payer an invitation': () => inviting(endpoints.inviteAdmin),
  'make a payer the link of an invitation': () => inviting(endpoints.makeAdminInvitationLink),
  async 'put off factors'() {
    // On the day of each test.
    return (token, factor) =>
      call(endpoints.saveSignInRules, { body: { secondActs: '2026-12-01' } }, token, factor)
  },
  async 'new recovery codes'() {
    return (token, factor) => call(endpoints.renewRecoveryCodes, {}, token, factor)
  },
  async 'add factor'() {
    const begun = await call(endpoints.beginPasskey, {}, await tokenOf(services, 'root'))
    const made = virtualAuthenticator({ origin: 'http://localhost:80' }).create(begun.body)
    const sent = { body: { name: 'Phone', made } }
    return (token, factor) => call(endpoints.addPasskey, sent, token, factor)
  },
}
const today = '2026-08-03'

describe.each(Object.keys(acts) as (keyof typeof acts)[])('%s', (act) => {
  const { endsWithDay, byRecoveryCode } = factorActs[actOf(act)]

  beforeEach(async () => {
    clock.set(`${today}T15:00:00Z`)
    await db.deleteFrom('sessions').execute()
    await db.deleteFrom('passkeys').execute()
    await db.deleteFrom('recovery_codes').execute()
    await db.deleteFrom('sign_in_waits').execute()
    await db.deleteFrom('authenticators').execute()
    await emptyTables(database.connection, ['account_hands'])
    await db.updateTable('sign_in_rules').set(off).execute()
  })

  // Without one, there are no codes to make.
  test.skipIf(act === 'new recovery codes').each([null, '2026-08-04', today])(
    'without a factor, from %s on',
    async (second_acts) => {
      const attempt = await acts[act]()
      await db.updateTable('sign_in_rules').set({ second_acts }).execute()
      const answer = await attempt(await tokenOf(services, 'root'))
      expect(answer).toMatchObject(
        second_acts === today && endsWithDay
          ? {
              status: 403,
              body: { code: 'FORBIDDEN', message: expect.stringContaining('second factor') },
            }
          : { status: 200 },
      )
    },
  )

  test('with one, takes it each time, and stands in the common logs once', async () => {
    const attempt = await acts[act]()
    const { id } = await accountOf('root')
    await db.updateTable('sign_in_rules').set({ second_acts: '2026-11-01' }).execute()
    const code = await buildAuthenticator(services, id)
    const token = await tokenOf(services, 'root')
    const logged = async () =>
      (await db.selectFrom('audit_log').select('id').where('account_id', '=', id).execute()).length
    const before = await logged()
    const refused = await attempt(token)
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'FACTOR_NEEDED', asks: { act: actOf(act), byCode: true } },
    })
    expect(await logged()).toBe(before)
    const { challenge } = refused.body.asks as FactorAsked
    expect(await attempt(token, { challenge, code: '000000' })).toMatchObject({
      status: 403,
      body: { data: { code: [expect.any(String)] } },
    })
    // A wrong one is no question.
    expect(await logged()).toBe(before + 1)
    const [recovery] = await inTransaction(db, (tx) => makeRecoveryCodes(tx, id))
    const right = byRecoveryCode ? recovery : code()
    if (!byRecoveryCode)
      expect(await attempt(token, { challenge, code: recovery })).toMatchObject({ status: 403 })
    const last = await logged()
    expect(await attempt(token, { challenge, code: right })).toMatchObject({ status: 200 })
    expect(await logged()).toBe(last + 1)
  })
  test('after a recovery code, an account does it or has to wait', async () => {
    const attempt = await acts[act]()
    const { id } = await accountOf('root')
    await db.updateTable('sign_in_rules').set({ second_acts: '2026-11-01' }).execute()
    await buildAuthenticator(services, id)
    await inTransaction(db, (tx) =>
      recordFactorReset(tx, { accountId: id, kind: 'recovered factor', at: tx.now }),
    )
    expect(await attempt(await tokenOf(services, 'root'))).toMatchObject(
      endsWithDay
        ? {
            status: 403,
            body: {
              code: 'FORBIDDEN',
              message: expect.stringContaining('with a recovery code on 3 Aug 2026'),
            },
          }
        : { status: 403, body: { code: 'FACTOR_NEEDED' } },
    )
  })
})

test.each(['take file', 'grant PAY', 'open payer', 'add factor'] as const)(
  'what was given to %s is good for no other one',
  async (act) => {
    clock.set(`${today}T15:00:00Z`)
    await db.deleteFrom('sessions').execute()
    await emptyTables(database.connection, ['account_hands', 'authenticators', 'passkeys'])
    const [one, other] = [await acts[act](), await acts[act]()]
    const code = await buildAuthenticator(services, (await accountOf('root')).id)
    const token = await tokenOf(services, 'root')
    const { challenge } = (await one(token)).body.asks as FactorAsked
    expect(await other(token, { challenge, code: code() })).toMatchObject({ status: 409 })
    expect(await one(token, { challenge, code: code() })).toMatchObject({ status: 200 })
  },
)
