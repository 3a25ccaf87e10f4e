import { type Carried, readShortName, shortLinkPath } from '@tallyroom/domain/short-link'
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

type Visited = FastifyRequest<{ Querystring: Record<string, unknown> }>
type GoRequest = FastifyRequest<{
  Params: { siteId: string; typeId: string; agentId: string }
  Querystring: Record<string, unknown>
}>
type ShortRequest = FastifyRequest<{
  Params: { name: string }
  Querystring: Record<string, unknown>
}>

/**
 * `GET /api/links/go/{siteId}/{typeId}/{agentId}` on any host, and `GET /api/links/s/{name}`, to which `/{name}` is led. Register it in a separate scope without hooks
 * and validators, which would cost more than the redirect itself.
 */
export function registerGo(app: FastifyInstance, clicks: Clicks): void {
  // A child logger per request costs about 3 % of throughput.
  app.setChildLoggerFactory((log) => log)
  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/links/go/:siteId/:typeId/:agentId',
    exposeHeadRoute: false,
    handler: (request: GoRequest, reply) => go(clicks, linkOf(request.params), request, reply),
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: shortLinkPath(':name'),
    exposeHeadRoute: false,
    handler: (request: ShortRequest, reply) => {
      const name = readShortName(request.params.name)
      const found = name === undefined ? 'unknown' : clicks.findShort(name)
      return go(clicks, found, request, reply)
    },
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

/** What was asked for. What a short link carries wins over what its visitor brings. */
type Asked = { link: TrackedLink; carries?: Carried } | 'unknown' | 'not yet'

async function go(
  clicks: Clicks,
  asked: Asked,
  request: Visited,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (request.url.length > LONGEST_URL) return sendPage(reply, tooLongPage)
  if (asked === 'unknown') return sendPage(reply, unknownPage)
  // The browser drops this answer and asks again when its user clicks, now without the header. A redirect would be kept,
  // and the click never seen.
  if (isSpeculative(request.headers)) {
    return reply.code(503).headers(bareHeaders).header('cache-control', 'no-store').send()
  }
  if (asked === 'not yet' || !clicks.isReady()) return sendPage(reply, notNowPage)
  const { link, carries } = asked
  try {
    const answer = await clicks.follow({
      link,
      method: request.method,
      ip: addressOf(request),
      userAgent: request.headers['user-agent'],
      isPreview: isPreview(request.headers),
      referrer: request.headers.referer,
      query: carries ? { ...request.query, ...carries } : request.query,
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

function linkOf(params: GoRequest['params']): Asked {
  const siteId = parseId(params.siteId)
  const typeId = parseId(params.typeId)
  const agentId = parseId(params.agentId)
  return siteId && typeId && agentId ? { link: { siteId, typeId, agentId } } : 'unknown'
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
