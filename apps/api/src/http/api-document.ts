import swagger from '@fastify/swagger'
import type { DescribedAnswer, Endpoint, Method } from '@tallyroom/contract/endpoint'
import { ERROR_CODE_HEADER, errorBodySchema } from '@tallyroom/contract/errors'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import { z, type ZodType } from 'zod'

/**
 * Collects the OpenAPI document of all routes registered from now on. The tracking routes have no schemas of
 * their own; theirs come from the endpoint table.
 */
export async function collectApiDocument(
  app: FastifyInstance,
  {
    table,
    publicUrl,
    title,
  }: { table: Record<string, Endpoint>; publicUrl: string; title: string },
): Promise<void> {
  const toJsonSchema = createJsonSchemaTransform({ skipList: [] })
  const endpoints = Object.values(table)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title,
        version: '1',
        description:
          'The back-office API, the tracked link and the postback. Errors have their code in the ' +
          '`error-code` header and as `{code, message, data?}` in the body.',
      },
      servers: [{ url: publicUrl }],
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
    transform: (given) => {
      const endpoint = endpoints.find(
        ({ method, path }) => path === given.url && [given.route.method].flat().includes(method),
      )
      if (!endpoint) return { schema: { hide: true }, url: given.url }
      return toJsonSchema({ ...given, schema: documentOf(endpoint) })
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject
      const { paths, components } = document.openapiObject
      for (const endpoint of endpoints) {
        const path = paths?.[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')]
        // The redirect also answers HEAD.
        for (const operation of [path?.[lowerCase[endpoint.method]], path?.head]) {
          if (operation) Object.assign(operation, partsOf(endpoint, operation.responses))
        }
      }
      return Object.assign(document.openapiObject, {
        components: {
          ...components,
          schemas: { ...components?.schemas, Error: jsonSchemaOf(errorBodySchema, 'output') },
          responses: { Error: errorAnswer },
        },
      })
    },
  })
}

const lowerCase = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  DELETE: 'delete',
} as const satisfies Record<Method, string>

const documentOf = (endpoint: Endpoint) => {
  const { query, headers, body } = endpoint.described
    ? { ...endpoint.described, body: undefined }
    : { ...endpoint, headers: undefined }
  return {
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[2] ?? 'api'],
    ...(endpoint.params && { params: endpoint.params }),
    ...(query && { querystring: query }),
    ...(headers && { headers }),
    ...(body && { body }),
    ...(endpoint.ability !== 'public' && { security: [{ session: [] }] }),
    response: endpoint.described ? {} : { 200: endpoint.response },
  }
}

/** Parts that route schemas cannot express: common errors, and endpoints that parse their request themselves. */
function partsOf({ described }: Endpoint, responses: object | undefined) {
  const otherwise = { default: errorOf('Any error.') }
  if (!described) return { responses: { ...responses, ...otherwise } }
  const answers = mapped(described.answers, (answer) =>
    answer.body ? answerOf(answer, answer.body) : errorOf(answer.means),
  )
  return {
    ...(described.body && { requestBody: { content: contentOf(described.body, 'input') } }),
    responses: { ...answers, ...otherwise },
  }
}

const errorOf = (description: string) => ({ $ref: '#/components/responses/Error', description })

const answerOf = ({ means, headers }: DescribedAnswer, body: Record<string, ZodType>) => ({
  description: means,
  ...(headers && { headers: mapped(headers, headerOf) }),
  ...(Object.keys(body).length > 0 && { content: contentOf(body, 'output') }),
})

const contentOf = (body: Record<string, ZodType>, io: 'input' | 'output') =>
  mapped(body, (schema) => ({ schema: jsonSchemaOf(schema, io) }))

const headerOf = (description: string) => ({ description, schema: { type: 'string' } as const })

const errorAnswer = {
  description: 'An error.',
  headers: {
    [ERROR_CODE_HEADER]: headerOf('The same code as in the body.'),
    'retry-after': headerOf('With 429 and 503: seconds to wait before a retry.'),
  },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

function jsonSchemaOf(schema: ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io })
  return rest
}

const mapped = <From, To>(record: Record<string, From>, to: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]))
