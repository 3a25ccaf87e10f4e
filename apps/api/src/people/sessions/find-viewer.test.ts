import { beforeEach, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { about } from '../../../test/test-clock.ts'
import { accountOf } from '../accounts/account.ts'
import { selectAccounts } from '../accounts/accounts.queries.ts'
import { endSessions } from './sessions.queries.ts'
import { makeFindViewer } from './find-viewer.ts'
import { openSession } from './open-session.ts'
import { inTransaction } from '../../db/transaction.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock } = services
const findViewer = makeFindViewer(services)

const hour = 60 * 60 * 1000

let office: number
let agent: number
let agentAccount: number

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  office = await buildOffice(db)
  agent = await buildAgent(db, { office_id: office })
  agentAccount = await accountIdOf('agent_id', agent)
})

test('a token identifies the account it was issued for', async () => {
  const superadmin = await buildAccount(db)
  const origin = await sessionIdOf(await open(superadmin))
  const token = await open(agentAccount, {
    signedInBy: { accountId: superadmin, sessionId: origin },
  })
  expect(await findViewer(token)).toEqual({
    accountId: agentAccount,
    sessionId: expect.any(String),
    username: expect.any(String),
    permissions: [],
    signedInBy: superadmin,
    role: 'agent',
    officeId: office,
    agentId: agent,
  })
})

test('signing in as someone else ends with the superadmin’s own session or role', async () => {
  const superadmin = await buildAccount(db)
  const openAs = async () => {
    const sessionId = await sessionIdOf(await open(superadmin))
    const signedInBy = { accountId: superadmin, sessionId }
    return { sessionId, token: await open(agentAccount, { signedInBy }) }
  }
  const now = clock.now()
  const [first, second, third] = [await openAs(), await openAs(), await openAs()]

  await endSessions(db, { sessionId: first.sessionId }, { reason: 'logout', now })
  expect(await findViewer(first.token)).toBeUndefined()
  expect(await findViewer(second.token)).toBeDefined()

  await setAccount(superadmin, { role: 5 })
  expect(await findViewer(second.token)).toBeUndefined()
  await setAccount(superadmin, { role: 0 })

  await endSessions(db, { accountIds: [superadmin] }, { reason: 'password-changed', now })
  expect(await findViewer(third.token)).toBeUndefined()
  expect(await sessionsOf(agentAccount).orderBy('end_reason').execute()).toMatchObject([
    { ended_at: now, end_reason: 'logout' },
    { ended_at: now, end_reason: 'password-changed' },
    { ended_at: now, end_reason: 'password-changed' },
  ])
})

test('signing in as someone else ends when the superadmin’s account is deleted', async () => {
  const superadmin = await buildAccount(db)
  const sessionId = await sessionIdOf(await open(superadmin))
  const token = await open(agentAccount, { signedInBy: { accountId: superadmin, sessionId } })
  await db.deleteFrom('accounts').where('id', '=', superadmin).execute()
  expect(await findViewer(token)).toBeUndefined()
})

test('unattended calls do not keep a session alive', async () => {
  const token = await open(agentAccount)
  for (let hours = 1; hours < 12; hours++) {
    clock.advance(hour)
    expect(await findViewer(token, { isUnattended: true })).toBeDefined()
  }
  clock.advance(hour)
  expect(await findViewer(token, { isUnattended: true })).toBeUndefined()

  const used = await open(agentAccount)
  clock.advance(11 * hour)
  expect(await findViewer(used)).toBeDefined()
  clock.advance(11 * hour)
  expect(await findViewer(used, { isUnattended: true })).toBeDefined()
})

test('role and permissions are read from the database on each request', async () => {
  const admin = await buildAccount(db, { role: 5, approve_agents: true })
  const token = await open(admin)
  expect(await findViewer(token)).toMatchObject({ role: 'admin', permissions: ['APPROVE_AGENTS'] })

  await setAccount(admin, { approve_agents: false })
  expect(await findViewer(token)).toMatchObject({ role: 'admin', permissions: [] })

  await setAccount(admin, { role: 0, delete_sites: true })
  expect(await findViewer(token)).toMatchObject({
    role: 'superadmin',
    permissions: [
      'APPROVE_AGENTS',
      'SHOW_COMMON_LOGS',
      'EARNING_VISIBLE',
      'SHOW_SUSPEND',
      'PAY',
      'DELETE_SITES',
    ],
  })
})

test('a moved agent belongs to the new office from the next request on', async () => {
  const token = await open(agentAccount)
  const elsewhere = await buildOffice(db)
  await db.updateTable('agents').set({ office_id: elsewhere }).where('id', '=', agent).execute()
  expect(await findViewer(token)).toMatchObject({ officeId: elsewhere, agentId: agent })
})

test('ending one session takes effect at once and leaves the others open', async () => {
  const [first, second] = [await open(agentAccount), await open(agentAccount)]
  const viewer = await findViewer(first)
  await endSessions(
    db,
    { sessionId: viewer?.sessionId ?? '' },
    { reason: 'logout', now: clock.now() },
  )
  expect([await findViewer(first), await findViewer(second)]).toEqual([
    undefined,
    expect.objectContaining({ accountId: agentAccount }),
  ])
})

test('all sessions of an account end together, and only once', async () => {
  const officeAccount = await accountIdOf('office_id', office)
  const tokens = [await open(agentAccount), await open(agentAccount), await open(officeAccount)]
  const end = (reason: 'login-blocked' | 'password-changed') =>
    endSessions(db, { accountIds: [agentAccount] }, { reason, now: clock.now() })
  await end('login-blocked')
  clock.advance(hour)
  await end('password-changed')

  expect(await Promise.all(tokens.map((token) => findViewer(token)))).toEqual([
    undefined,
    undefined,
    expect.objectContaining({ accountId: officeAccount }),
  ])
  expect(await sessionsOf(agentAccount).execute()).toEqual(
    Array(2).fill(
      expect.objectContaining({
        ended_at: about('2026-03-01T15:00:00Z'),
        end_reason: 'login-blocked',
      }),
    ),
  )
})

test.each<[string, () => Promise<unknown>]>([
  ['was blocked', () => setAccount(agentAccount, { login_blocked: true })],
  ['was deleted', () => db.deleteFrom('accounts').where('id', '=', agentAccount).execute()],
  [
    'is not approved',
    () => db.updateTable('agents').set({ approved_at: null }).where('id', '=', agent).execute(),
  ],
])('a session ends at once when its account %s', async (_, change) => {
  const token = await open(agentAccount)
  expect(await findViewer(token)).toBeDefined()
  await change()
  expect(await findViewer(token)).toBeUndefined()
})

test('a login enabled for a while is blocked again on the second', async () => {
  const token = await open(agentAccount)
  const oneInTheMorning = '2026-03-02T06:00:00Z'
  await setAccount(agentAccount, { login_blocked: true, login_open_until: oneInTheMorning })
  const seen = []
  for (const at of ['2026-03-01T22:00:00Z', '2026-03-02T05:59:59Z', oneInTheMorning]) {
    clock.set(at)
    seen.push((await findViewer(token)) !== undefined)
  }
  expect(seen).toEqual([true, true, false])
})

test('suspending agents leaves their sessions open', async () => {
  const token = await open(agentAccount)
  await db.updateTable('agents').set({ active: false }).where('id', '=', agent).execute()
  expect(await findViewer(token)).toBeDefined()
})

test('a session ends after twelve hours without use', async () => {
  const [used, unused] = [await open(agentAccount), await open(agentAccount)]
  clock.advance(11 * hour)
  await findViewer(used)
  clock.advance(hour)
  expect(await findViewer(unused)).toBeUndefined()
  expect(await findViewer(used)).toBeDefined()
})

test('a session ends after seven days even if it is in use', async () => {
  const token = await open(agentAccount)
  for (let hours = 0; hours < 7 * 24 - 8; hours += 8) {
    clock.advance(8 * hour)
    expect(await findViewer(token)).toBeDefined()
  }
  clock.advance(8 * hour)
  expect(await findViewer(token)).toBeUndefined()
})

test('the time of last use is written at most once a minute', async () => {
  const token = await open(agentAccount)
  const seen = []
  for (const seconds of [20, 39, 1, 30]) {
    clock.advance(seconds * 1000)
    await findViewer(token)
    const [session] = await sessionsOf(agentAccount).execute()
    seen.push(session?.last_seen_at.toISOString().slice(14, 19))
  }
  expect(seen).toEqual(['00:00', '00:00', '01:00', '01:00'])
})

test('a token of another installation is not accepted', async () => {
  const token = await open(agentAccount)
  const elsewhere = makeFindViewer(testServices(database, { secret: Buffer.alloc(32, 'other') }))
  expect(await elsewhere(token)).toBeUndefined()
  expect(await findViewer(token)).toBeDefined()
})

type SignedInBy = { accountId: number; sessionId: string }

async function open(accountId: number, more: { signedInBy?: SignedInBy } = {}): Promise<string> {
  const row = await selectAccounts(db)
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow()
  return inTransaction(db, (tx) =>
    openSession(tx, {
      account: accountOf(row),
      ip: '203.0.113.7',
      userAgent: 'tests',
      now: tx.now,
      secret: services.secret,
      ...more,
    }),
  )
}

const sessionIdOf = async (token: string) => (await findViewer(token))?.sessionId ?? ''

const accountIdOf = async (column: 'office_id' | 'agent_id', id: number) => {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where(column, '=', id)
    .executeTakeFirstOrThrow()
  return row.id
}

const setAccount = (id: number, values: Parameters<typeof buildAccount>[1] & object) =>
  db.updateTable('accounts').set(values).where('id', '=', id).execute()

const sessionsOf = (accountId: number) =>
  db.selectFrom('sessions').selectAll().where('account_id', '=', accountId)
