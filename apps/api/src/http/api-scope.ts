import { createHash } from 'node:crypto'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import swaggerUi from '@fastify/swagger-ui'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { healthEndpoints } from '@tallyroom/contract/operate/health'
import { unavailable } from '../errors.ts'
import { type FrontDoor, hideApi } from './front-door.ts'
import { type RecordCall, recordCalls, type WatchChanges } from './record-call.ts'
import { type FindViewer, registerRoutes, type Route, type TellOfForgery } from './route.ts'
import { secureHeaders } from './secure-headers.ts'
import { makeTokenLimit } from './token-limit.ts'
import type { Services } from '../services.ts'

/** The back-office API: schemas for input and output, no caching, every call logged. */
export async function apiScope(
  app: FastifyInstance,
  parts: {
    routes: readonly Route[]
    findViewer: FindViewer
    recordCall: RecordCall
    watchChanges: WatchChanges
    tellOfForgery: TellOfForgery
    pulse: Pick<Services['pulse'], 'unlessSilent'>
    clock: Services['clock']
    /** Event loop delay in milliseconds above which calls are refused. */
    busyAfterMs: number
    door: FrontDoor
    /** How many calls each token may make. */
    tokenCallsAMinute: number
    /** Whether X-Forwarded-For is trusted from anyone. */
    trustsProxy: boolean
  },
): Promise<void> {
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('viewer', undefined)
  const { unlessSilent } = parts.pulse
  // Load balancers ask for it by address.
  hideApi(app, parts.door, [healthEndpoints.health.path])
  recordCalls(app, { record: parts.recordCall, watch: parts.watchChanges, unlessSilent })
  revalidateAnswers(app)

  await app.register(helmet, secureHeaders())
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    // Refuse compressed request bodies: no client needs them, and they allow decompression bombs.
    globalDecompression: false,
  })
  await app.register(underPressure, {
    maxEventLoopDelay: parts.busyAfterMs,
    // An interval without a sample counts as endless delay: it must be as long as what is too long.
    sampleInterval: Math.max(parts.busyAfterMs, 1_000),
    pressureHandler: () => {
      throw unavailable()
    },
  })
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  // Only the path, since the query may contain secrets.
  app.addHook('onResponse', async (request, reply) => {
    request.log.debug(
      {
        method: request.method,
        path: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })

  if (!parts.trustsProxy) warnOfProxy(app)

  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: true,
    uiConfig: { tryItOutEnabled: true, docExpansion: 'none', filter: true },
    // The bar has the maker of the page's name and asks for another document.
    theme: { css: [{ filename: 'plain.css', content: '.swagger-ui .topbar { display: none }' }] },
  })
  app.get('/api/openapi.json', async () => app.swagger())

  registerRoutes(app, parts.routes, {
    find: parts.findViewer,
    unlessSilent,
    clock: parts.clock,
    tellOfForgery: parts.tellOfForgery,
    limit: makeTokenLimit(parts.clock, parts.tokenCallsAMinute),
  })
}

/** Warns once: behind an untrusted proxy, all callers look like one and share each other's waits. */
function warnOfProxy(app: FastifyInstance): void {
  let isTold = false
  app.addHook('onRequest', async (request) => {
    const { headers } = request
    if (isTold || !(headers['x-forwarded-for'] ?? headers['forwarded'])) return
    isTold = true
    request.log.warn(
      'a request has X-Forwarded-For or Forwarded, but TRUST_PROXY is off: if there is a proxy, set TRUST_PROXY, or all of its callers count as one',
    )
  })
}

/**
 * Answers polled calls with an empty 304 if the client already has the answer. Register this before the
 * compression hook.
 */
function revalidateAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isRevalidated = request.routeOptions.config.endpoint?.revalidated
    if (!isRevalidated || reply.statusCode !== 200 || typeof payload !== 'string') return payload
    // A weak tag, since compression does not change the content.
    const tag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`
    reply.header('etag', tag)
    if (request.headers['if-none-match'] !== tag) return payload
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    return null
  })
}
