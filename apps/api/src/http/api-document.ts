import swagger from '@fastify/swagger'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'

/**
 * Collects the OpenAPI document of every route that is registered from now on. Routes of the two bare
 * tracking scopes carry no schemas; theirs come from the endpoint table.
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
          'The calls of the back office, the tracked link and the postback. Errors carry their code in the ' +
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
  })
}

const documentOf = (endpoint: Endpoint) => ({
  summary: endpoint.summary,
  tags: [endpoint.path.split('/')[2] ?? 'api'],
  ...(endpoint.params && { params: endpoint.params }),
  ...(endpoint.query && { querystring: endpoint.query }),
  ...(endpoint.body && { body: endpoint.body }),
  ...(endpoint.ability !== 'public' && { security: [{ session: [] }] }),
  response: { [endpoint.path.startsWith('/api/links/go/') ? 302 : 200]: endpoint.response },
})
