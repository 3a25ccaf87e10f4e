import { accountsEndpoints } from '@tallyroom/contract/people/accounts'
import { adminsEndpoints } from '@tallyroom/contract/people/admins'
import { announcementsEndpoints } from '@tallyroom/contract/desk/announcements'
import { commonLogsEndpoints } from '@tallyroom/contract/desk/common-logs'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { loginLogsEndpoints } from '@tallyroom/contract/desk/login-logs'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { buildAccount, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { buildApp } from '../../app.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const app = await buildApp(services)
// Another process, which shares only the database.
const other = await buildApp(testServices(database))
afterAll(() => Promise.all([app.close(), other.close()]))

let root: string
let ids: { root: number; boss: number; anna: number; ben: number }

beforeEach(async () => {
  for (const table of ['sessions', 'accounts', 'offices'] as const) {
    await db.deleteFrom(table).execute()
  }
  ids = {
    root: await buildAccount(db, { username: 'root' }),
    boss: await buildAccount(db, { username: 'boss' }),
    anna: await buildAccount(db, { username: 'anna', role: 5 }),
    ben: await buildAccount(db, { username: 'ben', role: 5 }),
  }
  root = await tokenOf(services, 'root')
})

test.each([
  [{ active: false }, { active: true }, { active: false, loginBlocked: false }, 'suspended'],
  [{ active: 0 }, { active: 1 }, { active: false, loginBlocked: false }, 'suspended'],
  [
    { loginBlocked: true },
    { loginBlocked: false },
    { active: true, loginBlocked: true },
    'login-blocked',
  ],
  [{ loginBlocked: 1 }, { loginBlocked: 0 }, { active: true, loginBlocked: true }, 'login-blocked'],
])(
  '%o signs an admin out everywhere at once; after %o they can sign in again',
  async (out, back, shown, reason) => {
    const tokens = [await tokenOf(services, 'anna'), await tokenOf(services, 'anna')]
    const bens = await tokenOf(services, 'ben')
    expect(await setStatus([ids.anna], out)).toEqual([200, { ok: true }])
    for (const token of tokens) {
      expect((await send(app, accountsEndpoints.me, {}, { token })).statusCode).toBe(401)
      expect((await send(other, accountsEndpoints.me, {}, { token })).statusCode).toBe(401)
    }
    expect(await endReasons(ids.anna)).toEqual([reason, reason])
    expect((await send(app, accountsEndpoints.me, {}, { token: bens })).statusCode).toBe(200)
    expect(await list()).toMatchObject([
      { username: 'anna', ...shown },
      { username: 'ben', active: true, loginBlocked: false },
    ])

    expect((await setStatus([ids.anna], back))[0]).toBe(200)
    expect((await list())[0]).toMatchObject({ active: true, loginBlocked: false })
    const [token = ''] = tokens
    expect((await send(app, accountsEndpoints.me, {}, { token })).statusCode).toBe(401)
    const fresh = await tokenOf(services, 'anna')
    expect((await send(app, accountsEndpoints.me, {}, { token: fresh })).statusCode).toBe(200)
  },
)

test('repeating a change has no effect, even from two tabs at once, and an open form becomes stale', async () => {
  const before = await form(ids.anna)
  const twice = () => setStatus([ids.anna, ids.anna], { active: false })
  expect(await Promise.all([twice(), twice(), twice()])).toEqual(
    Array.from({ length: 3 }, () => [200, { ok: true }]),
  )
  expect((await form(ids.anna)).version).toBe(before.version + 1)
  const params = { id: ids.anna }
  const { active: _active, ...values } = before
  const saved = await ask(adminsEndpoints.updateAdmin, { params, body: values })
  expect([saved.status, saved.body.code]).toEqual([409, 'CONFLICT'])
})

test('an admin removed twice at once is removed once', async () => {
  const answers = await Promise.all([remove(ids.anna), remove(ids.anna)])
  expect(answers.map(([status]) => Number(status)).toSorted((a, b) => a - b)).toEqual([200, 404])
  expect((await list()).map(({ username }) => username)).toEqual(['ben'])
})

test('nobody suspends, blocks or removes their own account', async () => {
  for (const change of [{ active: false }, { loginBlocked: true }]) {
    for (const list of [[ids.root], [ids.anna, ids.root]]) {
      const [status, body] = await setStatus(list, change)
      expect([status, body.message]).toEqual([403, expect.stringContaining('your own account')])
    }
  }
  expect(await remove(ids.root)).toMatchObject([403, { code: 'FORBIDDEN' }])
  await nothingChanged()
})

test('superadmins are not admins: none can be removed by anybody, least of all the last one', async () => {
  const office = await buildOffice(db)
  const { id: manager } = await db
    .selectFrom('accounts')
    .select('id')
    .where('office_id', '=', office)
    .executeTakeFirstOrThrow()
  for (const id of [ids.boss, manager, 2_000_000_000]) {
    for (const change of [{ active: false }, { loginBlocked: true }]) {
      // All of them or none.
      expect(await setStatus([ids.anna, id], change)).toMatchObject([404, { code: 'NOT_FOUND' }])
    }
    expect((await remove(id))[0]).toBe(404)
  }
  await nothingChanged()

  // Not even a *Sign in as* session can remove the last superadmin.
  const bosses = await tokenOf(services, 'boss')
  await db.deleteFrom('accounts').where('id', '=', ids.root).execute()
  const answer = await send(
    app,
    adminsEndpoints.deleteAdmin,
    { params: { id: ids.boss } },
    { token: bosses },
  )
  expect(answer.statusCode).toBe(403)
  expect((await send(app, adminsEndpoints.admins, {}, { token: bosses })).statusCode).toBe(200)
})

test('a removed admin’s sessions end, the logs keep the name, and the name is free again', async () => {
  const token = await tokenOf(services, 'anna', { ip: '203.0.113.7' })
  expect((await send(app, accountsEndpoints.me, {}, { token })).statusCode).toBe(200)
  await db
    .insertInto('news')
    .values({ html: 'Old', created_by: ids.anna, created_at: new Date(0) })
    .execute()
  expect(await remove(ids.anna)).toEqual([200, { ok: true }])
  for (const process of [app, other]) {
    expect((await send(process, accountsEndpoints.me, {}, { token })).statusCode).toBe(401)
  }
  expect((await ask(adminsEndpoints.admin, { params: { id: ids.anna } })).status).toBe(404)

  const logins = await ask(loginLogsEndpoints.searchLoginLogs, {
    body: { sortField: 'username', sortAsc: true },
  })
  expect(logins.body.total).toBe(2)
  expect(logins.body.items).toMatchObject([
    { username: 'anna', ip: '203.0.113.7', outTime: expect.any(String), signedInBy: null },
    { username: 'root' },
  ])
  expect((await ask(announcementsEndpoints.lastNews, {})).body).toMatchObject({ html: 'Old' })
  const password = { password: 'quiet-otter-91', passwordConfirm: 'quiet-otter-91' }
  const body = { username: 'anna', email: 'other@example.com', ...password }
  const again = await ask(adminsEndpoints.createAdmin, { body })
  expect([again.status, again.body.id === ids.anna]).toEqual([200, false])
})

test('the common logs say who suspended and removed whom', async () => {
  await setStatus([ids.anna], { active: false })
  await remove(ids.anna)
  const { body } = await ask(commonLogsEndpoints.searchCommonLogs, { body: { username: 'root' } })
  type Logged = { username: string; actionType: string; responseCode: number } & Record<
    'postParams' | 'getParams',
    string
  >
  const entries = (body.items as Logged[]).map((entry) => [
    entry.username,
    entry.actionType,
    entry.responseCode,
    `${entry.postParams}${entry.getParams}`,
  ])
  expect(entries).toContainEqual([
    'root',
    'STATUS',
    200,
    expect.stringContaining(`{"ids":[${ids.anna}],"active":false}`),
  ])
  expect(entries).toContainEqual(['root', 'DELETE', 200, expect.stringContaining(`${ids.anna}`)])
})

async function nothingChanged() {
  expect(await list()).toMatchObject([
    { username: 'anna', active: true, loginBlocked: false },
    { username: 'ben', active: true, loginBlocked: false },
  ])
  for (const username of ['root', 'boss']) {
    const token = await tokenOf(services, username)
    expect((await send(app, accountsEndpoints.me, {}, { token })).statusCode).toBe(200)
  }
}

async function ask(endpoint: Endpoint, input: Parameters<typeof send>[2]) {
  const answer = await send(app, endpoint, input, { token: root })
  return { status: answer.statusCode, body: answer.json() }
}

async function setStatus(accountIds: readonly number[], change: object) {
  const { status, body } = await ask(adminsEndpoints.adminsStatus, {
    body: { ids: accountIds, ...change },
  })
  return [status, body]
}

async function remove(id: number) {
  const { status, body } = await ask(adminsEndpoints.deleteAdmin, { params: { id } })
  return [status, body]
}

const list = async (): Promise<{ username: string }[]> =>
  (await ask(adminsEndpoints.admins, {})).body

const form = async (id: number) => (await ask(adminsEndpoints.admin, { params: { id } })).body

async function endReasons(accountId: number) {
  const sessions = await db
    .selectFrom('sessions')
    .select('end_reason')
    .where('account_id', '=', accountId)
    .execute()
  return sessions.map(({ end_reason }) => end_reason)
}
