import Fastify from 'fastify'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { addressOf, trustProxies } from './caller-address.ts'
import { trustOf } from '../lib/net/forwarded-address.ts'
import { handleUnparsed } from './raw-bytes.ts'

const app = Fastify({
  clientErrorHandler: (error, socket) => handleUnparsed(app, error, socket),
})
trustProxies(app, trustOf(1))
app.get('/api/postback/:siteId', (request, reply) =>
  reply.header('set-cookie', ['a=1', 'b=2']).send({
    query: request.query,
    raw: request.raw.url,
    key: request.headers['x-postback-key'],
    address: addressOf(request),
  }),
)
app.get('/api/other', () => ({}))
await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.close())

/** What the server answers to these bytes, until it closes the connection. */
async function send(text: string, encoding: BufferEncoding = 'utf8'): Promise<string> {
  const { port } = app.server.address() as AddressInfo // it listens on a port
  const socket = connect(port, '127.0.0.1')
  socket.end(Buffer.from(text, encoding))
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`

test('a postback with raw bytes is read as if they were encoded', async () => {
  const headers = 'X-Postback-Key: k\r\nX-Forwarded-For: 203.0.113.7\r\n'
  const answer = await send(get('/api/postback/7?name=Niño&sum=₱5&smile=😀', headers))
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(head).toContain('set-cookie: a=1\r\nset-cookie: b=2')
  expect(head).toContain('connection: close')
  expect(JSON.parse(body)).toEqual({
    query: { name: 'Niño', sum: '₱5', smile: '😀' },
    raw: '/api/postback/7?name=Ni%C3%B1o&sum=%E2%82%B15&smile=%F0%9F%98%80',
    key: 'k',
    address: '203.0.113.7',
  })
})

test('Latin-1 keeps its bytes, for whoever knows the charset', async () => {
  expect(await send(get('/api/postback/7?name=Ni\u00f1o'), 'latin1')).toContain('name=Ni%F1o')
})

test.each([
  ['another path', get('/api/other?name=ñ')],
  ['another method', get('/api/postback/7?name=ñ').replace('GET', 'POST')],
  ['a body', get('/api/postback/7?name=ñ', 'Content-Length: 3\r\n') + 'abc'],
  ['a body of chunks', get('/api/postback/7?name=ñ', 'Transfer-Encoding: chunked\r\n')],
  ['a second request', get('/api/postback/7?name=ñ') + get('/api/other')],
  ['a header twice', get('/api/postback/7?name=ñ', 'X-A: 1\r\nX-A: 2\r\n')],
  ['a line that is no header', get('/api/postback/7?name=ñ', 'nonsense\r\n')],
  ['a NUL', get('/api/postback/7?name=ñ', 'X-A: \0\r\n')],
  ['a blank in its URL', get('/api/postback/7?name=ñ b')],
])('with %s, it is refused', async (_, text) => {
  const answer = await send(text)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer).toContain('"VALIDATION_ERROR"')
})
