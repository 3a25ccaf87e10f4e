import type { Endpoint } from '@tallyroom/contract/endpoint'
import type { InjectOptions } from 'fastify'
import { z } from 'zod'
import type { Sent } from '../access-matrix.ts'

/** The prefix of all bad input, so that logs can be searched for it. */
export const canary = 'canary7f3a'

/** A request as the client sends it, and what is wrong with it. */
export type BadRequest = [what: string, request: InjectOptions]

/**
 * Everything that can be wrong with a request to an endpoint, one defect at a time, derived from a
 * good request.
 */
export function badRequests(endpoint: Endpoint, good: Sent): BadRequest[] {
  return [
    ...badParams(endpoint, good),
    ...badQueries(endpoint, good),
    ...badBodies(endpoint, good),
    ...unreadableBodies(endpoint, good),
  ]
}

/** None of them is an id, a UUID or a word from any list. */
const badWords = [
  canary,
  '-1',
  '1.5',
  '2147483648',
  '9007199254740993',
  '9'.repeat(40),
  '1\r\n2',
  '1\0',
  "1' or '1'='1",
  'x'.repeat(5_000),
]

function badParams(endpoint: Endpoint, good: Sent): BadRequest[] {
  const encoded = [...badWords, '0', '01', '1e3', 'null', '../1', '１'].map(encodeURIComponent)
  return Object.keys(good.params ?? {}).flatMap((name) =>
    [...encoded, '%zz', '%', '%ff'].map((value): BadRequest => {
      const path = pathOf(endpoint, { ...good.params }, { [name]: value })
      return [`${name} in the path is ${value.slice(0, 50)}`, requestOf(endpoint, good, { path })]
    }),
  )
}

function badQueries(endpoint: Endpoint, good: Sent): BadRequest[] {
  return keysOf(endpoint.query).flatMap((name) => [
    ...badWords.map((value): BadRequest => {
      const query = new URLSearchParams({ ...textsOf(good.query), [name]: value }).toString()
      return [`${name} in the query is ${value.slice(0, 50)}`, requestOf(endpoint, good, { query })]
    }),
    [`${name} is there twice`, requestOf(endpoint, good, { query: `${name}=1&${name}=2` })],
    [`${name} holds an object`, requestOf(endpoint, good, { query: `${name}[a]=1&${name}=` })],
  ])
}

/** These fields take text with several lines. */
const multiline = new Set(['agentNotes', 'mustRead', 'html', 'note', 'conversation', 'description'])

/** A password may have any characters, and need not be repeated. */
const anyCharacters = new Set(['password'])

/** Files may be that long. The tests of payment runs show that their content is refused by line. */
const files = new Set(['file'])

/** Amounts have two decimal places. */
const amounts = new Set(['payout', 'earning', 'bonusPayout', 'bonusEarning'])

function badBodies(endpoint: Endpoint, good: Sent): BadRequest[] {
  if (!endpoint.body) return []
  // Of a list, the first entry is spoiled.
  const isList = Array.isArray(good.body)
  const sound: object = Object(isList ? [good.body].flat()[0] : good.body)
  const names = new Set([...keysOf(endpoint.body), ...Object.keys(sound)])
  const spoiled = [...names].flatMap((name) => [
    [name, { wrong: [canary] }],
    [name, [[canary]]],
    ...(anyCharacters.has(name) ? [] : [[name, `${canary}\0`]]),
    [name, 2 ** 53 + 2],
    [name, amounts.has(name) ? 1.005 : 1.5],
    ...(multiline.has(name) || anyCharacters.has(name) ? [] : [[name, `${canary}\r\nb`]]),
    ...(files.has(name) ? [] : [[name, canary.repeat(20_000)]]),
  ]) as [string, unknown][]
  if (names.has('sortField')) spoiled.push(['sortField', 'password_hash'], ['sortField', '1; drop'])
  if (names.has('page')) spoiled.push(['page', 0], ['pageSize', 1e9], ['sortAsc', 'true'])
  if (names.has('criteria')) {
    spoiled.push(
      ['criteria', [{ field: 'password_hash', value: canary, operator: '=' }]],
      ['criteria', [{ field: 'username', value: canary, operator: 'or 1=1' }]],
      ['criteria', [{ field: 'username', value: `${canary}\0`, operator: '=' }]],
      ['criteria', Array.from({ length: 1000 }, () => ({ field: 'username', value: 'a' }))],
    )
  }
  spoiled.push([`unknown${canary}`, 1])
  return spoiled.map(([name, value]) => {
    const bad = { ...sound, [name]: value }
    return [
      `${name} in the body is ${JSON.stringify(value).slice(0, 50)}`,
      requestOf(endpoint, good, { payload: JSON.stringify(isList ? [bad] : bad) }),
    ]
  })
}

const json = { 'content-type': 'application/json' }

function unreadableBodies(endpoint: Endpoint, good: Sent): BadRequest[] {
  if (endpoint.method === 'GET' || endpoint.method === 'DELETE') return []
  const payloads = [`{"a":"${canary}`, '{"__proto__":{"a":1}}', '\0', `"${canary}"}`]
  if (endpoint.body) {
    payloads.push('', '[]', 'null', '12', `"${canary}"`, '['.repeat(100_000), ' '.repeat(2 ** 21))
  }
  const types = ['text/plain', 'application/xml', 'multipart/form-data; boundary=a', 'nonsense']
  return [
    ...payloads.map((payload): BadRequest => [
      `the body is ${JSON.stringify(payload.slice(0, 30))}`,
      requestOf(endpoint, good, { payload, headers: json }),
    ]),
    ...(endpoint.body ? types : []).map((type): BadRequest => [
      `the body is ${type}`,
      requestOf(endpoint, good, { payload: canary, headers: { 'content-type': type } }),
    ]),
  ]
}

function requestOf(
  endpoint: Endpoint,
  good: Sent,
  bad: { path?: string; query?: string; payload?: string; headers?: Record<string, string> },
): InjectOptions {
  const path = bad.path ?? pathOf(endpoint, good.params ?? {})
  const query = bad.query ?? new URLSearchParams(textsOf(good.query)).toString()
  const payload = bad.payload ?? (good.body && JSON.stringify(good.body))
  return {
    method: endpoint.method,
    url: query === '' ? path : `${path}?${query}`,
    headers: bad.headers ?? (payload === undefined ? {} : json),
    ...(payload !== undefined && { payload }),
  }
}

const pathOf = (
  { path }: Endpoint,
  params: Record<string, string | number>,
  encoded: Record<string, string> = {},
): string =>
  path.replaceAll(
    /:(\w+)/g,
    (_, name: string) => encoded[name] ?? encodeURIComponent(params[name] ?? ''),
  )

const textsOf = (query: Sent['query'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))

const keysOf = (schema: z.ZodType | undefined): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
