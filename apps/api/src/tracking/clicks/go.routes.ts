import { parseId, type TrackedLink } from '@tallyroom/domain/tracked-link'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressOf } from '../../http/caller-address.ts'
import { NO_LINK } from '../../http/mend-url.ts'
import { bareHeaders, redirectHeaders } from '../../http/secure-headers.ts'
import type { Clicks } from './clicks.ts'
import {
  inactivePage,
  notNowPage,
  type Page,
  PAGE_POLICY,
  tooLongPage,
  unknownPage,
} from './go.pages.ts'

const LONGEST_URL = 8_000
const RETRY_AFTER_SECONDS = 5

const followHeaders = { ...redirectHeaders, 'cache-control': 'no-store' }

type GoRequest = FastifyRequest<{
  Params: { siteId: string; typeId: string; agentId: string }
  Querystring: Record<string, unknown>
}>

/**
 * `GET /api/links/go/{siteId}/{typeId}/{agentId}` on any host. Register it in a separate scope without hooks
 * and validators, which would cost more than the redirect itself.
 */
export function registerGo(app: FastifyInstance, clicks: Clicks): void {
  // A child logger per request costs about 3 % of throughput.
  app.setChildLoggerFactory((log) => log)
  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/links/go/:siteId/:typeId/:agentId',
    exposeHeadRoute: false,
    handler: (request: GoRequest, reply) => go(clicks, request, reply),
  })
  // Whatever a visitor asks for here, they get a page: never JSON, nor the back office.
  for (const url of [NO_LINK, '/api/links', '/api/links/*']) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      exposeHeadRoute: false,
      handler: (request, reply) =>
        sendPage(reply, request.url.length > LONGEST_URL ? tooLongPage : unknownPage),
    })
  }
}

async function go(clicks: Clicks, request: GoRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (request.url.length > LONGEST_URL) return sendPage(reply, tooLongPage)
  const link = linkOf(request.params)
  if (!link) return sendPage(reply, unknownPage)
  // The browser drops this answer and asks again when its user clicks, now without the header. A redirect would be kept,
  // and the click never seen.
  if (isSpeculative(request.headers)) {
    return reply.code(503).headers(bareHeaders).header('cache-control', 'no-store').send()
  }
  if (!clicks.isReady()) return sendPage(reply, notNowPage)
  try {
    const answer = await clicks.follow({
      link,
      method: request.method,
      ip: addressOf(request),
      userAgent: request.headers['user-agent'],
      isPreview: isPreview(request.headers),
      referrer: request.headers.referer,
      query: request.query,
    })
    if (answer === 'unknown') return sendPage(reply, unknownPage)
    if (answer === 'inactive') return sendPage(reply, inactivePage)
    if (answer === 'not yet') return sendPage(reply, notNowPage)
    return reply.code(302).headers(followHeaders).header('location', answer.url).send()
  } catch (error) {
    // Neither the database nor the disk took the click: fail the request rather than lose it.
    request.log.error({ err: error, reqId: request.id }, 'a click could not be stored')
    return sendPage(reply, notNowPage)
  }
}

/** A browser prefetches or prerenders, because a page asks for it or because it guesses what its user will click. */
function isSpeculative(headers: FastifyRequest['headers']): boolean {
  const purpose = headers['sec-purpose']
  return purpose !== undefined && /\bprefetch\b/i.test(String(purpose))
}

/** Apps that show previews, and older browsers, use one of these headers to say that nobody has clicked yet. */
function isPreview(headers: FastifyRequest['headers']): boolean {
  const purpose =
    headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-purpose'] ?? headers['x-moz']
  return purpose !== undefined && /prefetch|preview|prerender/i.test(String(purpose))
}

function linkOf(params: GoRequest['params']): TrackedLink | undefined {
  const siteId = parseId(params.siteId)
  const typeId = parseId(params.typeId)
  const agentId = parseId(params.agentId)
  return siteId && typeId && agentId ? { siteId, typeId, agentId } : undefined
}

function sendPage(reply: FastifyReply, { status, html }: Page): FastifyReply {
  if (status === 503) void reply.header('retry-after', RETRY_AFTER_SECONDS)
  return reply
    .code(status)
    .headers(bareHeaders)
    .header('cache-control', 'no-store')
    .header('content-security-policy', PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(html)
}
