import { createHmac } from 'node:crypto'
import type { Description } from '@tallyroom/contract/endpoint'
import { trackingEndpoints } from '@tallyroom/contract/tracking/tracking'
import Fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { until } from '../../../test/until.ts'
import { announceChange, watchChanges } from '../../db/changes.ts'
import { inTransaction } from '../../db/transaction.ts'
import { makeInbound } from './inbound.ts'
import { registerInbound } from '../inbound/inbound.routes.ts'
import { bareHeaders } from '../../http/secure-headers.ts'

const { db, clock, inbound, app, agentId, merchant, kept, eventsOf, services } =
  await postbackWorld()

describe('strangers', () => {
  test('a wrong key, no key and a missing site get the same answer, and are stored', async () => {
    const { siteId, click, get } = await merchant()
    const clickId = await click()
    const answers = [
      await get({ cid: clickId }, 'wrong'),
      await get({ cid: clickId }, ''),
      await app.inject({ url: '/api/postback/999999', query: { key: 'wrong', cid: clickId } }),
      await app.inject({ url: '/api/postback/nonsense', query: { key: 'wrong', cid: clickId } }),
    ]
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401)
      expect(answer.headers['error-code']).toBe('INVALID_TOKEN')
      expect(answer.headers).toMatchObject(bareHeaders)
      expect(answer.json()).toEqual({ ...answers[0]?.json(), id: answer.json().id })
    }
    const rows = await Promise.all(answers.map((answer) => kept(answer.json().id)))
    expect(rows.map((row) => row.site_id)).toEqual([siteId, siteId, null, null])
    expect(rows.map((row) => row.outcome)).toEqual(Array(4).fill('refused'))
    expect(JSON.stringify(rows)).not.toContain('wrong"')
    expect(await eventsOf(siteId)).toEqual([])
  })

  test('callers who keep trying are told to wait, and nothing is stored', async () => {
    const { get, click } = await merchant()
    clock.advance(60_000)
    const count = () =>
      db
        .selectFrom('postbacks')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    const before = await count()
    const statuses = []
    for (let tries = 0; tries < 25; tries++) {
      statuses.push((await get({ cid: 'x' }, 'wrong', '198.51.100.7')).statusCode)
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(20)
    const limited = await get({ cid: 'x' }, 'wrong', '198.51.100.7')
    expect(limited.statusCode).toBe(429)
    expect(limited.headers).toMatchObject({
      'retry-after': '60',
      'error-code': 'TOO_MANY_REQUESTS',
    })
    expect((await count()).count - before.count).toBe(20)
    // Requests from another address, or with the key, are still processed.
    expect((await get({ cid: 'x' }, 'wrong', '198.51.100.8')).statusCode).toBe(401)
    const clickId = await click()
    const right = (await merchant()).get
    expect((await right({ cid: clickId }, undefined, '198.51.100.7')).statusCode).toBe(422)
  })
})

describe('keys and signatures', () => {
  test('two keys are valid during a rotation, the third replaces the first', async () => {
    const { siteId, key: first, click, get } = await merchant()
    const { key: second, previousKey } = await inbound.keys.rotate(siteId)
    expect(previousKey).toBe(first)
    clock.advance(1_000)
    for (const key of [first, second]) {
      expect((await get({ cid: await click() }, key)).statusCode).toBe(201)
    }
    const { key: third } = await inbound.keys.rotate(siteId)
    await inbound.sites.reload()
    expect((await get({ cid: await click() }, first)).statusCode).toBe(401)
    expect((await get({ cid: await click() }, second)).statusCode).toBe(201)
    expect((await get({ cid: await click() }, third)).statusCode).toBe(201)
  })

  test('every process learns of a retired key and of a changed site', async () => {
    const { siteId, key } = await merchant()
    const { sites } = makeInbound(services)
    const takes = (secret: string) => sites.find(siteId, ({ secrets }) => secrets.includes(secret))
    const changes = watchChanges(services.connection, { log: services.log })
    onTestFinished(changes.stop)
    sites.keepFresh(changes)
    expect(await takes(key)).toMatchObject({ alwaysOkText: null })
    for (const _ of [1, 2]) await inbound.keys.rotate(siteId)
    await until(async () => (await takes(key)) === undefined)

    await inTransaction(db, async (tx) => {
      await tx.updateTable('sites').set({ always_ok_text: 'OK' }).where('id', '=', siteId).execute()
      await announceChange(tx, 'destinations')
    })
    await until(async () => (await sites.find(siteId))?.alwaysOkText === 'OK')
  })

  test('the key may be in the header or in the body', async () => {
    const { url, key, click } = await merchant()
    const inHeader = await app.inject({
      url,
      headers: { 'x-postback-key': key },
      query: { cid: await click() },
    })
    expect(inHeader.statusCode).toBe(201)
    const inForm = await app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ cid: await click(), key }).toString(),
    })
    expect(inForm.statusCode).toBe(201)
    const inJson = await app.inject({ method: 'POST', url, payload: { cid: await click(), key } })
    expect(inJson.statusCode).toBe(201)
    expect(JSON.stringify(await kept(inJson.json().id))).not.toContain(key)
  })

  test('a signature over the body, or over the query of a GET, is as good as the key', async () => {
    const { url, key, click } = await merchant()
    const time = Math.floor(clock.peek().getTime() / 1000)
    const sign = (signed: string) =>
      `t=${time},v1=${createHmac('sha256', key).update(`${time}.${signed}`).digest('hex')}`
    const payload = JSON.stringify({ cid: await click(), email: 'zoë@example.com' })
    const post = (signature: string) =>
      app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', 'x-signature': signature },
        payload,
      })
    expect((await post(sign(`${payload} `))).statusCode).toBe(401)
    expect((await post(sign(payload))).statusCode).toBe(201)

    const query = `cid=${await click()}&email=a%40example.com`
    const get = await app.inject({
      url: `${url}?${query}`,
      headers: { 'x-signature': sign(query) },
    })
    expect(get.statusCode).toBe(201)
  })
})

describe('what merchants send', () => {
  test('the items of an array are answered one by one', async () => {
    const { siteId, url, key, click } = await merchant()
    const cid = await click()
    const answer = await app.inject({
      method: 'POST',
      url: `${url}?key=${key}`,
      payload: [
        { cid, tid: 1 },
        { cid, tid: 1 },
        { tid: 1, event: 'void' },
        { cid: 'forged', tid: 2 },
        7,
        { cid, tid: '12345678901234567890' },
      ],
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.json().map((item: { outcome: string }) => item.outcome)).toEqual([
      'recorded',
      'duplicate',
      'recorded',
      'refused',
      'refused',
      'recorded',
    ])
    expect((await eventsOf(siteId)).map((event) => event.transaction_id)).toEqual([
      '1',
      '1',
      '12345678901234567890',
    ])
  })

  test('a second order of one click is a second sale, however the order number is spelled', async () => {
    const { siteId, url, key, click } = await merchant()
    const clickId = await click()
    for (const payload of [
      { clickId, OrderID: 'A-1' },
      { clickId, OrderID: 'A-2' },
      { clickId, invoiceId: 'A-3' },
      { clickId, transactionId: 'A-4' },
    ]) {
      const answer = await app.inject({ method: 'POST', url, payload: { ...payload, Key: key } })
      expect(answer.json()).toMatchObject({ outcome: 'recorded' })
    }
    expect(await eventsOf(siteId)).toHaveLength(4)
  })

  test('without an order number, a second order is held, and the answer names what distinguishes it', async () => {
    const { get, click } = await merchant()
    const cid = await click()
    expect((await get({ cid, ref: 'A-1' })).json()).toMatchObject({ outcome: 'recorded' })
    expect((await get({ cid, ref: 'A-2' })).json()).toMatchObject({
      outcome: 'conflict',
      reason: expect.stringContaining('this one differs in ref.'),
    })
    expect((await get({ cid, ref: 'A-1' })).json()).toMatchObject({
      outcome: 'duplicate',
      reason: expect.stringContaining('needs an order number'),
    })
  })

  test('without a common key, each item needs its own', async () => {
    const { siteId, url, key, click } = await merchant()
    const items = [
      { cid: await click(), key },
      { cid: await click(), key: 'wrong' },
    ]
    expect((await app.inject({ method: 'POST', url, payload: items })).statusCode).toBe(401)
    expect((await app.inject({ method: 'POST', url, payload: [] })).statusCode).toBe(401)
    expect(await eventsOf(siteId)).toEqual([])
    const all = await app.inject({ method: 'POST', url, payload: items.slice(0, 1) })
    expect(all.json()).toMatchObject([{ outcome: 'recorded' }])
  })

  test.each([
    ['application/json', '{"cid":'],
    ['multipart/form-data; boundary=x', '--x'],
  ])('%s that can not be read is malformed', async (type, payload) => {
    const { url, key } = await merchant()
    const answer = await app.inject({
      method: 'POST',
      url: `${url}?key=${key}`,
      headers: { 'content-type': type },
      payload,
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'VALIDATION_ERROR', outcome: 'refused' })
    expect(await kept(answer.json().id)).toMatchObject({ outcome: 'refused' })
  })

  test('a body of more than a megabyte is too large', async () => {
    const { url, key } = await merchant()
    const payload = `cid=${'x'.repeat(1024 * 1024)}`
    const answer = await app.inject({ method: 'POST', url: `${url}?key=${key}`, payload })
    expect(answer.statusCode).toBe(413)
    expect(answer.json()).toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  test.each(['forged', '0'.repeat(32), 'v'.repeat(32), 'Ω', '%00'])(
    'the click id %s is refused',
    async (cid) => {
      const { url, key, siteId } = await merchant()
      const answer = await app.inject(`${url}?key=${key}&cid=${cid}&tid=1`)
      expect(answer.statusCode).toBe(422)
      expect(answer.headers['error-code']).toBe('VALIDATION_ERROR')
      expect(answer.json().data).toHaveProperty('click_id')
      expect(await kept(answer.json().id)).toMatchObject({ outcome: 'refused', site_id: siteId })
    },
  )

  test('a click of another site is refused, even while its row is missing', async () => {
    const [one, other] = [await merchant(), await merchant()]
    expect((await one.get({ cid: await other.click() })).statusCode).toBe(422)
    const fields = { agentId, typeId: other.typeId, clickedAtMs: 1, nonce: 1 }
    const answer = await one.get({ cid: inbound.clickIds.sign(fields) })
    expect(answer.json().data).toEqual({ click_id: ['belongs to another site'] })
  })

  test('a site may have a fixed answer, whatever the outcome', async () => {
    const { get, click } = await merchant({ always_ok_text: 'OK' })
    for (const cid of [await click(), 'forged']) {
      const answer = await get({ cid })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(answer.body).toBe('OK')
    }
    expect((await get({ cid: 'x' }, 'wrong', '192.0.2.99')).statusCode).toBe(401)
  })

  test('while the database is unreachable, nothing is stored and the sender is told to retry', async () => {
    const { url, key, click } = await merchant()
    const gone = await createTestDatabase()
    const other = Fastify()
    registerInbound(other, makeInbound({ ...services, db: gone.db }))
    await gone.close()
    const answer = await other.inject({ url, query: { key, cid: await click() } })
    expect(answer.statusCode).toBe(503)
    expect(answer.headers).toMatchObject({ 'retry-after': '5', 'error-code': 'UNAVAILABLE' })
    expect(answer.headers).toMatchObject(bareHeaders)
    expect(answer.json()).toMatchObject({ code: 'UNAVAILABLE' })
    await other.close()
  })

  test('a HEAD request reports nothing', async () => {
    const { siteId, url, key, click } = await merchant()
    const answer = await app.inject({ method: 'HEAD', url, query: { key, cid: await click() } })
    expect(answer.statusCode).toBe(404)
    expect(await eventsOf(siteId)).toEqual([])
  })
})

describe('the statuses in the API document', () => {
  const { postbackByGet, postbackByPost } = trackingEndpoints
  const documented = ({ described }: { described?: Description }) =>
    Object.keys(described?.answers ?? {}).map(Number)

  /** One report for each possible outcome. */
  async function statusesOf(method: 'GET' | 'POST') {
    clock.advance(60_000)
    const { url, key, click, typeId } = await merchant()
    const [clickId, other] = [await click(), await click()]
    const lost = { agentId, typeId, clickedAtMs: clock.peek().getTime(), nonce: 1 }
    const send = async (report: Record<string, string>, withKey = key) =>
      (
        await app.inject({
          method,
          url: method === 'GET' ? `${url}?${new URLSearchParams(report).toString()}` : url,
          headers: { 'x-postback-key': withKey },
          ...(method === 'POST' && { payload: report }),
          remoteAddress: `203.0.113.${method.length}`,
        })
      ).statusCode
    const statuses = new Set([
      await send({ clickId, orderId: '1' }),
      await send({ clickId, orderId: '1' }),
      await send({ clickId: inbound.clickIds.sign(lost), orderId: '2' }),
      await send({ clickId: other, orderId: '1' }),
      await send({ clickId: 'forged' }),
    ])
    for (let tries = 0; tries < 21; tries++) statuses.add(await send({ clickId }, 'wrong'))
    const raw = async (payload: string, type: string) => {
      const headers = { 'x-postback-key': key, 'content-type': type }
      return (await app.inject({ method, url, headers, payload })).statusCode
    }
    if (method === 'POST') {
      statuses.add(await raw('{"cid":', 'application/json'))
      statuses.add(await raw(`cid=${'x'.repeat(2 ** 20)}`, 'application/x-www-form-urlencoded'))
      statuses.add(await raw('cid=1', 'nonsense'))
    }
    return [...statuses].toSorted((a, b) => a - b)
  }

  test.each([postbackByGet, postbackByPost])('$method', async (endpoint) => {
    // An unreachable database is answered with 503: see above.
    expect([...(await statusesOf(endpoint.method === 'GET' ? 'GET' : 'POST')), 503]).toEqual(
      documented(endpoint),
    )
  })
})
