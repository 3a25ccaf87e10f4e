import { createHmac } from 'node:crypto'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { postbackWorld } from '../../../test/postback-world.ts'

const world = await postbackWorld()
const { app, clock, kept } = world

const bom = Buffer.from([0xef, 0xbb, 0xbf])

async function send(
  url: string,
  payload: string | Buffer,
  headers: Record<string, string> = {},
): Promise<{ status: number; id: string; outcome: string; reason?: string }> {
  const answer = await app.inject({ method: 'POST', url, payload, headers })
  const said = answer.json<{ id: string; outcome: string; reason?: string }>()
  return { status: answer.statusCode, ...said }
}

describe('the key is found in any readable body', () => {
  test('after a byte order mark, in a multipart form, and without a content type', async () => {
    const { url, key, click } = await world.merchant()
    const json = async () => JSON.stringify({ cid: await click(), order_id: 'A', key })
    const part = (name: string, value: string) =>
      `--b\r\ncontent-disposition: form-data; name=${name}\r\n\r\n${value}\r\n`
    const form = `${part('cid', await click())}${part('order_id', 'B')}${part('key', key)}--b--`
    const statuses = [
      await send(url, Buffer.concat([bom, Buffer.from(await json())]), {
        'content-type': 'application/json',
      }),
      await send(url, form, { 'content-type': 'multipart/form-data; boundary=b' }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([201, 201])
  })

  test('an empty body of any type leaves the query', async () => {
    const { url, key, click } = await world.merchant()
    const query = new URLSearchParams({ cid: await click(), tid: '1', key })
    expect(
      await send(`${url}?${query.toString()}`, '', { 'content-type': 'application/json' }),
    ).toMatchObject({ status: 201 })
  })
})

describe('a body that cannot be read', () => {
  test('is said to be unreadable, as the key may be in it; of an unknown site, too', async () => {
    const { url } = await world.merchant()
    for (const path of [url, '/api/postback/999999']) {
      const answer = await send(path, '{"cid":', { 'content-type': 'application/json' })
      expect(answer).toMatchObject({
        status: 400,
        outcome: 'refused',
        reason: 'The body is not valid JSON.',
      })
    }
  })
  test('with a wrong key, the key is what is wrong', async () => {
    const { url } = await world.merchant()
    const headers = { 'content-type': 'application/json', 'x-postback-key': 'wrong' }
    expect(await send(url, '{"cid":', headers)).toMatchObject({ status: 401 })
  })
})

test('orders whose numbers differ in one byte are two, and are kept as such', async () => {
  const { url, key, click } = await world.merchant()
  const cid = await click()
  const sent = []
  for (const order of ['x-M%FCller-', 'x-M%F6ller-', '%ff%fe', '%fe%ff', 'x-M%C3%BCller-']) {
    sent.push(await send(url, `cid=${cid}&tid=${order}&key=${key}`))
  }
  // The last one is the first order in UTF-8.
  expect(sent.map(({ status }) => status)).toEqual([201, 201, 201, 201, 200])
  expect((await kept(sent[0]?.id ?? '')).transaction_id).toBe('x-Müller-')
})

test.each(['{"a":1}', '["b"]', '"a\\ud800b"', 'null', 'false', '0', '"{order}"'])(
  '%s is no order number',
  async (order) => {
    const { url, key, click } = await world.merchant()
    const payload = `{"cid":"${await click()}","transaction_id":${order},"key":"${key}"}`
    const answer = await send(url, payload)
    // JSON's null is a field that is not there.
    expect([answer.status, answer.reason?.split(' ')[0]]).toEqual(
      order === 'null' ? [201, undefined] : [422, 'transaction_id'],
    )
  },
)

test('a line break in a note costs nothing and is cleaned where it is kept', async () => {
  const { url, key, click } = await world.merchant()
  const answer = await send(
    url,
    JSON.stringify({ cid: await click(), tid: '1', key, note: 'At the door.\nThank you' }),
  )
  expect(answer.status).toBe(201)
  expect((await kept(answer.id)).params).toMatchObject({ note: 'At the door.\ufffdThank you' })
})

test('what was signed is checked byte for byte: raw Latin-1 in a query and in a body, but no query beside it', async () => {
  const { url, key, click } = await world.merchant()
  const time = Math.floor(clock.peek().getTime() / 1000)
  const sign = (bytes: Buffer) =>
    `t=${time},v1=${createHmac('sha256', key).update(`${time}.`).update(bytes).digest('hex')}`
  const body = Buffer.from(`cid=${await click()}&tid=Z\u00fcrich`, 'latin1')
  const signature = { 'x-signature': sign(body) }
  expect(await send(`${url}?&`, body, signature)).toMatchObject({ status: 422 })
  const counted = await send(url, body, signature)
  expect(counted.status).toBe(201)
  expect((await kept(counted.id)).transaction_id).toBe('Zürich')
})

describe('a compressed body', () => {
  const packers: Record<string, (text: string) => Buffer> = {
    gzip: (text) => gzipSync(text),
    'x-gzip': (text) => gzipSync(text),
    GZIP: (text) => gzipSync(text),
    deflate: (text) => deflateSync(text),
    ' deflate ': (text) => deflateRawSync(text),
    br: (text) => brotliCompressSync(text),
    identity: (text) => Buffer.from(text),
    '': (text) => Buffer.from(text),
  }

  test.each(Object.entries(packers))('by "%s" is read', async (encoding, pack) => {
    const { url, key, click } = await world.merchant()
    const body = pack(JSON.stringify({ cid: await click(), tid: 'Z-ñ', key }))
    const answer = await send(url, body, { 'content-encoding': encoding })
    expect(answer).toMatchObject({ status: 201, outcome: 'recorded' })
    expect((await kept(answer.id)).transaction_id).toBe('Z-ñ')
  })

  test('is signed as it was sent', async () => {
    const { url, key, click } = await world.merchant()
    const body = gzipSync(`cid=${await click()}&tid=G-1`)
    const time = Math.floor(clock.peek().getTime() / 1000)
    const hmac = (bytes: Buffer) =>
      createHmac('sha256', key).update(`${time}.`).update(bytes).digest('hex')
    const headers = { 'content-encoding': 'gzip', 'x-signature': `t=${time},v1=${hmac(body)}` }
    expect(await send(url, body, headers)).toMatchObject({ status: 201 })
    const other = { ...headers, 'x-signature': `t=${time},v1=${hmac(Buffer.from('cid='))}` }
    expect(await send(url, body, other)).toMatchObject({ status: 401 })
  })

  test.each(['zstd', 'compress', 'gzip, br', 'GZip;q=1'])(
    'by %s is refused by name, and staff see it',
    async (encoding) => {
      const { siteId, url, key } = await world.merchant()
      const headers = { 'content-encoding': encoding, 'x-postback-key': key }
      const answer = await send(url, 'cid=1', headers)
      expect(answer).toMatchObject({
        status: 415,
        outcome: 'refused',
        reason: `The content encoding ${encoding} is not read. Use gzip, deflate, br or none.`,
      })
      expect(await kept(answer.id)).toMatchObject({ outcome: 'refused', site_id: siteId })
    },
  )

  test('that is none of its kind is refused, whether the key is known or not', async () => {
    const { url, key } = await world.merchant()
    for (const more of [{ 'x-postback-key': key }, {}]) {
      for (const encoding of ['gzip', 'deflate', 'br']) {
        const headers = { 'content-encoding': encoding, ...more }
        expect(await send(url, 'cid=1&tid=2', headers)).toMatchObject({
          status: 400,
          reason: `The body is not valid ${encoding}.`,
        })
      }
      const half = gzipSync('cid=1&tid=2').subarray(0, -6)
      const headers = { 'content-encoding': 'gzip', ...more }
      expect(await send(url, half, headers)).toMatchObject({ status: 400 })
    }
  })

  test('may be 1 MB unpacked and no more, however small it comes', async () => {
    const { url, key, click } = await world.merchant()
    const cid = await click()
    const ofSize = (size: number) => `cid=${cid}&tid=B-1&note=`.padEnd(size, 'x')
    const headers = { 'content-encoding': 'gzip', 'x-postback-key': key }
    expect(await send(url, gzipSync(ofSize(1_048_577)), headers)).toMatchObject({
      status: 413,
      reason: 'The body is larger than 1 MB unpacked.',
    })
    expect(await send(url, gzipSync(ofSize(1_048_576)), headers)).toMatchObject({ status: 201 })
  })

  test('that unpacks to 800 MB takes no more memory than another', async () => {
    const { url, key } = await world.merchant()
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024), { level: 9 })
    const bombs = Buffer.concat(Array.from({ length: 100 }, () => bomb))
    const headers = { 'content-encoding': 'gzip', 'x-postback-key': key }
    const before = process.memoryUsage().rss
    const statuses = []
    for (let sent = 0; sent < 20; sent++) statuses.push((await send(url, bombs, headers)).status)
    expect(new Set(statuses)).toEqual(new Set([413]))
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
  })
})
