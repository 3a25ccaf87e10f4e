import type { Endpoint } from '@tallyroom/contract/endpoint'
import { type EndpointName, endpoints } from '@tallyroom/contract/endpoints'
import { afterAll, describe, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { buildAccount } from './build-world.ts'
import { testDatabase } from './database.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'
import { tokenOf } from './token-of.ts'

type Answer = { $ref?: string; description: string; headers?: object; content?: object }
type Schema = { type?: string | string[]; anyOf?: Schema[]; properties?: Record<string, Schema> }
type Parameter = { in: string; name: string }
type Operation = {
  operationId: string
  security: object[]
  summary: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, Answer>
}

const database = await testDatabase()
const services = testServices(database, { environment: { CAPTCHA: 'off' } })
const app = await buildApp(services)
afterAll(() => app.close())
const document = (await app.inject('/api/openapi.json')).json<{
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { responses: { Error: Answer }; schemas: { Error: { properties: object } } }
}>()

const operationOf = ({ method, path }: { method: string; path: string }) =>
  document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]

test.each(Object.values(endpoints))(
  '$method $path is documented with its own summary, errors and response',
  (endpoint) => {
    const operation = operationOf(endpoint)
    expect(operation?.summary).toBe(endpoint.summary)
    expect(operation?.responses.default?.$ref).toBe('#/components/responses/Error')
    expect(Object.keys(operation?.responses ?? {})).toContainEqual(
      expect.stringMatching(/^(2|3)\d\d$/),
    )
  },
)

test('an operation is named as its endpoint is, and says who may call it', () => {
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const operation = operationOf(endpoint)
    expect(operation?.operationId).toBe(name)
    const isPublic = endpoint.ability === 'public'
    const byToken = 'byToken' in endpoint ? [{ token: [] }] : []
    expect([name, operation?.security]).toEqual([
      name,
      isPublic ? [] : [{ session: [] }, ...byToken],
    ])
    if (!isPublic)
      expect(Object.keys(operation?.responses ?? {})).toEqual(
        expect.arrayContaining(['401', '403']),
      )
  }
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  )
  expect(ids).toHaveLength(new Set(ids).size)
})

test('a webhook has a name that no call has, for those who generate code', () => {
  const names = Object.values(document.webhooks).map(({ post }) => post.operationId)
  expect(names).toContain('saleRecorded')
  expect(names.filter((name) => name in endpoints)).toEqual([])
})

test('no path ends with a slash, as the rules for API documents want it', () => {
  expect(Object.keys(document.paths).filter((path) => path.endsWith('/'))).toEqual([])
})

const names = Object.keys(endpoints) as EndpointName[]
const tableOf: Record<EndpointName, Endpoint> = endpoints

const anyParams: Record<string, string> = { name: '2026-02-A', kind: 'office' }

/** `send` refuses what the document does not name; so do all other tests' clients. */
test('whoever asks an empty network for what is not there, or sends nothing, gets a documented answer', async () => {
  await buildAccount(database.db, { username: 'boss' })
  const token = await tokenOf(services, 'boss')
  const asked = new Map<EndpointName, number>()
  for (const name of names.filter((one) => one !== 'logout')) {
    const { path, body } = tableOf[name]
    const params = Object.fromEntries(
      [...path.matchAll(/:(\w+)/g)].map(([, one = '']) => [one, anyParams[one] ?? '1']),
    )
    const { statusCode } = await send(
      app,
      tableOf[name],
      { params, ...(body && { body: {} }) },
      { token },
    )
    asked.set(name, statusCode)
  }
  // Pay is off, so its pages say so.
  expect(asked.get('payChecks')).toBe(409)
  expect(asked.get('agent')).toBe(404)
  expect(asked.get('createAgent')).toBe(422)
})

test('an endpoint that parses its request itself documents its refusals, too', () => {
  const of = (name: EndpointName) => Object.keys(operationOf(tableOf[name])?.responses ?? {})
  expect(of('go')).toEqual(['302', '404', '410', '414', '503', 'default'])
  for (const name of ['postbackByGet', 'postbackByPost'] as const)
    expect(of(name)).toEqual(expect.arrayContaining(['401', '409', '422', '429', '503', 'default']))
})

const takesNull = ({ type, anyOf = [] }: Schema): boolean =>
  [type].flat().includes('null') || anyOf.some(takesNull)
/** A generated client has no use for a field that is nothing but null. */
const takesMore = ({ type, anyOf = [] }: Schema): boolean =>
  [type].flat().some((one) => one !== undefined && one !== 'null') ||
  (type === undefined && anyOf.length === 0) ||
  anyOf.some(takesMore)

const bodies = names.flatMap((name) => {
  const body = tableOf[name].body
  const { properties } =
    operationOf(tableOf[name])?.requestBody?.content['application/json']?.schema ?? {}
  return body && properties ? [[name, body, properties] as const] : []
})

test.each(bodies)(
  '%s takes null where its document says so, and nowhere else',
  (_, body, properties) => {
    for (const [field, schema] of Object.entries(properties)) {
      const { error } = body.safeParse({ [field]: null })
      const isTaken = !error?.issues.some(({ path }) => path[0] === field)
      expect([field, takesNull(schema)]).toEqual([field, isTaken])
      expect([field, takesMore(schema)]).toEqual([field, true])
    }
  },
)

test('every operation documents its responses', () => {
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    expect(Object.keys(operation.responses).length).toBeGreaterThan(1)
  }
})

test('each error is described once, with its headers', () => {
  const { responses, schemas } = document.components
  expect(Object.keys(responses.Error.headers ?? {})).toEqual(['error-code', 'retry-after'])
  expect(responses.Error.content).toEqual({
    'application/json': { schema: { $ref: '#/components/schemas/Error' } },
  })
  expect(Object.keys(schemas.Error.properties)).toEqual(['code', 'message', 'data', 'asks'])
})

test('every reference resolves', () => {
  const text = JSON.stringify(document)
  const known = new Set(
    Object.entries(document.components).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    ),
  )
  const used = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref))
  expect(used.difference(known)).toEqual(new Set())
  expect(text).not.toContain('~standard')
})

describe('the postback operation', () => {
  const get = operationOf(endpoints.postbackByGet)
  const post = operationOf(endpoints.postbackByPost)
  const namesOf = (operation: Operation | undefined, place: string) =>
    operation?.parameters?.filter((one) => one.in === place).map(({ name }) => name)

  test('documents its fields and headers', () => {
    for (const operation of [get, post]) {
      expect(namesOf(operation, 'path')).toEqual(['siteId'])
      expect(namesOf(operation, 'header')).toEqual(['x-postback-key', 'x-signature'])
      expect(namesOf(operation, 'query')).toEqual([
        'click_id',
        'transaction_id',
        'event',
        'type',
        'email',
        'time',
        'reverses',
        'key',
      ])
    }
  })

  test('has a body only for POST, as JSON or a form', () => {
    expect(get?.requestBody).toBeUndefined()
    expect(Object.keys(post?.requestBody?.content ?? {})).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
    ])
  })
})
