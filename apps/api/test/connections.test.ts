import { connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { ERROR_CODE_HEADER } from '@tallyroom/contract/errors'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { bareHeaders } from '../src/http/secure-headers.ts'
import { testDatabase } from './database.ts'
import { testServices } from './services.ts'

/** Attacks below the level of requests: slowloris, and request smuggling by ambiguous framing. */

const app = await buildApp(testServices(await testDatabase()))
const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
afterAll(() => app.close())

const start = 'POST /api/auth/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n'

test('clients that send too slowly are cut off at any point of a request', async () => {
  expect(app.server.headersTimeout).toBe(15_000)
  expect(app.server.requestTimeout).toBe(30_000)
  expect(app.server.timeout).toBe(60_000)
  Object.assign(app.server, { headersTimeout: 300, requestTimeout: 300 })
  const answers = await Promise.all([
    exchange('GET /api/health HTTP/1.1\r\nhost: a\r\n', 'x: 1\r\n'),
    exchange(`${start}content-length: 1000\r\n\r\n{`, ' '),
    exchange(`${start}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
    exchange('POST /api/postback/1 HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n', 'a'),
  ])
  for (const answer of answers) {
    expect(answer).toMatch(/^HTTP\/1.1 408 /)
    expect(answer).toContain(`${ERROR_CODE_HEADER}: VALIDATION_ERROR`)
  }
  Object.assign(app.server, { headersTimeout: 15_000, requestTimeout: 30_000 })
})

const inner = 'GET /api/brand HTTP/1.1\r\nhost: a\r\n\r\n'
const post = (headers: string, body: string) => `${start}${headers}\r\n\r\n${body}`

test.each([
  [
    'a length and chunks',
    post('content-length: 4\r\ntransfer-encoding: chunked', `0\r\n\r\n${inner}`),
  ],
  [
    'chunks and a length',
    post('transfer-encoding: chunked\r\ncontent-length: 4', `0\r\n\r\n${inner}`),
  ],
  ['two content lengths', post('content-length: 2\r\ncontent-length: 60', `{}${inner}`)],
  ['a list of content lengths', post('content-length: 2, 60', `{}${inner}`)],
  ['a length with a sign', post('content-length: +2', `{}${inner}`)],
  ['a negative length', post('content-length: -2', `{}${inner}`)],
  ['a length in hexadecimal', post('content-length: 0x2', `{}${inner}`)],
  ['an unknown transfer encoding', post('transfer-encoding: xchunked', `0\r\n\r\n${inner}`)],
  [
    'chunked not being the last encoding',
    post('transfer-encoding: chunked, gzip', `0\r\n\r\n${inner}`),
  ],
  ['a blank before the colon', post('transfer-encoding : chunked', `0\r\n\r\n${inner}`)],
  ['a folded header', post('content-length:\r\n 2', `{}${inner}`)],
  ['a bare carriage return', post('x: a\rcontent-length: 2', `{}${inner}`)],
  ['a chunk without a size', post('transfer-encoding: chunked', `z\r\n${inner}`)],
  [
    'an impossibly large chunk',
    post('transfer-encoding: chunked', `${'f'.repeat(20)}\r\n${inner}`),
  ],
  ['a control character in a header', post('x: a\u0000b', inner)],
])('%s: one refusal, and nothing after it is read as a request', async (_, bytes) => {
  const answer = await exchange(bytes)
  expect(answer).toMatch(/^HTTP\/1.1 400 /)
  expect(answer.match(/HTTP\/1.1 /g)).toHaveLength(1)
  expect(answer).not.toContain('"key"')
})

test.each([
  ['not HTTP', 'hello\r\n\r\n', 400],
  ['headers that are too large', `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  [
    'a path that cannot be decoded',
    'GET /api/%c0 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
    400,
  ],
  ['no route', 'POST /nowhere HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', 404],
])('%s: the refusal carries the security headers', async (_, bytes, status) => {
  const answer = await exchange(bytes)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  for (const [name, value] of Object.entries(bareHeaders)) {
    expect(answer).toContain(`${name}: ${value}\r\n`)
  }
})

test('an object in place of a text is refused, whatever its length', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username: { length: { toString: 1 } }, password: 'x' },
  })
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ message: 'The request could not be parsed.' })
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
])('a body packed by %s is not unpacked', async (encoding, pack) => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    payload: pack(JSON.stringify({ username: 'x'.repeat(10_000_000), password: 'x' })),
  })
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ message: 'The request could not be parsed.' })
})

/** Writes bytes, keeps writing `more` until a response arrives, and reads until the server closes the connection. */
const exchange = (bytes: string, more?: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const drip = setInterval(() => more !== undefined && socket.write(more), 100)
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => {
      answer += text
      clearInterval(drip)
    })
    socket.on('error', () => undefined) // 'close' follows
    socket.on('close', () => {
      clearInterval(drip)
      resolve(answer)
    })
  })
