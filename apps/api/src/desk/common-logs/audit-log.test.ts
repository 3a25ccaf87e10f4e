import { authEndpoints } from '@tallyroom/contract/people/auth'
import { commonLogsEndpoints } from '@tallyroom/contract/desk/common-logs'
import { endpoints } from '@tallyroom/contract/endpoints'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { about } from '../../../test/test-clock.ts'
import { buildApp } from '../../app.ts'
import { openDatabase } from '../../db/database.ts'
import { hashPassword } from '../../lib/password.ts'
import { startAuditLog } from './audit-log.ts'
import { verifyAuditLog } from './verify-audit-log.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: { CAPTCHA: 'off' } })
const app = await buildApp(services)
// Tampering needs the owner's rights: the app itself cannot change an entry.
const owner = openDatabase(database.connection, { max: 1, applicationName: 'owner', asOwner: true })
afterAll(async () => {
  await app.close()
  await owner.close()
})

let office: number
let agent: number

beforeAll(async () => {
  office = await buildOffice(db, { name: 'Manila', username: 'manila' })
  agent = await buildAgent(db, {
    office_id: office,
    username: 'maria',
    first_name: 'Maria',
    last_name: 'Santos',
  })
  await buildAccount(db, { username: 'Root' })
  await db
    .updateTable('accounts')
    .set({ password_hash: await hashPassword('the right one') })
    .execute()
})

beforeEach(async () => {
  await owner.db.deleteFrom('audit_log').execute()
  await owner.db
    .updateTable('audit_head')
    .set({ last_id: 0, last_at: new Date(0), last_hash: Buffer.alloc(32) })
    .execute()
  await db.deleteFrom('sign_in_waits').execute()
})

const entries = () => db.selectFrom('audit_log').selectAll().orderBy('id').execute()

test('an entry says who called what from where, and how it was answered', async () => {
  const token = await tokenOf(services, 'maria')
  const answer = await app.inject({
    method: 'POST',
    url: '/api/stats/sites?x=1',
    headers: { authorization: `Bearer ${token}` },
    remoteAddress: '::ffff:203.0.113.99',
    payload: { groupBy: 'date', start: '2026-02-23', end: '2026-03-01' },
  })
  expect(answer.statusCode).toBe(200)
  expect(await entries()).toEqual([
    {
      id: 1,
      at: about(services.clock.now()),
      account_id: expect.any(Number),
      acting_account_id: null,
      role: 20,
      username: 'maria',
      ip: '203.0.113.99',
      account_name: 'maria',
      agent_id: agent,
      agent_name: 'Maria Santos',
      office_id: office,
      office_name: 'Manila',
      action_type: 'SEARCH',
      action_name: 'POST /api/stats/sites',
      response_code: 200,
      post_params: expect.stringContaining('"start":"2026-02-23"'),
      get_params: expect.any(String),
      objects: null,
      changes: null,
      token_name: null,
      previous_hash: Buffer.alloc(32),
      hash: expect.any(Buffer),
    },
  ])
})

test('no query takes the place of the id in the path', async () => {
  const junk = Array.from({ length: 300 }, (_, i) => `x${i}=1`).join('&')
  await app.inject({
    method: 'POST',
    url: `/api/agents/${agent}/password?id=999&${junk}`,
    headers: { authorization: `Bearer ${await tokenOf(services, 'Root')}` },
  })
  const [entry] = await entries()
  expect(JSON.parse(entry?.get_params ?? '')).toMatchObject({ id: agent })
})

test('refused calls of known callers are recorded; unknown callers and polled calls are not', async () => {
  const token = await tokenOf(services, 'manila')
  const search = commonLogsEndpoints.searchCommonLogs
  expect((await send(app, search, { body: {} }, { token })).statusCode).toBe(403)
  const invalid = { body: { groupBy: 'nothing' } }
  expect((await send(app, endpoints.siteStats, invalid, { token })).statusCode).toBe(422)
  expect((await send(app, search, { body: {} }, { token: undefined })).statusCode).toBe(401)
  expect((await send(app, endpoints.me, {}, { token })).statusCode).toBe(200)
  expect(await entries()).toMatchObject([
    { id: 1, username: 'manila', action_name: 'POST /api/common-logs/search', response_code: 403 },
    { id: 2, response_code: 422, post_params: '{"groupBy":"nothing"}' },
  ])
})

test('signing in and out is recorded, even if it fails, without passwords', async () => {
  const login = (username: string, password: string) =>
    send(app, authEndpoints.login, { body: { username, password } }, { token: undefined })
  await login('maria', 'a wrong one')
  await login('the right one', 'the right one')
  const { token } = (await login('MARIA', 'the right one')).json<{ token: string }>()
  await send(app, authEndpoints.logout, {}, { token })

  const written = await entries()
  expect(
    written.map((one) => [one.action_type, one.username, one.response_code, one.post_params]),
  ).toEqual([
    ['LOGIN', 'maria', 422, expect.stringContaining('"username":"maria"')],
    // The name may be a password typed into the wrong field.
    ['LOGIN', '', 422, '{}'],
    ['LOGIN', 'maria', 200, expect.stringContaining('"username":"MARIA"')],
    ['LOGOUT', 'maria', 200, '{}'],
  ])
  expect(JSON.stringify(written)).not.toContain('right one')
  expect(JSON.stringify(written)).not.toContain('wrong one')
})

test('concurrent calls in several processes form one chain without gaps', async () => {
  const token = await tokenOf(services, 'Root')
  const elsewhere = startAuditLog(services)
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', 'maria')
    .executeTakeFirstOrThrow()
  const call = {
    endpoint: endpoints.siteStats,
    accountId: account.id,
    signedInBy: undefined,
    ip: '203.0.113.8',
    params: {},
    query: {},
    body: {},
    status: 200,
  }
  await Promise.all([
    ...Array.from({ length: 50 }, () =>
      send(app, commonLogsEndpoints.searchCommonLogs, { body: {} }, { token }),
    ),
    ...Array.from({ length: 50 }, () => elsewhere(call)),
  ])
  const written = await entries()
  expect(written.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  expect(await verifyAuditLog(db)).toEqual({
    entries: 100,
    hash: written.at(-1)?.hash.toString('hex'),
    broken: undefined,
  })
})

test('entries never go back in time, even if a clock does', async () => {
  const token = await tokenOf(services, 'Root')
  await callTwice(token)
  const { last_at } = await db.selectFrom('audit_head').select('last_at').executeTakeFirstOrThrow()
  services.clock.advance(-60_000)
  await callTwice(token)
  services.clock.advance(60_000)
  const later = (await entries()).slice(2).map(({ at }) => at)
  expect(later).toEqual([last_at, last_at])
})

test('a call that can’t be recorded is not answered, whatever the answer would have been', async () => {
  const token = await tokenOf(services, 'Root')
  const calls = [
    [commonLogsEndpoints.searchCommonLogs, { body: {} }],
    [commonLogsEndpoints.searchCommonLogs, { body: { page: 0 } }],
    [commonLogsEndpoints.downloadCommonLogs, { body: {} }],
  ] as const
  await sql`revoke insert on audit_log from tallyroom_app`.execute(owner.db)
  try {
    for (const [endpoint, sent] of calls) {
      const answer = await send(app, endpoint, sent, { token })
      expect([answer.statusCode, answer.headers['error-code'], answer.json()]).toEqual([
        503,
        'UNAVAILABLE',
        { code: 'UNAVAILABLE', message: expect.any(String) },
      ])
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    }
  } finally {
    await sql`grant insert on audit_log to tallyroom_app`.execute(owner.db)
  }
  expect((await send(app, ...calls[0], { token })).statusCode).toBe(200)
  expect(await entries()).toHaveLength(1)
})

test('the app itself can neither change nor delete an entry', async () => {
  await expect(db.deleteFrom('audit_log').execute()).rejects.toThrow('permission denied')
  await expect(db.updateTable('audit_log').set({ username: '' }).execute()).rejects.toThrow(
    'permission denied',
  )
  await expect(db.deleteFrom('audit_head').execute()).rejects.toThrow('permission denied')
})

test.each([
  ['username', { username: 'somebody else' }],
  ['the time by a microsecond', { at: '2026-03-01T15:00:00.000001Z' }],
  ['the address', { ip: '203.0.113.1' }],
  ['the address to its network', { ip: '203.0.113.7/24' }],
  ['the answer', { response_code: 200 }],
  ['parameters', { post_params: '{"page":1}' }],
  ['the token', { token_name: 'Tracker' }],
  ['the office by its id', { office_id: 4711 }],
  ['who acted', { acting_account_id: 4711 }],
  ['its hash', { hash: Buffer.alloc(32) }],
  ['its tie to the one before', { previous_hash: Buffer.alloc(32) }],
])('a changed entry is reported: %s', async (_, values) => {
  await callTwice(await tokenOf(services, 'manila'))
  await callTwice(await tokenOf(services, 'manila'))
  expect(await verifyAuditLog(db)).toMatchObject({ entries: 4 })
  await owner.db.updateTable('audit_log').set(values).where('id', '=', 3).execute()
  expect(await verifyAuditLog(db)).toEqual({ broken: 'Entry 3 was changed.' })
})

test('removed entries are reported, at the beginning, in the middle and at the end', async () => {
  const token = await tokenOf(services, 'Root')
  for (let n = 0; n < 5; n++) await callTwice(token)
  const remove = (...ids: number[]) =>
    owner.db.deleteFrom('audit_log').where('id', 'in', ids).execute()
  await remove(9, 10)
  expect(await verifyAuditLog(db)).toEqual({ broken: 'Entries 9 to 10 are missing.' })
  await remove(4)
  expect(await verifyAuditLog(db)).toEqual({ broken: 'Entry 4 is missing.' })
  await remove(1, 2)
  expect(await verifyAuditLog(db)).toEqual({ broken: 'Entries 1 to 2 are missing.' })
})

test('entries inserted outside of the app are reported', async () => {
  await callTwice(await tokenOf(services, 'Root'))
  const [, last] = await entries()
  if (!last) throw new Error('no entry')
  await owner.db
    .insertInto('audit_log')
    .values({ ...last, id: 3 })
    .execute()
  expect(await verifyAuditLog(db)).toEqual({ broken: 'Entry 3 was changed.' })
})

test('truncating the chain together with its head is detected by a hash stored elsewhere', async () => {
  const token = await tokenOf(services, 'Root')
  await callTwice(token)
  const [first] = await entries()
  const whole = await verifyAuditLog(db)
  if (whole.broken !== undefined || !first) throw new Error('not whole')
  const known = { id: whole.entries, hash: whole.hash }

  await owner.db.deleteFrom('audit_log').where('id', '=', 2).execute()
  await owner.db.updateTable('audit_head').set({ last_id: 1, last_hash: first.hash }).execute()
  expect(await verifyAuditLog(db)).toMatchObject({ broken: undefined, entries: 1 })
  expect(await verifyAuditLog(db, { known })).toEqual({ broken: 'Entry 2 is missing.' })

  services.clock.advance(1)
  await callTwice(token)
  expect(await verifyAuditLog(db)).toMatchObject({ broken: undefined, entries: 3 })
  expect(await verifyAuditLog(db, { known })).toEqual({
    broken: 'Entry 2 or an earlier one was rebuilt: its hash differs.',
  })
})

/** Refused for an office, allowed for a superadmin. */
async function callTwice(token: string): Promise<void> {
  for (let n = 0; n < 2; n++) {
    await send(app, commonLogsEndpoints.searchCommonLogs, { body: { page: n + 1 } }, { token })
  }
}
