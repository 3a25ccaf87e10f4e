import { createSecretKey, randomUUID } from 'node:crypto'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { endpoints } from '@tallyroom/contract/endpoints'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { remoteLoginEndpoints } from '@tallyroom/contract/people/remote-login'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { hashPassword } from '../src/lib/password.ts'
import { buildHome, callers, type Home, objects } from './access-matrix-world.ts'
import { matrix, type Sent } from './access-matrix.ts'
import { buildAccount } from './build-world.ts'
import { testDatabase } from './database.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'

const partnerSecret = 'shared with the partner, 32 characters and more'
const publicUrl = 'http://127.0.0.1:3000'
const password = 'Wooden-Harbor-77'
const newPassword = { password: 'Quiet-Otter-91', passwordConfirm: 'Quiet-Otter-91' }

const database = await testDatabase()
const { db } = database
const services = testServices(database, {
  environment: {
    PUBLIC_URL: publicUrl,
    CAPTCHA: 'off',
    PARTNER_SECRET: partnerSecret,
    PARTNER_ISSUER: 'partner',
  },
})
const { clock } = services
const app = await buildApp(services)
afterAll(() => app.close())

type Person = 'agent' | 'office' | 'superadmin'
const people: readonly Person[] = ['agent', 'office', 'superadmin']

/** A session of a person, and what a call that needs a recent proof answers in it. */
type Way = {
  open(username: string): Promise<string>
  answer: 'answered' | 'PROOF_NEEDED' | 'FORBIDDEN'
  whose: readonly Person[]
}

const minutes = (count: number) => count * 60_000
const members = ['agent', 'office'] as const

const ways: Record<string, Way> = {
  'with the password': { open: signIn, answer: 'answered', whose: people },
  'with the password ten minutes ago': {
    open: async (username) => {
      const token = await signIn(username)
      clock.advance(minutes(10))
      return token
    },
    answer: 'PROOF_NEEDED',
    whose: people,
  },
  'with the password entered again': {
    open: async (username) => {
      const token = await signIn(username)
      clock.advance(minutes(10))
      return proved(token)
    },
    answer: 'answered',
    whose: people,
  },
  'by a partner': { open: signInByPartner, answer: 'PROOF_NEEDED', whose: members },
  'by a partner, with the password entered': {
    open: async (username) => proved(await signInByPartner(username)),
    answer: 'answered',
    whose: members,
  },
  'with Sign in as': {
    open: async (username) => (await signInAs(await signIn('root'), username)).token,
    answer: 'FORBIDDEN',
    whose: members,
  },
  'by returning from Sign in as ten minutes after the password': {
    open: async (username) => {
      const own = await signIn(username)
      clock.advance(minutes(9))
      const { token, cookie } = await signInAs(own, usernames.agent)
      clock.advance(minutes(1))
      const back = await send(app, remoteLoginEndpoints.returnToOwn, {}, { token, cookie })
      return back.json().token
    },
    answer: 'PROOF_NEEDED',
    whose: ['superadmin'],
  },
}

let home: Home
const usernames: Record<Person, string> = { agent: '', office: '', superadmin: 'root' }

beforeAll(async () => {
  await buildAccount(db, { username: 'root' })
})

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  home = await buildHome(db)
  await db
    .updateTable('accounts')
    .set({ password_hash: await hashPassword(password), must_change_password: false })
    .execute()
  usernames.agent = await usernameOf('agent_id', home.agentId)
  usernames.office = await usernameOf('office_id', home.officeId)
})

const names = Object.keys(endpoints) as (keyof typeof endpoints)[]
const guarded = names.filter((name) => 'proof' in endpoints[name])

/** Every person who may make a guarded call, in every session that they could have. */
const cases = guarded.flatMap((name) => {
  const { kind, sentFor, answers } = matrix[name][0] ?? never(name)
  const target = 'own' in answers ? 'own' : 'any'
  const statuses = (answers[target] ?? '').split(' ')
  const whose = people.filter((person) => statuses[callers.indexOf(person)] === '200')
  return whose.flatMap((person) =>
    Object.entries(ways)
      .filter(([, way]) => way.whose.includes(person))
      .map(([how, way]) => ({ name, kind, sentFor, target, person, how, way })),
  )
})

test('the calls that need a recent proof', () => {
  expect([...new Set(cases.map(({ name }) => name))].toSorted()).toEqual(guarded.toSorted())
  expect(guarded.toSorted()).toMatchInlineSnapshot(`
    [
      "adminPassword",
      "agentPassword",
      "approvePayProposal",
      "approvePaymentRun",
      "changePassword",
      "createAdmin",
      "createPayFileTemplate",
      "createToken",
      "createWebhook",
      "decideAccount",
      "deletePayFileTemplate",
      "endOtherSessions",
      "endSession",
      "enterPayeeAccount",
      "officePassword",
      "reviewPaymentRun",
      "rotatePostbackKey",
      "rotateWebhookSecret",
      "takePaymentFile",
      "updateAdmin",
      "updateAdminProfile",
      "updateAgent",
      "updateAgentProfile",
      "updateCompanyProfile",
      "updateOffice",
      "updatePayFileTemplate",
      "updateWebhook",
    ]
  `)
})

describe.each(guarded)('%s', (guardedName) => {
  test.each(cases.filter(({ name }) => name === guardedName))(
    'of $person, signed in $how, is $way.answer',
    async ({ name, kind, sentFor, target, person, way }) => {
      const endpoint: Endpoint = endpoints[name]
      const build = kind && (objects[kind] as Record<string, typeof objects.office.own>)[target]
      const sent: Sent = sentFor((await build?.(db, home)) as never)
      const token = await way.open(usernames[person])
      const body =
        endpoint.proof === 'for-credentials' ? Object.assign({}, sent.body, newPassword) : sent.body
      const response = await send(app, endpoint, { ...sent, ...(body && { body }) }, { token })
      const outcome =
        response.statusCode === 200 ? 'answered' : (response.headers['error-code'] ?? response.body)
      expect(outcome).toBe(way.answer)
    },
  )
})

async function signIn(username: string): Promise<string> {
  const body = { username, password }
  return (await send(app, authEndpoints.login, { body }, { token: undefined })).json().token
}

async function proved(token: string): Promise<string> {
  const answer = await send(app, authEndpoints.prove, { body: { password } }, { token })
  expect(answer.statusCode).toBe(200)
  return token
}

async function signInByPartner(sub: string): Promise<string> {
  const exp = Math.floor(clock.now().getTime() / 1000) + 60
  const claims = { sub, exp, jti: randomUUID(), iss: 'partner', aud: publicUrl }
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'sign-in+jwt' })
    .sign(createSecretKey(Buffer.from(partnerSecret)))
  const body = { token }
  return (await send(app, remoteLoginEndpoints.loginRemote, { body }, { token: undefined })).json()
    .token
}

async function signInAs(own: string, username: string) {
  const whose =
    username === usernames.agent ? { agentId: home.agentId } : { companyId: home.officeId }
  const link = await send(app, remoteLoginEndpoints.signInAs, { body: whose }, { token: own })
  const cookie = String(link.headers['set-cookie']).split(';', 1)[0] ?? ''
  const body = { token: link.json().token }
  const sent = { token: undefined, cookie }
  const answer = await send(app, remoteLoginEndpoints.loginRemote, { body }, sent)
  return { token: answer.json().token as string, cookie }
}

async function usernameOf(column: 'office_id' | 'agent_id', id: number): Promise<string> {
  const { username } = await db
    .selectFrom('accounts')
    .select('username')
    .where(column, '=', id)
    .executeTakeFirstOrThrow()
  return username
}

function never(name: string): never {
  throw new Error(`${name} is not in the access matrix`)
}
