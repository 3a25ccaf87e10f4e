import { commonLogsEndpoints, commonLogsSearchSchema } from '@tallyroom/contract/desk/common-logs'
import { endpoints } from '@tallyroom/contract/endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { about } from '../../../test/test-clock.ts'
import type { Viewer } from '../../access/viewer.ts'
import { buildApp } from '../../app.ts'
import { makeFindViewer } from '../../people/sessions/find-viewer.ts'
import { startAuditLog } from './audit-log.ts'
import { exportCommonLogs } from './search-common-logs.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock } = services
const app = await buildApp(services)
afterAll(() => app.close())

const { searchCommonLogs, downloadCommonLogs } = commonLogsEndpoints
const accountIds: Record<string, number> = {}
const ids = { manila: 0, maria: 0, cebu: 0, carlo: 0 }
let token: string

/**
 * Two offices with one agent each and two members of staff, over three days, on both sides of New
 * York midnight.
 */
beforeAll(async () => {
  ids.manila = await buildOffice(db, { name: 'Manila', username: 'manila' })
  ids.maria = await buildAgent(db, {
    office_id: ids.manila,
    username: 'maria',
    first_name: 'Maria',
  })
  ids.cebu = await buildOffice(db, { name: 'Cebu', username: 'cebu' })
  ids.carlo = await buildAgent(db, { office_id: ids.cebu, username: 'carlo' })
  await buildAccount(db, { username: 'Root' })
  await buildAccount(db, { role: 5, username: 'ann_100%' })
  for (const { id, username } of await db
    .selectFrom('accounts')
    .select(['id', 'username'])
    .execute()) {
    accountIds[username] = id
  }

  await write('2026-03-01T04:59:59Z', 'maria', { endpoint: endpoints.siteStats }) // 28 February
  await write('2026-03-01T05:00:00Z', 'manila', { status: 403 })
  await write('2026-03-01T15:00:00Z', 'Root', { as: 'carlo', body: { note: 'Müller & "Söhne"' } })
  await write('2026-03-02T04:59:59Z', 'ann_100%', { ip: '2001:db8::7' })
  await write('2026-03-02T05:00:00Z', 'carlo', { ip: '198.51.100.23', body: { note: '100%' } })
  clock.set('2026-03-10T15:00:00Z')
  token = await tokenOf(services, 'Root')
})

test('without criteria everything is listed, newest first, in pages', async () => {
  expect(await search({})).toEqual({ ids: [5, 4, 3, 2, 1], total: 5 })
  expect(await search({ pageSize: 2, page: 2 })).toEqual({ ids: [3, 2], total: 5 })
  expect(await search({ pageSize: 2, page: 3 })).toEqual({ ids: [1], total: 5 })
  expect(await search({ pageSize: 2, page: 4 })).toEqual({ ids: [], total: 5 })
  expect(await search({ pageSize: 2, page: 2, sortAsc: true })).toEqual({ ids: [3, 4], total: 5 })
})

test('an item has everything that the table shows', async () => {
  const { items } = await answer({ agentId: ids.carlo, username: 'root' })
  expect(items).toEqual([
    {
      id: 3,
      date: about('2026-03-01T15:00:00Z'),
      role: 'agent',
      username: 'Root',
      ip: '203.0.113.7',
      accountName: 'carlo',
      agentId: ids.carlo,
      agentName: 'carlo',
      companyId: ids.cebu,
      officeName: 'Cebu',
      actionType: 'SEARCH',
      actionName: 'POST /api/common-logs/search',
      responseCode: 200,
      postParams: '{"note":"Müller & \\"Söhne\\""}',
      getParams: '{}',
      sentence: 'Search the calls that users made and the responses they got, newest first',
      changes: [],
      tokenName: null,
    },
  ])
})

test.each<[string, () => object, number[]]>([
  ['a role', () => ({ role: 'agent' }), [5, 3, 1]],
  ['a role by its number', () => ({ role: 20 }), [5, 3, 1]],
  ['part of a name, in any case', () => ({ username: ' MA' }), [2, 1]],
  ['% and _ as themselves', () => ({ username: '_100%' }), [4]],
  ['a name that nobody has', () => ({ username: '%x' }), []],
  ['an address', () => ({ ip: ' 198.51.100.23 ' }), [5]],
  ['an IPv6 address in another spelling', () => ({ ip: '2001:0DB8:0::7' }), [4]],
  ['the beginning of an address', () => ({ ip: '203.0.113.' }), [3, 2, 1]],
  ['a network', () => ({ ip: '198.51.100.0/24' }), [5]],
  ['an office', () => ({ companyId: ids.manila }), [2, 1]],
  ['an agent', () => ({ agentId: ids.carlo }), [5, 3]],
  ['an account', () => ({ accountId: accountIds['manila'] }), [2]],
  ['a type', () => ({ actionType: 'SEARCH' }), [5, 4, 3, 2, 1]],
  ['a type that did not happen', () => ({ actionType: 'DELETE' }), []],
  ['part of a path', () => ({ actionName: 'stats' }), [1]],
  ['a method', () => ({ actionName: 'post /api/common' }), [5, 4, 3, 2]],
  ['a response code', () => ({ responseCode: 403 }), [2]],
  ['part of what was sent', () => ({ postParams: 'MÜLLER' }), [3]],
  ['% in what was sent', () => ({ postParams: '100%' }), [5]],
  ['a day in New York', () => ({ start: '2026-03-01', end: '2026-03-01' }), [4, 3, 2]],
  ['days since', () => ({ start: '2026-03-02' }), [5]],
  ['days until', () => ({ end: '2026-02-28' }), [1]],
  ['days without entries', () => ({ start: '2026-03-04', end: '2026-03-05' }), []],
  ['days before all', () => ({ end: '2026-01-01' }), []],
  [
    'empty fields',
    () => ({ username: '', ip: ' ', actionName: null, companyId: null }),
    [5, 4, 3, 2, 1],
  ],
  ['all together', () => ({ role: 'agent', companyId: ids.cebu, start: '2026-03-02' }), [5]],
  ['names in order', () => ({ sortField: 'username', sortAsc: true }), [4, 5, 2, 1, 3]],
  ['addresses in order', () => ({ sortField: 'ip', sortAsc: true }), [5, 1, 2, 3, 4]],
])('it can be searched by %s', async (_, criteria, expected) => {
  expect(await search(criteria())).toEqual({ ids: expected, total: expected.length })
})

test.each([
  ['an address that is none', { ip: '300.1' }, 'ip'],
  ['days in the wrong order', { start: '2026-03-02', end: '2026-03-01' }, 'start'],
  ['a day that does not exist', { start: '2026-02-30' }, 'start'],
  ['an unknown column', { sortField: 'hash' }, 'sortField'],
  ['an unknown type', { actionType: 'EVERYTHING' }, 'actionType'],
])('%s is refused', async (_, criteria, field) => {
  const refused = await send(app, searchCommonLogs, { body: criteria }, { token })
  expect([refused.statusCode, Object.keys(refused.json().data)]).toEqual([422, [field]])
})

test('an office with the flag sees its own entries, and an agent theirs', async () => {
  await db.updateTable('accounts').set({ show_common_logs: true }).execute()
  const ownOf = async (username: string, criteria: object = {}) => {
    const own = await tokenOf(services, username)
    return (await search({ end: '2026-03-09', ...criteria }, own)).ids
  }
  expect(await ownOf('manila')).toEqual([2, 1])
  expect(await ownOf('maria')).toEqual([1])
  expect(await ownOf('manila', { companyId: ids.cebu })).toEqual([])
  expect(await ownOf('ann_100%')).toEqual([5, 4, 3, 2, 1])
  await db.updateTable('accounts').set({ show_common_logs: false }).execute()
  const refused = await send(
    app,
    searchCommonLogs,
    { body: {} },
    { token: await tokenOf(services, 'manila') },
  )
  expect(refused.json().code).toBe('FORBIDDEN')
})

test('a download has the whole result as text, whichever page is shown', async () => {
  const body = { end: '2026-03-09', pageSize: 1, page: 3 }
  const download = await send(app, downloadCommonLogs, { body }, { token })
  expect([download.statusCode, download.headers['content-type']]).toEqual([
    200,
    'text/plain; charset=utf-8',
  ])
  const lines = download.body
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  expect(lines.map(([number]) => number)).toEqual(['No', '5', '4', '3', '2', '1'])
  expect(lines[3]).toEqual([
    '3',
    '2026-03-01 10:00:00 EST',
    'Agent',
    'Root',
    '203.0.113.7',
    'carlo',
    'carlo',
    'Cebu',
    'SEARCH',
    'POST /api/common-logs/search',
    '200',
    '{"note":"Müller & \\"Söhne\\""}',
    '{}',
    '',
  ])
})

test.each(['=cmd|calc', '+1', '-1', '@SUM(1)', ' =1', '\t=1'])(
  'in a download, the name %j is neither a formula nor a second column',
  async (name) => {
    const officeId = await buildOffice(db, { name })
    const agentId = await buildAgent(db, { office_id: officeId })
    const { id, username } = await db
      .selectFrom('accounts')
      .select(['id', 'username'])
      .where('agent_id', '=', agentId)
      .executeTakeFirstOrThrow()
    accountIds[username] = id
    await startAuditLog(services)(callOf(username, { status: 299 }))
    const body = { companyId: officeId }
    const download = await send(app, downloadCommonLogs, { body }, { token })
    const cells = download.body.split('\n')[1]?.split('\t')
    expect(cells).toHaveLength(14)
    expect(cells?.[7]).toBe(`'${name.replace('\t', ' ')}`)
  },
)

test('a download that takes several queries has each entry once', async () => {
  const record = startAuditLog(services)
  const call = callOf('maria', { status: 207 })
  await Promise.all(Array.from({ length: 2_500 }, () => record(call)))
  const body = { username: 'maria', responseCode: 207 }
  const download = await send(app, downloadCommonLogs, { body }, { token })
  const numbers = download.body
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => Number.parseInt(line, 10))
  expect(numbers).toHaveLength(2_500)
  expect(new Set(numbers).size).toBe(2_500)
  expect(numbers).toEqual(numbers.toSorted((a, b) => b - a))
})

test('a download that is too long is truncated, and says so', async () => {
  const viewer = await makeFindViewer(services)(token)
  const whole = commonLogsSearchSchema.parse({ responseCode: 207 })
  const linesOf = async (most: number) => {
    const text = await Array.fromAsync(
      await exportCommonLogs(db, viewer as Viewer, whole, { most }),
    )
    return text.join('').trimEnd().split('\n').slice(1)
  }
  for (const most of [1, 999, 1_000, 1_001, 2_499]) {
    const lines = await linesOf(most)
    expect(lines).toHaveLength(most + 1)
    expect(lines.at(-1)).toBe(`The result is truncated to the first ${most} entries.`)
  }
  expect(await linesOf(2_500)).toHaveLength(2_500)
})

type Call = {
  endpoint?: typeof endpoints.siteStats | typeof searchCommonLogs
  as?: string
  ip?: string
  status?: number
  body?: object
}

const callOf = (
  username: string,
  { endpoint = searchCommonLogs, as, ip, status = 200, body = {} }: Call,
) => ({
  endpoint,
  accountId: accountIds[as ?? username],
  signedInBy: as === undefined ? undefined : accountIds[username],
  ip: ip ?? '203.0.113.7',
  params: {},
  query: {},
  body,
  status,
})

async function write(at: string, username: string, call: Call): Promise<void> {
  clock.set(at)
  await startAuditLog(services)(callOf(username, call))
}

type Found = { items: { id: number }[]; total: number }

const answer = async (criteria: object, by = token): Promise<Found> =>
  (await send(app, searchCommonLogs, { body: { ...criteria } }, { token: by })).json()

/** Without the searches themselves, which are entries of 10 March. */
async function search(criteria: object, by?: string) {
  const { items, total } = await answer({ end: '2026-03-09', ...criteria }, by)
  return { ids: items.map(({ id }) => id), total }
}
