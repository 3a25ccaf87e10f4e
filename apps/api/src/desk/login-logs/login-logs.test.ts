import { loginLogsEndpoints } from '@tallyroom/contract/desk/login-logs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { about } from '../../../test/test-clock.ts'
import { buildApp } from '../../app.ts'
import { inTransaction } from '../../db/transaction.ts'
import { accountOf } from '../../people/accounts/account.ts'
import { selectAccounts } from '../../people/accounts/accounts.queries.ts'
import { endSessions } from '../../people/sessions/sessions.queries.ts'
import { openSession } from '../../people/sessions/open-session.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock } = services
const app = await buildApp(services)
afterAll(() => app.close())

const { searchLoginLogs } = loginLogsEndpoints
const ids = { manila: 0, maria: 0, cebu: 0 }

beforeAll(async () => {
  ids.manila = await buildOffice(db, { name: 'Manila', username: 'manila' })
  ids.maria = await buildAgent(db, { office_id: ids.manila, username: 'maria' })
  ids.cebu = await buildOffice(db, { name: 'Cebu', username: 'Cebu' })
  await buildAccount(db, { username: 'Root' })
  await buildAccount(db, { role: 5, username: 'ann' })

  clock.set('2026-03-01T04:59:59Z') // 28 February in New York
  await tokenOf(services, 'maria', { ip: '203.0.113.7' })
  await end('maria', '2026-03-01T06:00:00Z')
  clock.set('2026-03-01T05:00:00Z')
  await tokenOf(services, 'manila', { ip: '::ffff:198.51.100.23' })
  clock.set('2026-03-01T18:00:00Z')
  const root = await tokenOf(services, 'Root', { ip: '2001:db8::7' })
  clock.advance(1000)
  await openAs('maria', root)
  clock.set('2026-03-01T20:00:00Z')
  await tokenOf(services, 'Cebu', { ip: '203.0.113.8' })
})

const everything = [
  { username: 'Cebu', ip: '203.0.113.8', inTime: '2026-03-01T20:00:00.000Z', outTime: null },
  {
    username: 'maria',
    ip: '203.0.113.9',
    inTime: '2026-03-01T18:00:01.000Z',
    outTime: null,
    signedInBy: 'Root',
  },
  { username: 'Root', ip: '2001:db8::7', inTime: '2026-03-01T18:00:00.000Z', outTime: null },
  // Expired: its last use was its beginning.
  {
    username: 'manila',
    ip: '198.51.100.23',
    inTime: '2026-03-01T05:00:00.000Z',
    outTime: '2026-03-01T05:00:00.000Z',
  },
  {
    username: 'maria',
    ip: '203.0.113.7',
    inTime: '2026-03-01T04:59:59.000Z',
    outTime: '2026-03-01T06:00:00.000Z',
  },
].map((item) => ({
  id: expect.any(String),
  signedInBy: null,
  agentId: item.username === 'maria' ? expect.any(Number) : null,
  companyId: ['manila', 'Cebu'].includes(item.username) ? expect.any(Number) : null,
  ...item,
}))

test('staff see every session, newest first, and who signed in as somebody else', async () => {
  const answer = await searchAs('ann', {})
  expect(answer.total).toBe(everything.length)
  expect(answer.items).toEqual(
    everything.map((item) => ({
      ...item,
      inTime: about(item.inTime),
      outTime: item.outTime && about(item.outTime),
    })),
  )
})

test('an office sees its own sessions and its agents’, but not staff’s', async () => {
  const own = await searchAs('manila', {})
  expect(names(own)).toEqual(['manila', 'maria'])
  expect(JSON.stringify(own)).not.toContain('203.0.113.9')
  expect(names(await searchAs('manila', { companyId: ids.cebu }))).toEqual([])
  expect(names(await searchAs('Cebu', { agentId: ids.maria }))).toEqual([])
})

test('an agent sees none', async () => {
  const body = {}
  const refused = await send(app, searchLoginLogs, { body }, { token: await tokenNow('maria') })
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'FORBIDDEN'])
})

test.each<[string, () => object, string[]]>([
  ['an office', () => ({ companyId: ids.manila }), ['maria', 'manila', 'maria']],
  ['an agent', () => ({ agentId: ids.maria }), ['maria', 'maria']],
  ['an address', () => ({ ipAddress: ' 198.51.100.23 ' }), ['manila']],
  ['an IPv6 address', () => ({ ipAddress: '2001:DB8:0::7' }), ['Root']],
  ['the beginning of an address', () => ({ ipAddress: '203.0.113' }), ['Cebu', 'maria', 'maria']],
  ['a day in New York', () => ({ start: '2026-02-28', end: '2026-02-28' }), ['maria']],
  ['days since, a page', () => ({ start: '2026-03-01', pageSize: 1 }), ['Cebu']],
  ['names', () => ({ sortField: 'username', sortAsc: true, pageSize: 2 }), ['Cebu', 'manila']],
  ['times of leaving', () => ({ sortField: 'outTime', sortAsc: true, pageSize: 1 }), ['manila']],
  ['addresses', () => ({ sortField: 'ip', sortAsc: true, pageSize: 1 }), ['manila']],
  ['nothing, an empty address', () => ({ ipAddress: '', pageSize: 1 }), ['Cebu']],
])('they can be searched or sorted by %s', async (_, criteria, expected) => {
  expect(names(await searchAs('ann', criteria()))).toEqual(expected)
})

test('an invalid address is refused', async () => {
  const token = await tokenNow('ann')
  const refused = await send(app, searchLoginLogs, { body: { ipAddress: 'x' } }, { token })
  expect([refused.statusCode, Object.keys(refused.json().data)]).toEqual([422, ['ipAddress']])
})

test('a brand that hides addresses reveals none, not even by searching or sorting', async () => {
  const hiding = await buildApp(testServices(database, { environment: { BRAND: 'plumfield' } }))
  const token = await tokenNow('ann')
  const body = { end: '2026-03-01' }
  const answer = await send(hiding, searchLoginLogs, { body }, { token })
  expect(answer.json().total).toBe(everything.length)
  expect(answer.body).not.toContain('"ip"')
  for (const criteria of [{ ipAddress: '203.0.113.7' }, { sortField: 'ip' }]) {
    const refused = await send(hiding, searchLoginLogs, { body: criteria }, { token })
    expect(refused.statusCode).toBe(422)
  }
  await hiding.close()
})

type Answer = { items: { id: string; username: string; inTime: string }[]; total: number }

const names = ({ items }: Answer) => items.map(({ username }) => username)

/** Signed in on a later day, which the search leaves out. */
async function searchAs(username: string, criteria: object): Promise<Answer> {
  const token = await tokenNow(username)
  clock.set('2026-03-02T05:30:00Z')
  const body = { end: '2026-03-01', ...criteria }
  return (await send(app, searchLoginLogs, { body }, { token })).json()
}

function tokenNow(username: string): Promise<string> {
  clock.set('2026-03-02T05:30:00Z')
  return tokenOf(services, username, { ip: '192.0.2.1' })
}

async function end(username: string, at: string): Promise<void> {
  const { id } = await selectAccounts(db).where('username', '=', username).executeTakeFirstOrThrow()
  const ended = { reason: 'logout', now: new Date(at) } as const
  await endSessions(db, { accountIds: [id] }, ended)
}

async function openAs(username: string, token: string): Promise<void> {
  const account = await selectAccounts(db)
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  await inTransaction(db, (tx) =>
    openSession(tx, {
      account: accountOf(account),
      ip: '203.0.113.9',
      userAgent: '',
      now: tx.now,
      secret: services.secret,
      signedInBy: { accountId: claims.accountId, sessionId: claims.sid },
    }),
  )
}
