import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { register } from 'prom-client'
import { afterAll, expect, test } from 'vitest'
import { postbackWorld } from '../../../test/postback-world.ts'
import { until } from '../../../test/until.ts'
import { makeServer } from '../../http/server.ts'
import { registerInbound, takeUnparsed } from './inbound.routes.ts'
import { searchPostbacks } from '../postbacks/search-postbacks.ts'

const { db, clock, inbound, merchant, services } = await postbackWorld()
const app = makeServer({ config: { trustProxy: 1 }, secret: services.secret })
registerInbound(app, inbound)
takeUnparsed(app, inbound, services.log)
await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.close())

/** The status that the server answers to these bytes. */
async function send(text: string): Promise<number> {
  const { port } = app.server.address() as AddressInfo // it listens on a port
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => undefined)
  socket.write(Buffer.from(text, 'latin1'))
  await once(socket, 'close')
  return Number(/^HTTP\/1\.1 (\d+)/.exec(Buffer.concat(chunks).toString())?.[1])
}

const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

const refusedOf = async (siteId: number) => {
  const search = { siteId, outcome: 'refused', page: 1, pageSize: 50, sortAsc: true } as const
  const { items } = await searchPostbacks(inbound, { ...search, sortField: 'receivedAt' })
  return items
}

const soon = async (siteId: number, count: number) => {
  await until(async () => (await refusedOf(siteId)).length >= count, 10_000)
  return refusedOf(siteId)
}

/** How many were counted since the test began. */
const counted = async (key: 'yes' | 'no'): Promise<number> => {
  const metric = await register.getSingleMetric('tallyroom_unparsed_postbacks_total')?.get()
  return metric?.values.find(({ labels }) => labels['key'] === key)?.value ?? 0
}

test.each([
  ['a blank in its address', ' b', '', 400, 'Its address has a blank'],
  ['a header that is none', '', 'X A: 1\r\n', 400, 'A header of it'],
  ['a NUL in a header', '', 'X-A: \0\r\n', 400, 'A header of it'],
  ['headers of 20 kB', '', `X-A: ${'a'.repeat(20_000)}\r\n`, 431, 'longer than 16 kB'],
])('with %s, it is shown as refused', async (_, more, headers, status, reason) => {
  const { url, key, siteId } = await merchant()
  const told = 'X-Forwarded-For: 203.0.113.7\r\n'
  const target = `${url}?key=${key}&cid=c1&transaction_id=T1&name=a${more}`
  expect(await send(get(target, told + headers))).toBe(status)
  const [refused, ...others] = await soon(siteId, 1)
  expect(others).toEqual([])
  expect(refused).toMatchObject({ method: 'GET', ip: '203.0.113.7', outcome: 'refused' })
  expect(refused?.reason).toContain(reason)
  expect(JSON.parse(refused?.params ?? '')).toEqual({
    key: '[removed]',
    cid: 'c1',
    transaction_id: 'T1',
    name: `a${more}`,
  })
  expect(JSON.stringify(refused)).not.toContain(key)
})

test('an address of 20 kB is shown with what came of it', async () => {
  const { url, key, siteId } = await merchant()
  const long = 'n'.repeat(20_000)
  expect(await send(get(`${url}?key=${key}&cid=c1&note=${long}`))).toBe(431)
  const [refused] = await soon(siteId, 1)
  expect(JSON.parse(refused?.params ?? '')).toMatchObject({ cid: 'c1', note: /^n{500}…$/ })
})

test('the key may be in the header, the path damaged, and the address whole', async () => {
  const { url, key, siteId } = await merchant()
  await send(get(`/${url}/?cid=a b`, `X-Postback-Key: ${key}\r\n`))
  await send(get(`http://office.example${url}?cid=a b&key=${key}`))
  expect(await soon(siteId, 2)).toHaveLength(2)
})

test('a body in bad parts, a wrong length and a body that is too long are shown, once each', async () => {
  const { url, key, siteId } = await merchant()
  const post = (headers: string) => `POST ${url}?key=${key} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
  expect(await send(post('Transfer-Encoding: chunked\r\n') + 'no size\r\n')).toBe(400)
  await soon(siteId, 1)
  expect(await send(post('Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'))).toBe(400)
  await soon(siteId, 2)
  expect(await send(post('Content-Length: 9999999\r\n'))).toBe(413)
  const refused = await soon(siteId, 3)
  expect(refused.map(({ reason }) => reason?.slice(0, 28))).toEqual([
    'The length or the parts of i',
    'The length or the parts of i',
    'Its body is longer than 1 MB',
  ])
})

test('of a stranger’s, only the number is kept', async () => {
  const { url, key, siteId } = await merchant()
  const before = await counted('no')
  const other = await merchant()
  for (const wrong of ['', '&key=wrong', `&key=${other.key}`, `&key=${key}x`]) {
    await send(get(`${url}?cid=a b${wrong}`))
  }
  await send(get(`/api/postback/999999?cid=a b&key=${key}`))
  await send(get(`/api/other?cid=a b&key=${key}`))
  await until(async () => (await counted('no')) === before + 5, 10_000)
  expect(await refusedOf(siteId)).toEqual([])
  expect(await refusedOf(other.siteId)).toEqual([])
})

test('a request that was read is not shown for what came behind it', async () => {
  const { url, key, siteId } = await merchant()
  const good = get(`${url}?key=${key}&cid=${'c'.repeat(32)}`)
  expect(await send(good + 'nonsense\r\n\r\n')).toBe(400)
  const [refused, ...others] = await soon(siteId, 1)
  expect(others).toEqual([])
  expect(refused?.reason).not.toContain('HTTP')
})

test('twenty of a site are stored a minute, and all are counted', async () => {
  const { url, key, siteId } = await merchant()
  const other = await merchant()
  const before = await counted('yes')
  clock.advance(60_000)
  for (let at = 0; at < 25; at++) await send(get(`${url}?key=${key}&cid=a b`))
  await send(get(`${other.url}?key=${other.key}&cid=a b`))
  await soon(other.siteId, 1)
  expect(await counted('yes')).toBe(before + 26)
  expect(await refusedOf(siteId)).toHaveLength(20)
  clock.advance(60_000)
  await send(get(`${url}?key=${key}&cid=a b`))
  expect(await soon(siteId, 21)).toHaveLength(21)
  const rows = await db
    .selectFrom('postbacks')
    .select('site_id')
    .where('site_id', 'is', null)
    .execute()
  expect(rows).toEqual([])
})
