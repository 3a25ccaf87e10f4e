import { fc, test as property } from '@fast-check/vitest'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { loopbackAt } from '../../../test/loopback-at.ts'
import { mayReach, parseAllowedTargets } from './public-address.ts'
import { makeSafeFetch, outgoingOf, SafeFetchError, type SafeFetch } from './safe-fetch.ts'

const nothing = { hosts: [], ports: [] }

/** What listeners on inward addresses saw: it must stay empty. */
const seen: string[] = []
const inward = [await listen('127.0.0.1'), await listen('::1'), await listen('0.0.0.0')]
/** A target that the operator allows. Its path says how it behaves. */
const target = await listen('127.0.0.1', (path, answer) => {
  if (path === '/hang') return
  if (path === '/trickle') {
    const more = setInterval(() => answer.write('x'), 50)
    return void answer.on('close', () => clearInterval(more))
  }
  if (path === '/endless') {
    const more = setInterval(() => answer.write('x'.repeat(8_192)), 1)
    return void answer.on('close', () => clearInterval(more))
  }
  const to = /^\/to\?(.+)$/.exec(path)?.[1]
  if (to) return void answer.writeHead(302, { location: decodeURIComponent(to) }).end()
  answer.writeHead(200, { 'set-cookie': 'a=b' }).end(JSON.stringify(answer.req.headers))
})
const at = `http://127.0.0.1:${target.port}`
const loopback = loopbackAt(target.port)

afterAll(() => [...inward, target].forEach(({ server }) => server.closeAllConnections()))
afterAll(() => [...inward, target].forEach(({ server }) => server.close()))
beforeEach(() => void (seen.length = 0))

type Answer = Parameters<NonNullable<Parameters<typeof createServer>[1]>>[1]
async function listen(host: string, behave?: (path: string, answer: Answer) => unknown) {
  const server: Server = createServer((request, answer) => {
    if (behave) return void behave(request.url ?? '', answer)
    seen.push(`${host}${request.url}`)
    answer.end('inside')
  })
  if (!behave) server.on('connection', () => seen.push(host))
  await new Promise<void>((done) => server.listen(0, host, done))
  return { server, port: (server.address() as AddressInfo).port } // a TCP server has such an address
}

const refusal = async (fetched: Promise<unknown>) => {
  const error = await fetched.then(
    () => undefined,
    (one: unknown) => one,
  )
  return error instanceof SafeFetchError ? error.kind : error
}

const inwardForms = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '127.0.0.1.',
  '0.0.0.0',
  '0',
  '０.０.０.０',
  '①②⑦.0.0.1',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[fec0::1]',
  '[ff02::1]',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
]

test.each(inwardForms)('%s is never connected to', async (host) => {
  for (const { port } of inward) {
    const fetch = makeSafeFetch({ hosts: [], ports: [port] }, { longestMs: 2_000 })
    for (const scheme of ['http', 'https']) {
      expect(await refusal(fetch(`${scheme}://${host}:${port}/`))).toBe('refused')
    }
  }
  expect(seen).toEqual([])
})

property.prop([
  fc.oneof(
    fc.ipV4().map((ip) => ({ ip, host: ip })),
    fc.ipV4().map((ip) => ({ ip, host: String(ip.split('.').reduce((n, p) => n * 256 + +p, 0)) })),
    fc.ipV4().map((ip) => ({ ip, host: ip.split('.').map(octal).join('.') })),
    fc.ipV4().map((ip) => ({ ip: `::ffff:${ip}`, host: `[::ffff:${ip}]` })),
    fc.ipV6().map((ip) => ({ ip, host: `[${ip}]` })),
  ),
])(
  'whatever form an address has, what may not be reached is refused before connecting',
  async ({ ip, host }) => {
    if (mayReach(ip, 80, nothing)) return
    expect(await refusal(makeSafeFetch(nothing)(`http://${host}/`))).toBe('refused')
  },
)

const octal = (part: string) => `0${Number(part).toString(8)}`

test.each([
  ['one inward address among public ones', ['93.184.216.34', '127.0.0.1']],
  ['an address with a zone', ['fe80::1%eth0']],
  ['IPv4 in IPv6', ['::ffff:10.0.0.1']],
])('a name is refused for %s', async (_why, addresses) => {
  const fetch = makeSafeFetch(nothing, { resolve: async () => addresses })
  expect(await refusal(fetch('http://tracker.example/'))).toBe('refused')
})

test('a name that changes between two look-ups is looked up once, and keeps its name for the target', async () => {
  let lookups = 0
  const resolve = async () => (++lookups === 1 ? ['127.0.0.2'] : ['127.0.0.1'])
  const other = await listen('127.0.0.2', (_path, answer) => answer.end(answer.req.headers.host))
  const fetch = makeSafeFetch(loopbackAt(other.port), { resolve })
  const { body } = await fetch(`http://tracker.example:${other.port}/`)
  other.server.close()
  expect(body.toString()).toBe(`tracker.example:${other.port}`)
  expect(lookups).toBe(1)
})

test.each([
  ['file:///etc/passwd'],
  ['ftp://example.com/'],
  ['http://user:secret@example.com/'],
  ['not a URL'],
  ['http://'],
])('%s is not asked', async (url) => {
  expect(await refusal(makeSafeFetch(loopback)(url))).toBe('refused')
})

test('ports other than 80 and 443 need the operator', () => {
  const some =
    parseAllowedTargets('10.1.0.0/16:5432, 10.3.0.1:8080, *:8443, [fd12::]/16:80, [fd13::1]:81') ??
    nothing
  expect(mayReach('93.184.216.34', 443, nothing)).toBe(true)
  expect(mayReach('2606:4700::1111', 80, nothing)).toBe(true)
  expect(mayReach('93.184.216.34', 8443, nothing)).toBe(false)
  expect(mayReach('93.184.216.34', 8443, some)).toBe(true)
  expect(mayReach('10.1.2.3', 5432, some)).toBe(true)
  expect(mayReach('::ffff:10.1.2.3', 80, some)).toBe(false)
  expect(mayReach('fd12::1', 80, some)).toBe(true)
  expect(mayReach('fd13::1', 81, some)).toBe(true)
  expect(mayReach('10.2.2.3', 5432, some)).toBe(false)
  expect(mayReach('10.3.0.1', 8080, some)).toBe(true)
  // An allowed host is not opened whole.
  for (const port of [22, 80, 443, 8443]) expect(mayReach('10.1.2.3', port, some)).toBe(false)
})

test('what the operator allows is the network’s own: a partner’s URL goes to public addresses, always', async () => {
  const { partners, network } = outgoingOf(
    parseAllowedTargets(`127.0.0.1:${target.port}`) ?? nothing,
  )
  expect((await network(`${at}/`)).status).toBe(200)
  expect(await refusal(partners(`${at}/`))).toBe('refused')
})

test('which names there are inside can’t be learnt', async () => {
  const words = async (addresses: string[]) => {
    const fetch = makeSafeFetch(nothing, { resolve: async () => addresses })
    return fetch('http://warehouse.example/').catch(({ message }: Error) => message)
  }
  expect(await words([])).toBe(await words(['10.1.2.3']))
})

test.each([
  '10.0.0.0/33:80',
  '10.0.0.0/8',
  '10.1.2.3',
  '10.1.2.3:0',
  '*:0',
  '*:65536',
  'example.com:80',
  '10.1:80',
  'fd12::1:80',
  '[fd12::1]',
  '',
])('the operator can’t allow %j', (text) => expect(parseAllowedTargets(text)).toBeUndefined())

test('a redirect is the answer unless it is to be followed, and each one is checked anew', async () => {
  const fetch = makeSafeFetch(parseAllowedTargets(`127.0.0.1:${target.port}`) ?? nothing)
  const to = (url: string) => `${at}/to?${encodeURIComponent(url)}`
  expect((await fetch(to(`${at}/`))).status).toBe(302)
  expect((await fetch(to('/'), { redirects: 1 })).url).toBe(`${at}/`)
  expect(await refusal(fetch(to(to('/')), { redirects: 1 }))).toBe('failed')
  for (const inside of [
    'http://127.0.0.2/',
    'http://[::1]/',
    'file:///etc/passwd',
    '//10.0.0.1/',
  ]) {
    expect(await refusal(fetch(to(inside), { redirects: 5 }))).toBe('refused')
  }
})

test('an endless answer is cut, a silent one is given up, and nothing is kept for the next', async () => {
  const fetch: SafeFetch = makeSafeFetch(loopback, { longestMs: 1_000 })
  expect((await fetch(`${at}/endless`)).body).toHaveLength(64 * 1024)
  expect(await refusal(fetch(`${at}/hang`))).toBe('timeout')
  expect(await refusal(fetch(`${at}/trickle`))).toBe('timeout')
  await fetch(`${at}/`)
  const headers: unknown = JSON.parse((await fetch(`${at}/`)).body.toString())
  expect(headers).not.toHaveProperty('cookie')
  expect(headers).toMatchObject({ connection: 'close' })
})

test('line breaks in a URL add no header', async () => {
  const { body } = await makeSafeFetch(loopback)(`${at}/?a=1%0d%0aX-Injected:%201&b=\r\nX-More: 1`)
  expect(body.toString().toLowerCase()).not.toContain('x-')
})
