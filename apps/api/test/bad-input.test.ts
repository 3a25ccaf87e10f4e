import { connect } from 'node:net'
import { endpoints } from '@tallyroom/contract/endpoints'
import { ERROR_CODE_HEADER } from '@tallyroom/contract/errors'
import { sql } from 'kysely'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import pino from 'pino'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { buildApp } from '../src/app.ts'
import { makeSiteKeys } from '../src/features/postbacks/site-keys.ts'
import { buildFirstLink, buildHome, callers, objects, signedIn } from './access-matrix-world.ts'
import { matrix } from './access-matrix.ts'
import { badRequests, canary } from './bad-requests.ts'
import { buildSite } from './build-world.ts'
import { testDatabase } from './database.ts'
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
afterAll(() => app.close())
await vi.waitFor(async () => expect((await app.inject('/api/health')).statusCode).toBe(200), 20_000)

type Name = keyof typeof endpoints
/** Those that the access matrix misses make its own test fail. */
const names = (Object.keys(endpoints) as Name[]).filter((name) => name in matrix)
const isPostback = (name: Name) => name === 'postbackByGet' || name === 'postbackByPost'

describe('every endpoint refuses bad input with its code, and nothing comes of it', () => {
  test.each(names.filter((name) => !isPostback(name)))('%s', async (name) => {
    const { sent, token, status } = await goodRequest(name)
    const before = await contents()
    const taken: string[] = []
    for (const [what, request] of badRequests(endpoints[name], sent)) {
      const headers = { ...request.headers, ...(token && { authorization: `Bearer ${token}` }) }
      const response = await app.inject({ ...request, headers })
      if (!isRefusal(response)) taken.push(`${what}: ${response.statusCode} ${response.body}`)
    }
    expect(taken).toEqual([])
    expect(await contents()).toEqual(before)
    if (token) expect(logged.join('')).not.toContain(token)
    expect(logged.join('')).not.toContain(canary)
    expect(logged.join('')).toContain('answered')
    // It was what is bad about them that was refused.
    expect((await send(app, endpoints[name], sent, { token })).statusCode).toBe(status)
  })
})

test('a query of a megabyte is refused by every endpoint, and the server goes on', async () => {
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
    ['no key, but other secrets', { method: 'GET', query: { token: secret, password: secret } }],
    ['nothing at all', { method: 'GET' }],
  ]
  const siteIds = [siteId, 2_000_000_000, 'abc', '9007199254740993', 'a%00b', '%0d%0a']

  test.each(
    siteIds.flatMap((id) => withoutKey.map(([what, request]) => [what, id, request] as const)),
  )(
    'with %s for site %s is refused, and kept as refused without its secrets',
    async (_, site, request) => {
      const before = await contents()
      const response = await postback(site, request)
      expect([response.statusCode, response.headers[ERROR_CODE_HEADER]]).toEqual([
        401,
        'INVALID_TOKEN',
      ])
      const kept = await lastPostback(response)
      expect(kept).toMatchObject({
        outcome: 'refused',
        reason: 'The key or signature is missing or wrong.',
        site_id: site === siteId ? siteId : null,
      })
      expect(JSON.stringify(kept)).not.toContain(canary)
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
    ['a time that is none', { method: 'GET', query: { click_id: 'x', time: bad } }],
    ['wrong types', { method: 'POST', payload: { click_id: { wrong: [bad] }, txid: 2 ** 60 } }],
    ['JSON cut off', { method: 'POST', headers: json, payload: `{"click_id":"${bad}` }],
    ['JSON that is no object', { method: 'POST', headers: json, payload: `"${bad}"` }],
  ]

  test.each(malformed)('with its key and %s is refused, and kept', async (_, request) => {
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
      // Refusals are counted by address, and there are only so many a minute.
      remoteAddress: `10.1.${Math.floor(++strangers / 250)}.${strangers % 250}`,
    })

  const lastPostback = (response: LightMyRequestResponse) =>
    db
      .selectFrom('postbacks')
      .selectAll()
      .where('id', '=', response.json<{ id: string }>().id)
      .executeTakeFirstOrThrow()
})

/** A request of the matrix with the token of somebody who may make it, and the status that it gets. */
async function goodRequest(name: Name) {
  const { kind, sentFor, answers } = matrix[name][0]!
  const statuses = (answers['own'] ?? answers['any'] ?? '').split(' ').map(Number)
  const mayMakeIt = statuses.findIndex((status) => status < 400)
  const index = mayMakeIt === -1 ? 0 : mayMakeIt
  const home = await buildHome(db)
  const id = kind && (await objects[kind].own(db, home))
  return {
    sent: sentFor(id as never), // made for this kind
    token: await signedIn(services, callers[index] ?? 'nobody', home),
    status: statuses[index],
  }
}

/** A 4xx that says so in its header and its body, kept in no cache. Pages for visitors have no code. */
function isRefusal({ statusCode, headers, body }: LightMyRequestResponse): boolean {
  if (statusCode < 400 || statusCode > 499) return false
  if (headers['cache-control'] !== 'no-store') return false
  if (headers['content-type']?.toString().startsWith('text/html')) return true
  const code = (JSON.parse(body) as { code?: unknown }).code
  return typeof code === 'string' && code === headers[ERROR_CODE_HEADER]
}

/** A fingerprint of each table. Common logs are left out: that somebody tried is what belongs there. */
async function contents(): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name
    from pg_tables
    where schemaname = 'public' and tablename not like 'audit_%' and tablename not like 'kysely_%'
      and tablename <> 'crawler_visits' -- stored seconds after the call that it counts
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

/** Writes bytes and reads what comes until the server hangs up, which it may do before it has read all. */
const overSocket = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => (answer += text))
    socket.on('error', () => undefined) // 'close' follows
    socket.on('close', () => resolve(answer))
  })
