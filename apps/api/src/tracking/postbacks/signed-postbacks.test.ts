import { createHmac } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { postbackWorld } from '../../../test/postback-world.ts'
import { forgetSignedAnswers } from './signed-postbacks.ts'
import { makeInbound, type PostbackRequest, takePostback } from './inbound.ts'
import { registerInbound } from '../inbound/inbound.routes.ts'

const world = await postbackWorld()
const { db, clock, services, inbound, app, merchant, eventsOf, kept } = world

const owner = new pg.Client({ connectionString: world.connection.url })
await owner.connect()
afterAll(() => owner.end())

/** The same database as another process sees it. */
const otherApp = Fastify()
registerInbound(otherApp, makeInbound(services))
afterAll(() => otherApp.close())

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

const seconds = () => Math.floor(clock.peek().getTime() / 1000)

const sign = (key: string, signed: string, time = seconds()) =>
  `t=${time},v1=${createHmac('sha256', key).update(`${time}.${signed}`).digest('hex')}`

type Sent = {
  url: string
  signature: string
  method?: 'GET' | 'POST'
  body?: string
  type?: string
  to?: typeof app
  ip?: string
}

const send = ({ url, signature, method = 'POST', body, type = JSON_TYPE, to = app, ip }: Sent) =>
  to.inject({
    method,
    url,
    headers: { 'x-signature': signature, ...(method === 'POST' && { 'content-type': type }) },
    ...(body !== undefined && { payload: body }),
    ...(ip !== undefined && { remoteAddress: ip }),
  })

const keptOf = (siteId: number) =>
  db.selectFrom('postbacks').selectAll().where('site_id', '=', siteId).orderBy('id').execute()

/** A request of each kind that can be signed, all reporting the same sale. */
async function signedRequests() {
  const { key, url, click, siteId } = await merchant()
  clock.advance(1_000) // or the other process has just reloaded, without the site
  const made = async (method: 'GET' | 'POST', type: string, write: (clickId: string) => string) => {
    const message = write(await click())
    const signature = sign(key, message)
    const sent: Sent =
      method === 'GET'
        ? { method, url: `${url}?${message}`, signature }
        : { method, url, body: message, type, signature }
    const request: PostbackRequest = {
      siteId: String(siteId),
      method,
      query: method === 'GET' ? message : '',
      contentType: type,
      contentEncoding: '',
      body: Buffer.from(method === 'GET' ? '' : message),
      key: undefined,
      signature,
      ip: '192.0.2.1',
    }
    return { siteId, message, sent, request }
  }
  return {
    json: await made('POST', JSON_TYPE, (id) => JSON.stringify({ cid: id, tid: `j-${id}` })),
    form: await made('POST', FORM_TYPE, (id) => `cid=${id}&tid=f-${id}`),
    query: await made('GET', '', (id) => `cid=${id}&tid=q-${id}`),
    array: await made('POST', JSON_TYPE, (id) =>
      JSON.stringify([
        { cid: id, tid: `a-${id}` },
        { cid: id, tid: `a-${id}`, event: 'void' },
      ]),
    ),
  }
}

const kinds = ['json', 'form', 'query', 'array'] as const
const counted = { json: [1], form: [1], query: [1], array: [1, -1] }
const quantitiesOf = async (siteId: number) => (await eventsOf(siteId)).map((row) => row.quantity)

describe.each(kinds)('signed as %s', (kind) => {
  test('it counts; a second delivery gets the first answer, from every process', async () => {
    const { siteId, sent } = (await signedRequests())[kind]
    const first = await send(sent)
    expect(first.statusCode).toBe(kind === 'array' ? 200 : 201)
    for (const to of [app, otherApp]) {
      clock.advance(60_000)
      const again = await send({ ...sent, to })
      expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body])
      expect(again.headers['content-type']).toBe(first.headers['content-type'])
    }
    expect(await quantitiesOf(siteId)).toEqual(counted[kind])
    expect(await keptOf(siteId)).toHaveLength(counted[kind].length)
  })

  test('delivered many times at once to two processes, it is decided once and answered alike', async () => {
    const { siteId, sent } = (await signedRequests())[kind]
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => send({ ...sent, to: index % 2 ? app : otherApp })),
    )
    const [first] = answers
    expect(first?.statusCode).toBe(kind === 'array' ? 200 : 201)
    expect(new Set(answers.map(({ body }) => body))).toEqual(new Set([first?.body]))
    expect(await quantitiesOf(siteId)).toEqual(counted[kind])
    expect(await keptOf(siteId)).toHaveLength(counted[kind].length)
  })

  test('unsigned extra fields are refused, and the signature stays usable', async () => {
    const { siteId, sent } = (await signedRequests())[kind]
    for (const extra of ['transaction_id=z1', 'event=fraud', '=', 'utm_source=x']) {
      const url = `${sent.url}${sent.url.includes('?') ? '&' : '?'}${extra}`
      const answer = await send({ ...sent, url, ip: '198.51.100.20' })
      // The whole query of a GET is signed, so anything added makes it a different request.
      expect(answer.statusCode).toBe(sent.method === 'GET' ? 401 : 422)
      if (sent.method === 'POST') expect(answer.json().reason).toMatch(/query is not signed/)
      expect(await kept(answer.json().id)).toMatchObject({ site_id: siteId, outcome: 'refused' })
    }
    expect(await eventsOf(siteId)).toEqual([])
    expect((await send(sent)).statusCode).toBe(kind === 'array' ? 200 : 201)
    clock.advance(60_000)
  })

  test('on another site’s path it is invalid', async () => {
    const { siteId, sent } = (await signedRequests())[kind]
    const other = await merchant()
    const url = sent.url.replace(/^[^?]*/, other.url)
    expect((await send({ ...sent, url, ip: '198.51.100.21' })).statusCode).toBe(401)
    expect(await eventsOf(other.siteId)).toEqual([])
    expect(await eventsOf(siteId)).toEqual([])
  })

  test('the same bytes by the other method, or as another type, mean the same', async () => {
    const { siteId, message, request } = (await signedRequests())[kind]
    const [query, body] = [message, Buffer.from(message)]
    const others: PostbackRequest[] = [
      ...[
        FORM_TYPE,
        JSON_TYPE,
        'multipart/form-data; boundary=x',
        'text/plain; charset=utf-16',
        '',
      ].map(
        (contentType) => ({ ...request, method: 'POST', query: '', body, contentType }) as const,
      ),
      { ...request, method: 'GET', query, body: Buffer.alloc(0), contentType: '' },
      request,
    ]
    const answers = []
    for (const other of others) answers.push(await takePostback(inbound, other))
    expect(answers[0]?.status).toBe(kind === 'array' ? 200 : 201)
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await quantitiesOf(siteId)).toEqual(counted[kind])
  })

  test('a body added to a GET, or removed from a POST, changes nothing', async () => {
    const { siteId, sent } = (await signedRequests())[kind]
    const answer = await send({
      ...sent,
      body: sent.method === 'GET' ? JSON.stringify({ tid: 'z', event: 'fraud' }) : '',
      ip: '198.51.100.22',
    })
    expect(answer.statusCode).toBe(sent.method === 'GET' ? 201 : 401)
    expect(await quantitiesOf(siteId)).toEqual(sent.method === 'GET' ? [1] : [])
  })

  test('a retry after a 5xx counts', async () => {
    const { siteId, sent } = (await signedRequests())[kind]
    // The last statement of its transaction fails.
    await owner.query('revoke insert on signed_postbacks from tallyroom_app')
    expect((await send(sent)).statusCode).toBe(500)
    await owner.query('grant insert on signed_postbacks to tallyroom_app')
    expect(await eventsOf(siteId)).toEqual([])
    expect(await keptOf(siteId)).toEqual([])
    expect((await send({ ...sent, to: otherApp })).statusCode).toBe(kind === 'array' ? 200 : 201)
    expect(await quantitiesOf(siteId)).toEqual(counted[kind])
  })
})

test('a customer’s text does not become fields when JSON is declared to be a form', async () => {
  const { siteId, url, key, click } = await merchant()
  const cid = await click()
  await app.inject({ method: 'POST', url, payload: { key, cid, tid: 'A-1' } })
  const body = JSON.stringify({ cid, tid: 'A-2', email: `a&event=fraud&tid=A-1&cid=${cid}&b@c.de` })
  await send({ url, body, type: FORM_TYPE, signature: sign(key, body) })
  expect((await eventsOf(siteId)).map((row) => [row.transaction_id, row.quantity])).toEqual([
    ['A-1', 1],
    ['A-2', 1],
  ])
})

test.each([
  ['POST', FORM_TYPE],
  ['POST', JSON_TYPE],
  ['GET', ''],
] as const)(
  '%s with nothing in it is refused, whatever signs it and stands beside it',
  async (method, type) => {
    const { siteId, url, key, click } = await merchant()
    const signature = sign(key, '')
    const sent = { method, url, type, signature, ...(method === 'POST' && { body: '' }) }
    const answer = await send({ ...sent, ip: '198.51.100.23' })
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toMatchObject({ outcome: 'refused', code: 'VALIDATION_ERROR' })
    expect(answer.json().reason).toMatch(/Nothing is signed/)
    for (let order = 1; order <= 3; order++) {
      const query = `cid=${await click()}&tid=${order}`
      const more = await send({ ...sent, url: `${url}?${query}`, ip: '198.51.100.24' })
      expect(more.statusCode).toBe(method === 'POST' ? 422 : 401)
    }
    expect(await eventsOf(siteId)).toEqual([])
  },
)

test('two signatures of one message, during a rotation, count as one message', async () => {
  const { siteId, url, key: older, click } = await merchant()
  const { key: newer } = await inbound.keys.rotate(siteId)
  await inbound.sites.reload()
  clock.advance(5_000)
  const body = JSON.stringify({ cid: await click(), tid: 'A-1' })
  const time = seconds()
  const [one, other] = [sign(older, body, time), sign(newer, body, time)]
  const answers = []
  for (const signature of [
    one,
    other,
    `${one},${other.slice(other.indexOf('v1='))}`,
    one.toUpperCase().replace('T=', 't=').replace('V1=', 'v1='),
  ]) {
    answers.push((await send({ url, body, signature })).body)
  }
  expect(new Set(answers).size).toBe(1)
  expect(await keptOf(siteId)).toHaveLength(1)
})

test('refusals are replayed, too; a minute later it is another message', async () => {
  const { siteId, url, key } = await merchant()
  const body = JSON.stringify({ cid: 'forged' })
  const signature = sign(key, body)
  const first = await send({ url, body, signature })
  expect(first.statusCode).toBe(422)
  const again = await send({ url, body, signature })
  expect([again.body, again.headers['error-code']]).toEqual([first.body, 'VALIDATION_ERROR'])
  expect(await keptOf(siteId)).toHaveLength(1)
  clock.advance(60_000)
  expect((await send({ url, body, signature: sign(key, body) })).body).not.toBe(first.body)
  expect(await keptOf(siteId)).toHaveLength(2)
})

test('a fixed answer is given the second time, too', async () => {
  const { url, key, click } = await merchant({ always_ok_text: 'OK' })
  const body = JSON.stringify({ cid: await click() })
  for (const to of [app, otherApp]) {
    const answer = await send({ url, body, signature: sign(key, body), to })
    expect([answer.statusCode, answer.body]).toEqual([200, 'OK'])
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  }
})

test('whoever has a signature cannot fill the log with refusals', async () => {
  const { siteId, url, key } = await merchant()
  const body = '{"cid":"x"}'
  const signature = sign(key, body)
  const statuses = []
  const from = { body, signature, ip: '198.51.100.25' }
  for (let tries = 0; tries < 25; tries++) {
    const answer = await send({ url: `${url}?tid=${tries}`, ...from })
    statuses.push(answer.statusCode)
  }
  const limited = await send({ url: `${url}?tid=26`, ...from })
  expect(limited.json()).toEqual({
    code: 'TOO_MANY_REQUESTS',
    message: 'Too many of your postbacks were refused. Correct them, then try again in a minute.',
  })
  expect(statuses.filter((status) => status === 422)).toHaveLength(20)
  expect(statuses.slice(20)).toEqual(Array(5).fill(429))
  expect(await keptOf(siteId)).toHaveLength(20)
})

test('answers are kept as long as their signature is valid, and no longer', async () => {
  const { url, key, click } = await merchant()
  const body = JSON.stringify({ cid: await click(), tid: 'A-1' })
  const time = seconds()
  const expires = new Date((time + 300) * 1000).toISOString()
  const signature = sign(key, body, time)
  const first = await send({ url, body, signature })
  clock.set(expires)
  await forgetSignedAnswers(services)
  clock.set(expires)
  expect((await send({ url, body, signature })).body).toBe(first.body)
  // Another machine's clock may be a minute behind.
  clock.advance(61_000)
  await forgetSignedAnswers(services)
  expect(await db.selectFrom('signed_postbacks').selectAll().execute()).toEqual([])
  expect((await send({ url, body, signature, ip: '198.51.100.26' })).statusCode).toBe(401)
})

test('for a postback with a key, no answer is kept', async () => {
  const { get, click } = await merchant()
  const count = async () =>
    (await db.selectFrom('signed_postbacks').select('digest').execute()).length
  const before = await count()
  expect((await get({ cid: await click() })).statusCode).toBe(201)
  expect(await count()).toBe(before)
})
