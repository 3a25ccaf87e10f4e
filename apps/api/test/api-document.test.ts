import { endpoints } from '@tallyroom/contract/endpoints'
import { afterAll, describe, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { testDatabase } from './database.ts'
import { testServices } from './services.ts'

type Answer = { $ref?: string; description: string; headers?: object; content?: object }
type Parameter = { in: string; name: string }
type Operation = {
  operationId: string
  security: object[]
  summary: string
  parameters?: Parameter[]
  requestBody?: { content: object }
  responses: Record<string, Answer>
}

const app = await buildApp(testServices(await testDatabase()))
afterAll(() => app.close())
const document = (await app.inject('/api/docs/json')).json<{
  paths: Record<string, Record<string, Operation>>
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
    expect([name, operation?.security]).toEqual([name, isPublic ? [] : [{ session: [] }]])
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
  expect(Object.keys(schemas.Error.properties)).toEqual(['code', 'message', 'data'])
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
