import { ipBlacklistEndpoints } from '@tallyroom/contract/people/blacklist'
import { beforeEach, expect, test, vi } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { watchChanges } from '../../db/changes.ts'
import { isBlacklisted, keepBlacklist } from './blacklist.ts'
import { ipBlacklistRoutes } from './ip-blacklist.routes.ts'

const { addBlackListIp, searchBlackListIp, deleteBlackListIp, deleteBlackListIpsByValue } =
  ipBlacklistEndpoints

const database = await testDatabase()
const services = testServices(database)
const { db, connection } = database
const call = await callRoutes(ipBlacklistRoutes(services))
const admin = viewer({ role: 'admin', officeId: undefined, agentId: undefined })

beforeEach(async () => {
  await db.deleteFrom('ip_blacklist').execute()
})

const add = (ip: string) => call(admin, addBlackListIp, { body: { ip } })
const listed = async (body: object = {}) => {
  const answer = await call(admin, searchBlackListIp, { body })
  return (answer.body.items as { ip: string }[]).map(({ ip }) => ip)
}
const like = (value: string) => ({ criteria: [{ field: 'ip', operator: 'LIKE', value }] })

test('an entry is added once, in any notation', async () => {
  expect(await add(' 192.0.2.9/24 ')).toEqual({
    status: 200,
    body: { ip: '192.0.2.0/24', outcome: 'added' },
  })
  expect((await add('::ffff:192.0.2.0/120')).body.outcome).toBe('already there')
  expect((await add('192.0.2.9')).body.outcome).toBe('added')
  expect(await listed()).toEqual(['192.0.2.0/24', '192.0.2.9'])
})

test('of ten at once, one is added', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => add('2001:db8::1')))
  expect(answers.filter(({ body }) => body.outcome === 'added')).toHaveLength(1)
  expect(answers.filter(({ body }) => body.outcome === 'already there')).toHaveLength(9)
})

test.each([
  ['192.0.2.300', 'is not an IP address or network'],
  ['example.com', 'is not an IP address or network'],
  ['0.0.0.0/0', 'is too wide: an IPv4 network must be /8 or smaller'],
  ['10.0.0.0/7', 'is too wide: an IPv4 network must be /8 or smaller'],
  ['::ffff:0:0/96', 'is too wide: an IPv4 network must be /8 or smaller'],
  ['::/0', 'is too wide: an IPv6 network must be /19 or smaller'],
  ['2001::/18', 'is too wide: an IPv6 network must be /19 or smaller'],
  // The tests' calls come from this address.
  ['127.0.0.1', 'contains your own address, 127.0.0.1'],
  ['127.0.0.0/8', 'contains your own address, 127.0.0.1'],
  ['::ffff:127.0.0.1', 'contains your own address, 127.0.0.1'],
  ['', 'Enter an address or a network'],
])('%j is refused: it %s', async (ip, message) => {
  const answer = await add(ip)
  expect([answer.status, answer.body.data]).toEqual([422, { ip: [message] }])
  expect(await listed()).toEqual([])
})

test('a search finds a part of the text shown; % and _ are ordinary characters', async () => {
  for (const ip of ['192.0.2.7', '192.0.2.0/24', '10.192.0.1', '2001:db8::1']) await add(ip)
  expect(await listed(like('%192.0%'))).toEqual(['10.192.0.1', '192.0.2.0/24', '192.0.2.7'])
  expect(await listed(like('%/24%'))).toEqual(['192.0.2.0/24'])
  expect(await listed(like('%/32%'))).toEqual([])
  expect(await listed(like('%DB8%'))).toEqual(['2001:db8::1'])
  expect(await listed(like('192_0'))).toEqual([])
  expect(await listed(like('%%%'))).toEqual([])
})

test('the list is sorted as addresses, and paged', async () => {
  for (const ip of ['100.64.0.1', '9.9.9.9', '2001:db8::1', '10.0.0.0/8']) await add(ip)
  const ascending = ['9.9.9.9', '10.0.0.0/8', '100.64.0.1', '2001:db8::1']
  expect(await listed({ sortAsc: false })).toEqual(ascending.toReversed())
  expect(await listed({ page: 2, pageSize: 3 })).toEqual(ascending.slice(3))
  expect((await call(admin, searchBlackListIp, { body: { pageSize: 1 } })).body.total).toBe(4)
})

test('a row is deleted once', async () => {
  await add('192.0.2.7')
  const { body } = await call(admin, searchBlackListIp, { body: {} })
  const params = { id: body.items[0].id }
  expect((await call(admin, deleteBlackListIp, { params })).status).toBe(200)
  expect((await call(admin, deleteBlackListIp, { params })).status).toBe(404)
  expect(await listed()).toEqual([])
})

test('deleting by value deletes exact entries and reports each line', async () => {
  for (const ip of ['192.0.2.0/24', '192.0.2.7', '2001:db8::/32']) await add(ip)
  const ips = ['192.0.2.7/32', '192.0.2.8', 'x', '192.0.2.7', '2001:DB8::5/32']
  const answer = await call(admin, deleteBlackListIpsByValue, { body: { ips } })
  expect(answer.body).toEqual([
    { ip: '192.0.2.7/32', outcome: 'deleted' },
    { ip: '192.0.2.8', outcome: 'not listed', within: '192.0.2.0/24' },
    { ip: 'x', outcome: 'not an address' },
    { ip: '192.0.2.7', outcome: 'deleted' },
    { ip: '2001:DB8::5/32', outcome: 'deleted' },
  ])
  expect(await listed()).toEqual(['192.0.2.0/24'])
})

test('for an address that is not listed itself, the narrowest listed network around it is named', async () => {
  for (const ip of ['10.0.0.0/8', '10.9.0.0/16', '2001:db8::/32']) await add(ip)
  const ips = ['10.9.1.1', '10.1.0.0/16', '2001:db8::77', '2001:db9::1', '11.0.0.0/7']
  const answer = await call(admin, deleteBlackListIpsByValue, { body: { ips } })
  expect(answer.body).toEqual([
    { ip: '10.9.1.1', outcome: 'not listed', within: '10.9.0.0/16' },
    { ip: '10.1.0.0/16', outcome: 'not listed', within: '10.0.0.0/8' },
    { ip: '2001:db8::77', outcome: 'not listed', within: '2001:db8::/32' },
    { ip: '2001:db9::1', outcome: 'not listed' },
    { ip: '11.0.0.0/7', outcome: 'not listed' },
  ])
})

test('empty lists and more than a thousand lines are refused', async () => {
  const answer = (ips: string[]) => call(admin, deleteBlackListIpsByValue, { body: { ips } })
  expect((await answer([])).status).toBe(422)
  expect((await answer(Array.from({ length: 1001 }, () => '192.0.2.7'))).status).toBe(422)
})

test('a change takes effect within a second in every process, and at once for sign-in', async () => {
  const watches = [0, 1].map(() => watchChanges(connection, { log: services.log }))
  const [one, other] = watches.map((changes) => keepBlacklist(db, changes))
  await vi.waitFor(() => expect([one?.isLoaded(), other?.isLoaded()]).toEqual([true, true]), 60_000)

  await add('192.0.2.0/24')
  expect(await isBlacklisted(db, '::ffff:192.0.2.77')).toBe(true)
  expect(await isBlacklisted(db, '192.0.3.77')).toBe(false)
  const bothSay = (expected: boolean) => () =>
    expect([one?.has('192.0.2.77'), other?.has('192.0.2.77')]).toEqual([expected, expected])
  await vi.waitFor(bothSay(true), { timeout: 60_000, interval: 20 })

  await call(admin, deleteBlackListIpsByValue, { body: { ips: ['192.0.2.0/24'] } })
  expect(await isBlacklisted(db, '192.0.2.77')).toBe(false)
  await vi.waitFor(bothSay(false), { timeout: 60_000, interval: 20 })
  await Promise.all(watches.map((watch) => watch.stop()))
})
