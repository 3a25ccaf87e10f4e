import { findTrackedLink } from '@tallyroom/domain/tracked-link'
import { randomInt } from 'node:crypto'
import { connect } from 'node:net'
import { endpoints } from '@tallyroom/contract/endpoints'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { ERROR_CODE_HEADER } from '@tallyroom/contract/errors'
import { sql } from 'kysely'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import pino from 'pino'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { buildApp } from '../src/app.ts'
import { makeSiteKeys } from '../src/tracking/site-keys/site-keys.ts'
import { buildFirstLink, buildHome, callers, objects, signedIn } from './access-matrix-world.ts'
import { matrix, type Sent } from './access-matrix.ts'
import { buildSite } from './build-world.ts'
import { testDatabase } from './database.ts'
import { expectDocumented } from './documented.ts'
import { type BadRequest, badRequests, canary } from './hostile/bad-requests.ts'
import { hostileTexts } from './hostile/hostile-values.ts'
import { alwaysForbidden, flawOf } from './hostile/judge.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'

const logged: string[] = []
const log = pino({ level: 'trace' }, { write: (text: string) => logged.push(text) })

const database = await testDatabase()
const { db } = database
const services = testServices(database, { log })
await buildFirstLink(db)
const siteId = await buildSite(db)
const { key } = await makeSiteKeys(services).provide(siteId)
const app = await buildApp(services, { loggerInstance: log })
afterAll(async () => {
  await app.close()
  // Crawler visits are stored seconds later, or here. All visits were refused or came from a
  // browser.
  expect(await db.selectFrom('crawler_visits').selectAll().execute()).toEqual([])
})
await vi.waitFor(async () => expect((await app.inject('/api/health')).statusCode).toBe(200), 60_000)

type Name = keyof typeof endpoints
/** If the access matrix lacks an endpoint, its own test fails. */
const names = (Object.keys(endpoints) as Name[]).filter((name) => name in matrix)
const isPostback = (name: Name) => name === 'postbackByGet' || name === 'postbackByPost'

const isThorough = process.env['TESTS'] === 'thorough'

/** `npm test` sends a share of the bad requests, drawn anew each time; `.ci/run` sends them all. */
const REQUEST_SHARES = isThorough ? 1 : 3
const requestShare = randomInt(REQUEST_SHARES)

/** Each endpoint gets a share of the hostile texts; together they get every text several times. */
const TEXT_SHARES = isThorough ? 16 : 32

/** One defect at a time, and all hostile texts. Combinations are tested in faults/hostile-input. */
describe.each(names.filter((name) => !isPostback(name)))('%s', (name) => {
  const endpoint: Endpoint = endpoints[name]

  test('refuses bad input with its error code and changes nothing', async () => {
    logged.length = 0
    const { sent, token, caller, status } = await goodRequest(name, 'least')
    const before = await contents()
    const wrong: string[] = []
    const ask = async ([what, request]: BadRequest) => {
      const headers = { ...request.headers, ...(token && { authorization: `Bearer ${token}` }) }
      const response = await app.inject({ ...request, headers })
      expectDocumented(endpoint, response.statusCode)
      const flaw =
        response.statusCode < 400
          ? `taken: ${response.statusCode} ${response.body}`
          : flawOf(endpoint, response, { caller, forbidden: alwaysForbidden, keys: [key] })
      if (flaw) wrong.push(`${what}: ${flaw}`)
    }
    const left = badRequests(endpoint, sent)
      // A damaged link that still has its three numbers is mended: see `go.routes.test`.
      .filter(([, { url }]) => name !== 'go' || !(typeof url === 'string' && findTrackedLink(url)))
      .filter((_, index) => index % REQUEST_SHARES === requestShare)
      .values()
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const one of left) await ask(one)
      }),
    )
    expect(wrong, `share ${requestShare} of ${REQUEST_SHARES}; TESTS=thorough sends all`).toEqual(
      [],
    )
    expect(await contents()).toEqual(before)
    // The refusal names the defective field.
    expect((await send(app, endpoint, sent, { token })).statusCode).toBe(status)
    const text = logged.join('')
    if (token) expect(text).not.toContain(token)
    expect(text).not.toContain(canary)
    // Visits of tracked links are not logged one by one, nor is what a mail's link holds.
    if (!/^(go$|goShort$|unsubscribe)/.test(name)) expect(text).toContain('answered')
  })

  const bodyFields = textFields(endpoint.body)
  const queryFields = textFields(endpoint.query)
  // The endpoints limit the number of attempts.
  if (/^(go|login|forgot|reset)/.test(name) || bodyFields.size + queryFields.size === 0) return
  test('stores a hostile text unchanged or refuses it', async () => {
    let good = await goodRequest(name, 'most')
    const wrong: string[] = []
    const share = names.indexOf(name) % TEXT_SHARES
    for (const text of hostileTexts.filter((_, index) => index % TEXT_SHARES === share)) {
      const body = accepting(bodyFields, text)
      const query = accepting(queryFields, text)
      const response = await send(app, endpoint, merge(good.sent, { body, query }), good)
      const what = JSON.stringify(text).slice(0, 60)
      const { caller } = good
      const flaw = flawOf(endpoint, response, { caller, forbidden: alwaysForbidden, keys: [key] })
      if (flaw) wrong.push(`${what}: ${flaw}`)
      if (response.statusCode === 401) good = await goodRequest(name, 'most')
      if (response.statusCode !== 200) continue
      const given = await readBack(endpoint, good, response)
      if (!given) continue
      for (const [field, sent] of Object.entries(body)) {
        const expected = bodyFields.get(field)?.parse(sent)
        if (
          field in given &&
          given[field] !== expected &&
          !(field === 'username' && given[field] === nameOf(sent))
        )
          wrong.push(`${what}: ${field} was changed`)
      }
    }
    expect(wrong).toEqual([])
  })
})

/** Usernames that look alike count as one: see the rules of accounts. */
const nameOf = (text: string) => text.normalize('NFKC').trim()

const AT_ONCE = 6

test('every endpoint refuses a query of a megabyte, and the server keeps running', async () => {
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const port = Number(new URL(address).port)
  const before = await contents()
  for (const { method, path } of Object.values(endpoints)) {
    const url = `${path.replaceAll(/:\w+/g, '1')}?site=${canary.repeat(100_000)}`
    const answer = await overSocket(port, `${method} ${url} HTTP/1.1\r\nhost: a\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 431 /)
    expect(answer).toContain(`${ERROR_CODE_HEADER}: VALIDATION_ERROR`)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      code: 'VALIDATION_ERROR',
    })
  }
  for (const bytes of ['\0', '\r', '\u0001', 'a b']) {
    const answer = await overSocket(port, `GET /api/sites?x=${bytes} HTTP/1.1\r\nhost: a\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
  }
  expect(await contents()).toEqual(before)
  expect(logged.join('')).not.toContain(canary)
  expect((await fetch(`${address}/api/health`)).status).toBe(200)
})

const json = { 'content-type': 'application/json' }
const form = (fields: Record<string, string>): InjectOptions => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  payload: new URLSearchParams(fields).toString(),
})

describe('a postback', () => {
  const secret = `${canary}-secret`
  const withoutKey: [string, InjectOptions][] = [
    ['a wrong key in the query', { method: 'GET', query: { key: secret, click_id: 'x' } }],
    ['a wrong key in a form', form({ key: secret, click_id: 'x' })],
    ['a wrong key in JSON', { method: 'POST', payload: { key: secret, click_id: 'x' } }],
    ['a wrong key in a header', { method: 'GET', headers: { 'x-postback-key': secret } }],
    ['a wrong signature', { method: 'GET', headers: { 'x-signature': `t=1,v1=${secret}` } }],
    [
      'other secrets instead of a key',
      { method: 'GET', query: { token: secret, password: secret } },
    ],
    ['no parameters', { method: 'GET' }],
  ]
  const siteIds = [siteId, 2_000_000_000, 'abc', '9007199254740993', 'a%00b', '%0d%0a']

  test.each(withoutKey)(
    'with %s is refused for any site and logged without its secrets',
    async (_, request) => {
      logged.length = 0
      const before = await contents()
      for (const site of siteIds) {
        const response = await postback(site, request)
        const code = response.headers[ERROR_CODE_HEADER]
        expect([site, response.statusCode, code]).toEqual([site, 401, 'INVALID_TOKEN'])
        const kept = await lastPostback(response)
        expect(kept).toMatchObject({
          outcome: 'refused',
          reason: 'The key or signature is missing or wrong.',
          site_id: site === siteId ? siteId : null,
        })
        expect(JSON.stringify(kept)).not.toContain(canary)
      }
      expect(changed(before, await contents())).toEqual(['postbacks'])
      expect(logged.join('')).not.toContain(canary)
    },
  )

  const bad = `bad${canary}`
  const malformed: [string, InjectOptions][] = [
    ['no click id', { method: 'GET', query: {} }],
    ['a forged click id', { method: 'GET', query: { click_id: 'a'.repeat(32) } }],
    ['NUL in the click id', { method: 'GET', query: { click_id: `${bad}\0` } }],
    [
      'a line break in the transaction',
      { method: 'GET', query: { click_id: 'x', txid: 'a\r\nb' } },
    ],
    ['a transaction too long', { method: 'GET', query: { click_id: 'x', txid: bad.repeat(50) } }],
    ['an unknown event', { method: 'GET', query: { click_id: 'x', event: bad } }],
    ['an invalid time', { method: 'GET', query: { click_id: 'x', time: bad } }],
    ['wrong types', { method: 'POST', payload: { click_id: { wrong: [bad] }, txid: 2 ** 60 } }],
    ['truncated JSON', { method: 'POST', headers: json, payload: `{"click_id":"${bad}` }],
    ['JSON that is not an object', { method: 'POST', headers: json, payload: `"${bad}"` }],
  ]

  test.each(malformed)('with a valid key and %s is refused and logged', async (_, request) => {
    const before = await contents()
    const headers = { ...request.headers, 'x-postback-key': key }
    const response = await postback(siteId, { ...request, headers })
    expect([400, 422]).toContain(response.statusCode)
    expect(response.headers[ERROR_CODE_HEADER]).toBe('VALIDATION_ERROR')
    const kept = await lastPostback(response)
    expect(kept).toMatchObject({ outcome: 'refused', site_id: siteId })
    expect(JSON.stringify(kept)).not.toContain(key)
    expect(changed(before, await contents())).toEqual(['postbacks'])
    expect(logged.join('')).not.toContain(key)
    expect(logged.join('')).not.toContain(canary)
  })

  let strangers = 0

  const postback = (site: string | number, request: InjectOptions) =>
    app.inject({
      ...request,
      url: `/api/postback/${site}`,
      // Refusals are rate-limited by address.
      remoteAddress: `10.1.${Math.floor(++strangers / 250)}.${strangers % 250}`,
    })

  const lastPostback = (response: LightMyRequestResponse) =>
    db
      .selectFrom('postbacks')
      .selectAll()
      .where('id', '=', response.json<{ id: string }>().id)
      .executeTakeFirstOrThrow()
})

/** Secrets are left out because they are never returned, and HTML because its sanitizer has its own tests. */
const notText = /password|token|captcha|secret|^html$/i

/** The text fields of a body or query by name, each with its transformation of a text. */
function textFields(schema: z.ZodType | undefined): Map<string, z.ZodType> {
  if (!(schema instanceof z.ZodObject)) return new Map()
  const fields = Object.entries<z.ZodType>(schema.shape)
  return new Map(fields.filter(([name, field]) => !notText.test(name) && isText(field)))
}

/** Texts that enum and id fields refuse. */
function isText(field: z.ZodType): boolean {
  return ['plain', 'qz'].some((text) => field.safeParse(text).data === text)
}

/** A text for each field that accepts it; if none does, for all of them, to provoke the refusal. */
function accepting(fields: Map<string, z.ZodType>, text: string): Record<string, string> {
  const taking = [...fields].filter(([, field]) => field.safeParse(text).success)
  return Object.fromEntries(
    (taking.length > 0 ? taking : [...fields]).map(([name]) => [name, text]),
  )
}

const merge = (good: Sent, { body, query }: { body: object; query: object }): Sent => ({
  ...good,
  ...(good.body && !Array.isArray(good.body) && { body: Object.assign({}, good.body, body) }),
  ...(Object.keys(query).length > 0 && { query: { ...good.query, ...query } }),
})

/** Reads back what was written, by the GET of the same path or of the new id. */
async function readBack(
  { method, path }: Endpoint,
  { sent, token }: GoodRequest,
  response: LightMyRequestResponse,
): Promise<Record<string, unknown> | undefined> {
  if (method === 'GET' || !response.headers['content-type']?.toString().includes('json'))
    return undefined
  const { id } = z.object({ id: z.int().optional() }).catch({}).parse(response.json())
  const readPath = method === 'PUT' ? `${path}/:id` : path
  const table: Record<string, Endpoint> = endpoints
  const reader = Object.values(table).find((one) => one.method === 'GET' && one.path === readPath)
  if (!reader || (method === 'PUT' && id === undefined)) return undefined
  // A list that needs criteria is not what was saved.
  if (reader.query?.safeParse({}).success === false) return undefined
  const params = method === 'PUT' ? { id: id ?? 0 } : (sent.params ?? {})
  const read = await send(app, reader, { params }, { token })
  expect(read.statusCode).toBe(200)
  return read.json<Record<string, unknown>>()
}

type GoodRequest = Awaited<ReturnType<typeof goodRequest>>

/** A request of the matrix with the token of the least or most privileged caller who may make it, and its status. */
async function goodRequest(name: Name, rights: 'least' | 'most') {
  const { kind, sentFor, answers } = matrix[name][0]!
  const statuses = (answers['own'] ?? answers['any'] ?? '').split(' ').map(Number)
  const succeeds = (status: number) => status < 400
  const mayMakeIt =
    rights === 'least' ? statuses.findIndex(succeeds) : statuses.findLastIndex(succeeds)
  const index = Math.max(mayMakeIt, 0)
  const caller = callers[index] ?? 'nobody'
  const home = await buildHome(db)
  const id = kind && (await objects[kind].own(db, home))
  return {
    sent: sentFor(id as never), // made for this kind
    token: await signedIn(services, caller, home),
    caller,
    status: statuses[index],
  }
}

/** A fingerprint of each table, without the common logs, which record attempts. */
async function contents(): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name
    from pg_tables
    where schemaname = 'public' and tablename not like 'audit_%' and tablename not like 'kysely_%'
  `.execute(db)
  const fingerprints = tables.map(
    ({ name }) => sql`
      select ${name}::text as name, md5(string_agg(row::text, ',' order by row::text)) as content
      from ${sql.table(name)} as row
    `,
  )
  const { rows } = await sql<{ name: string; content: string }>`
    ${sql.join(fingerprints, sql` union all `)}
  `.execute(db)
  return Object.fromEntries(rows.map(({ name, content }) => [name, content]))
}

const changed = (before: Record<string, string>, after: Record<string, string>): string[] =>
  Object.keys(after).filter((table) => before[table] !== after[table])

/** Writes bytes and reads until the server closes the connection, which may be before it has read everything. */
const overSocket = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => (answer += text))
    socket.on('error', () => undefined) // 'close' follows
    socket.on('close', () => resolve(answer))
  })
