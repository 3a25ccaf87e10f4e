import swagger from '@fastify/swagger'
import {
  changingActions,
  type DescribedAnswer,
  type Endpoint,
  FORM_KEY_HEADER,
  type Method,
  needsProof,
} from '@tallyroom/contract/endpoint'
import { type CountsFrom, decidingFields, type DecidingForm } from '@tallyroom/contract/effects'
import { ERROR_CODE_HEADER, errorBodySchema } from '@tallyroom/contract/errors'
import { tokenGroups } from '@tallyroom/contract/token-groups'
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
    webhooks,
  }: {
    table: Record<string, Endpoint>
    publicUrl: string
    title: string
    /** What we post to others, by type. */
    webhooks: Record<string, { summary: string; body: ZodType }>
  },
): Promise<void> {
  const toJsonSchema = createJsonSchemaTransform({ skipList: [] })
  const endpoints = Object.values(table)
  const names = new Map(Object.entries(table).map(([name, endpoint]) => [endpoint, name]))
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title,
        version: '1',
        license: { name: 'MIT', identifier: 'MIT' },
        description:
          'The back-office API, the tracked link and the postback. Errors have their code in the ' +
          '`error-code` header and as `{code, message, data?, asks?}` in the body.',
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          session: {
            type: 'http',
            scheme: 'bearer',
            description: 'What auth/login or auth/factor answers: for the back office.',
          },
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'For programs: from Profile → API tokens. Begins with tly_.',
          },
        },
      },
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
        const method = lowerCase[endpoint.method]
        if (path?.[method]) path[method] = complete(path[method], endpoint, names.get(endpoint))
        // The redirect also answers HEAD.
        if (path?.head) path.head = complete(path.head, endpoint, `${names.get(endpoint)}Head`)
      }
      return Object.assign(document.openapiObject, {
        webhooks: Object.fromEntries(
          Object.entries(webhooks).map(([type, webhook]) => [type, webhookOf(type, webhook)]),
        ),
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
    : { ...endpoint, headers: endpoint.once && formKeyHeader }
  return {
    summary: endpoint.summary,
    ...(descriptionOf(endpoint) && { description: descriptionOf(endpoint) }),
    tags: [endpoint.path.split('/')[2] ?? 'api'],
    ...(endpoint.params && { params: endpoint.params }),
    ...(query && { querystring: query }),
    ...(headers && { headers }),
    ...(body && { body }),
    // Said of public calls, too: a call without it could be one that somebody forgot.
    security:
      endpoint.ability === 'public'
        ? []
        : [{ session: [] }, ...(endpoint.byToken ? [{ token: [] }] : [])],
    response: endpoint.described ? {} : { 200: endpoint.response },
  }
}

const descriptionOf = (endpoint: Endpoint): string => {
  const { byToken, decides } = endpoint
  const proof = needsProof(endpoint) ? 'recent' : endpoint.proof
  return [
    proof && proofs[proof],
    decides && decidingText(decides),
    byToken && byToken !== 'any' && `A token needs “${tokenGroups[byToken]}”.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function decidingText(form: DecidingForm): string {
  const byStart = Map.groupBy(
    Object.entries<CountsFrom>(decidingFields[form]),
    ([, countsFrom]) => countsFrom,
  )
  const lists = [...byStart].map(
    ([countsFrom, fields]) =>
      `${starts[countsFrom]}: ${fields.map(([field]) => field).join(', ')}.`,
  )
  return `Tokens can’t change what decides money, and people need the password of the last ten minutes for it. ${lists.join(' ')}`
}

const starts = {
  sold: 'A change counts for sales made after it',
  received: 'For postbacks that arrive after it',
  now: 'At once',
} satisfies Record<CountsFrom, string>

const formKeyHeader = z.object({
  [FORM_KEY_HEADER]: z
    .string()
    .regex(/^[\w-]{16,64}$/)
    .optional()
    .describe(
      'Made when a form opens: the same key again does nothing more, and answers what it answered first. Kept for a week, by account; refused with another body.',
    ),
})

const complete = <Operation extends { responses?: object }>(
  operation: Operation,
  endpoint: Endpoint,
  operationId: string | undefined,
) => ({ ...operation, operationId, ...partsOf(endpoint, operation.responses) })

const proofs = {
  recent:
    'The password must have been entered within the last ten minutes, at sign-in or with `auth/prove`. ' +
    'Otherwise the answer is PROOF_NEEDED.',
  'for-credentials':
    'To change a password or an email address, the password must have been entered within the last ten ' +
    'minutes, at sign-in or with `auth/prove`. Otherwise the answer is PROOF_NEEDED.',
  'own-session':
    'The password must have been entered in this session, at sign-in or with `auth/prove`. Otherwise the answer is ' +
    'PROOF_NEEDED; after *Sign in as* it is FORBIDDEN.',
} as const satisfies Record<NonNullable<Endpoint['proof']>, string>

/** Parts that route schemas cannot express: common errors, and endpoints that parse their request themselves. */
function partsOf(endpoint: Endpoint, responses: object | undefined) {
  const otherwise = { default: errorOf('Any error.') }
  const { described } = endpoint
  const refusals = mapped(refusalsOf(endpoint), errorOf)
  if (!described) return { responses: { ...responses, ...refusals, ...otherwise } }
  const answers = mapped(described.answers, (answer) =>
    answer.body ? answerOf(answer, answer.body) : errorOf(answer.means),
  )
  return {
    ...(described.body && { requestBody: { content: contentOf(described.body, 'input') } }),
    responses: { ...refusals, ...answers, ...otherwise },
  }
}

const changes = new Set<Endpoint['action']>(changingActions)

/**
 * The refusals of an endpoint by status: those that follow from what it takes and who may call it, and those that it
 * declares. The tests' clients know no others.
 */
export function refusalsOf(endpoint: Endpoint): Record<number, string> {
  const {
    method,
    ability,
    byToken,
    params,
    query,
    body,
    upload,
    action,
    described,
    refuses = [],
  } = endpoint
  const isParsed = !described
  return {
    ...(isParsed && (params || method !== 'GET') && { 400: meanings[400] }),
    ...(isParsed && (body || upload) && { 413: meanings[413], 415: meanings[415] }),
    ...(ability !== 'public' && { 401: meanings[401], 403: meanings[403] }),
    ...(byToken && { 429: 'A token made too many calls. Retry after `retry-after`.' }),
    ...(isParsed && params && { 404: meanings[404] }),
    ...(changes.has(action) && { 409: meanings[409] }),
    ...(isParsed && (params || query || body || upload) && { 422: meanings[422] }),
    ...Object.fromEntries(refuses.map((status) => [status, meanings[status]])),
    ...mapped(described?.answers ?? {}, ({ means }) => means),
  }
}

const meanings = {
  400: 'The address or the body cannot be read.',
  401: 'The session or token is missing, wrong, ended or expired. WWW-Authenticate says which scheme is needed.',
  403: 'The caller may not do this.',
  404: 'It does not exist, or is not in the caller’s scope.',
  409: 'It contradicts what is there now, or something else has changed meanwhile.',
  413: 'The body is too large.',
  415: 'The body has another media type than the documented one.',
  422: 'Fields are missing or wrong; `data` has the messages of each.',
  429: 'Too many attempts. Retry after `retry-after`.',
} as const

const errorOf = (description: string) => ({ $ref: '#/components/responses/Error', description })

const answerOf = ({ means, headers }: DescribedAnswer, body: Record<string, ZodType>) => ({
  description: means,
  ...(headers && { headers: mapped(headers, headerOf) }),
  ...(Object.keys(body).length > 0 && { content: contentOf(body, 'output') }),
})

const contentOf = (body: Record<string, ZodType>, io: 'input' | 'output') =>
  mapped(body, (schema) => ({ schema: jsonSchemaOf(schema, io) }))

/** By the specification of Standard Webhooks. */
const webhookOf = (type: string, { summary, body }: { summary: string; body: ZodType }) => ({
  post: {
    operationId: type.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary,
    description:
      'Signed by the rules of Standard Webhooks. Verify `webhook-signature` with the secret, and count by ' +
      '`webhook-id`: the same one can come twice.',
    security: [],
    parameters: Object.entries(signatureHeaders).map(([name, description]) => ({
      in: 'header',
      name,
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: contentOf({ 'application/json': body }, 'output') },
    responses: {
      '2XX': { description: 'It has arrived. With any other status it is sent again.' },
      '410': { description: 'It is not wanted any more: the webhook goes off.' },
    },
  },
})

const signatureHeaders = {
  'webhook-id': 'The same for each try.',
  'webhook-timestamp': 'When it was sent, in seconds since 1970.',
  'webhook-signature':
    'One or more of `v1,` and the base64 of an HMAC-SHA256 of id, timestamp and body, joined by dots.',
}

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
