import { accountsEndpoints } from '@tallyroom/contract/people/accounts'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { tokensEndpoints } from '@tallyroom/contract/people/tokens'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { send } from '../../../test/send.ts'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { about } from '../../../test/test-clock.ts'
import { verifyAuditLog } from '../../desk/common-logs/verify-audit-log.ts'
import { makeFindViewer } from '../sessions/find-viewer.ts'
import { isTokenText, makeTokenText } from './token-text.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: { TOKEN_CALLS_A_MINUTE: '5' } })
const { clock } = services
const app = await buildApp(services)
afterAll(() => app.close())
/** As another process would ask. */
const elsewhere = makeFindViewer(testServices(database))

let people = 0
let office: number
let agent: number
let username: string
let session: string
let token: string

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  office = await buildOffice(db)
  username = `maria${++people}`
  agent = await buildAgent(db, { office_id: office, username })
  session = await tokenOf(services, username)
  token = await create(session, { name: 'Tracker', may: ['figures'] })
})

const create = async (by: string, body: object): Promise<string> =>
  (await send(app, tokensEndpoints.createToken, { body: { ...body } }, { token: by })).json().token

const me = (by: string, more: { ip?: string; cookie?: string } = {}) =>
  send(app, accountsEndpoints.me, {}, { token: by, ...more })

const listed = async (by = session) =>
  (await send(app, tokensEndpoints.ownTokens, {}, { token: by })).json().tokens

test('a token has a prefix and a checksum, by which noise is told from it', () => {
  for (let n = 0; n < 200; n++) expect(isTokenText(makeTokenText())).toBe(true)
  const one = makeTokenText()
  expect(one).toMatch(/^tly_[\dA-Za-z]{38}$/)
  expect(isTokenText(`${one.slice(0, 10)}${one[10] === 'a' ? 'b' : 'a'}${one.slice(11)}`)).toBe(
    false,
  )
  expect(isTokenText(one.slice(0, -1))).toBe(false)
})

test('a token acts as its owner, and only its hash is stored', async () => {
  expect((await me(token)).json()).toMatchObject({ username, role: 'agent', agentId: agent })
  const rows = await db.selectFrom('api_tokens').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(token.slice(4))
})

test('a cookie beside a token changes nothing, as no cookie signs anybody in', async () => {
  expect((await me(token, { cookie: `session=${session}` })).json()).toMatchObject({ username })
  expect(
    (await app.inject({ url: '/api/accounts/me', headers: { cookie: `session=${session}` } }))
      .statusCode,
  ).toBe(401)
})

test('a token is valid for 90 days unless somebody says otherwise', async () => {
  const short = await create(session, { name: 'Short', may: ['figures'], days: 1 })
  clock.set('2026-03-02T14:59:59Z')
  expect((await me(short)).statusCode).toBe(200)
  clock.set('2026-03-02T15:00:01Z')
  expect((await me(short)).statusCode).toBe(401)
  clock.set('2026-05-30T14:59:59Z')
  expect((await me(token)).statusCode).toBe(200)
  clock.set('2026-05-30T15:00:01Z')
  expect((await me(token)).statusCode).toBe(401)
})

test('a token that is wrong, revoked or expired is told so, with a challenge; a session is not', async () => {
  const wrong = 'The token is wrong, revoked or expired, or its account is blocked.'
  const refused = async (authorization: string | undefined) => {
    const headers = authorization === undefined ? {} : { authorization }
    const {
      statusCode,
      json,
      headers: got,
    } = await app.inject({ url: '/api/accounts/me', headers })
    const { code, message } = json()
    return [statusCode, code, message, got['www-authenticate']]
  }
  const ofToken = `Bearer error="invalid_token", error_description="${wrong}"`
  const told = [401, 'INVALID_TOKEN', wrong, ofToken]
  expect(await refused(`Bearer ${token.slice(0, -1)}`)).toEqual(told)
  expect(await refused(`Bearer ${token.slice(4)}`)).toEqual(told)
  expect(await refused(`Bearer ${makeTokenText()}`)).toEqual(told)

  const [{ id } = { id: 0 }] = await listed()
  await send(app, tokensEndpoints.revokeToken, { params: { id } }, { token: session })
  expect(await refused(`Bearer ${token}`)).toEqual(told)
  const short = await create(session, { name: 'Short', may: ['figures'], days: 1 })
  clock.set('2026-03-02T15:00:01Z')
  expect(await refused(`Bearer ${short}`)).toEqual(told)

  for (const misplaced of [token, `Token ${token}`, `Bearer "${token}"`, `Basic ${token}`])
    expect(await refused(misplaced)).toEqual([
      401,
      'INVALID_TOKEN',
      'A token is sent as “Authorization: Bearer tly_…”.',
      ofToken,
    ])

  clock.set('2026-03-20T15:00:00Z')
  const ofSession = [401, 'INVALID_TOKEN', 'Please sign in again.', 'Bearer']
  expect(await refused(`Bearer ${session}`)).toEqual(ofSession)
  expect(await refused(undefined)).toEqual(ofSession)
})

test('the last use is written once a minute', async () => {
  const writes = async () =>
    (await listed()).map((one: Record<string, unknown>) => [one['lastUsedAt'], one['lastUsedFrom']])
  expect(await writes()).toEqual([[null, null]])
  await me(token, { ip: '203.0.113.1' })
  clock.advance(59_000)
  await me(token, { ip: '203.0.113.2' })
  expect(await writes()).toEqual([[about('2026-03-01T15:00:00Z'), '203.0.113.1']])
  clock.advance(1_000)
  await me(token, { ip: '203.0.113.3' })
  expect(await writes()).toEqual([[about('2026-03-01T15:01:00Z'), '203.0.113.3']])
})

test('nobody allows a token what they may not do', async () => {
  const body = { name: 'Greedy', may: ['figures', 'people'] }
  const answer = await send(app, tokensEndpoints.createToken, { body }, { token: session })
  expect([answer.statusCode, answer.json().data]).toEqual([
    422,
    { may: ['must not have what your own account can’t do'] },
  ])
})

test('an account has at most 20 valid tokens, however fast they are made', async () => {
  const body = { name: 'One of many', may: ['figures'] }
  const answers = await Promise.all(
    Array.from({ length: 25 }, () =>
      send(app, tokensEndpoints.createToken, { body }, { token: session }),
    ),
  )
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(19)
  expect(await listed()).toHaveLength(20)
})

const agentSet = (values: object) =>
  db.updateTable('agents').set(values).where('id', '=', agent).execute()
const officeSet = (values: object) =>
  db.updateTable('offices').set(values).where('id', '=', office).execute()
const accountSet = (values: object) =>
  db.updateTable('accounts').set(values).where('username', '=', username).execute()

const status = async (change: object) => {
  await buildAccount(db, { username: `boss${people}` })
  const boss = await tokenOf(services, `boss${people}`)
  const body = { ids: [agent], ...change }
  await send(app, agentsEndpoints.agentsStatus, { body }, { token: boss })
}

test.each<[string, () => Promise<unknown>]>([
  [
    'is revoked',
    async () => {
      const [{ id }] = await listed()
      await send(app, tokensEndpoints.revokeToken, { params: { id } }, { token: session })
    },
  ],
  ['belongs to a blocked account', () => status({ loginBlocked: true })],
  ['belongs to an account that is blocked by hand', () => accountSet({ login_blocked: true })],
  ['belongs to a suspended agent', () => status({ active: false })],
  ['belongs to an agent of a suspended office', () => officeSet({ active: false })],
  ['belongs to an agent who is not approved', () => agentSet({ approved_at: null })],
  [
    'belongs to an account that was deleted',
    () => db.deleteFrom('accounts').where('username', '=', username).execute(),
  ],
])('a token that %s is dead at once, in every process', async (_, change) => {
  expect(await elsewhere(token)).toBeDefined()
  await change()
  expect(await elsewhere(token)).toBeUndefined()
  expect((await me(token)).statusCode).toBe(401)
})

test('a superadmin sees everybody’s tokens and revokes them', async () => {
  await buildAccount(db, { username: `root${people}` })
  const root = await tokenOf(services, `root${people}`)
  const all = (await send(app, tokensEndpoints.allTokens, {}, { token: root })).json().tokens
  const theirs = all.find((one: Record<string, unknown>) => one['username'] === username)
  expect(theirs).toMatchObject({ name: 'Tracker', may: ['figures'] })
  await send(app, tokensEndpoints.revokeToken, { params: { id: theirs.id } }, { token: root })
  expect((await me(token)).statusCode).toBe(401)
})

test('each token has its own limit, which every answer tells', async () => {
  const other = await create(session, { name: 'Other', may: ['figures'] })
  const answers = []
  for (let n = 0; n < 6; n++) answers.push(await me(token))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 429])
  expect(answers[0]?.headers).toMatchObject({
    'ratelimit-policy': '"token";q=5;w=60',
    ratelimit: '"token";r=4;t=60',
  })
  expect(answers[5]?.headers).toMatchObject({ ratelimit: '"token";r=0;t=60', 'retry-after': '60' })
  expect((await me(other)).statusCode).toBe(200)
  expect((await me(session)).headers).not.toHaveProperty('ratelimit')
  clock.advance(60_000)
  expect((await me(token)).statusCode).toBe(200)
})

test('calls by token stand in the common logs with its name, which the chain of hashes covers', async () => {
  await send(app, tokensEndpoints.ownTokens, {}, { token })
  const { token_name } = await db
    .selectFrom('audit_log')
    .select('token_name')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(token_name).toBe('Tracker')
  expect(await verifyAuditLog(db)).toMatchObject({ broken: undefined })
})
