import { ERROR_CODE_HEADER } from '@tallyroom/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorCode, lostToAnother, STATEMENT_TIMED_OUT } from '../../db/transaction.ts'
import { addressOf } from '../../http/caller-address.ts'
import { handleError } from '../../http/error-handler.ts'
import { unavailable } from '../../errors.ts'
import { bareHeaders } from '../../http/secure-headers.ts'
import type { Answer } from '../postbacks/answers.ts'
import { MAX_BODY_BYTES } from '../reading/unpack.ts'
import { type Inbound, takePostback } from '../postbacks/inbound.ts'
import type { Log } from '../../lib/log/log.ts'
import { keepUnparsed, type Unparsed } from './unparsed.ts'

type PostbackRoute = { Params: { siteId: string }; Body: Buffer | undefined }

/** The public endpoint for merchants. It has its own body parsers, because signatures cover the raw bytes. */
export function registerInbound(app: FastifyInstance, inbound: Inbound): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, body),
    )
    // Set before the handler, so that refusals have it, too.
    scope.addHook('onRequest', (_request, reply, done) => {
      void reply.headers(bareHeaders)
      done()
    })
    // Repeated transaction conflicts are temporary, and not the sender's fault. Neither is a long wait for a backdating.
    scope.setErrorHandler(async (error, request, reply) => {
      const unparsed = unparsedOf(error, request)
      if (unparsed) void keepUnparsed(inbound, request.log, unparsed)
      const hasToWait = lostToAnother(error) || errorCode(error) === STATEMENT_TIMED_OUT
      return handleError(hasToWait ? unavailable(1) : error, request, reply)
    })
    // Separate routes, because the API document distinguishes them.
    for (const method of ['GET', 'POST']) {
      scope.route<PostbackRoute>({
        method,
        url: '/api/postback/:siteId',
        // A HEAD request is not a report.
        exposeHeadRoute: false,
        handler: async (request, reply) => send(reply, await take(inbound, request)),
      })
    }
  })
}

/** Shows staff what Node's parser refuses on a postback's path. */
export function takeUnparsed(app: FastifyInstance, inbound: Inbound, log: Log): void {
  app.decorate('refuseUnparsed', (request: Unparsed) => void keepUnparsed(inbound, log, request))
}

/** What the server itself refuses before anybody reads it, such as a body that is too long. Undefined for any other error. */
function unparsedOf(error: unknown, request: FastifyRequest): Unparsed | undefined {
  const code = errorCode(error)
  if (!code?.startsWith('FST_ERR_CTP')) return undefined
  return {
    method: request.method === 'GET' ? 'GET' : 'POST',
    url: request.raw.url ?? '',
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    code,
    ip: addressOf(request),
  }
}

const take = (inbound: Inbound, request: FastifyRequest<PostbackRoute>): Promise<Answer> =>
  takePostback(inbound, {
    siteId: request.params.siteId,
    method: request.method === 'GET' ? 'GET' : 'POST',
    query: /\?[^]*/.exec(request.raw.url ?? '')?.[0].slice(1) ?? '',
    contentType: request.headers['content-type'] ?? '',
    contentEncoding: request.headers['content-encoding'] ?? '',
    body: request.body ?? Buffer.alloc(0),
    key: single(request.headers['x-postback-key']),
    signature: single(request.headers['x-signature']),
    ip: addressOf(request),
  })

function send(reply: FastifyReply, { status, body, code }: Answer) {
  void reply.code(status).header('cache-control', 'no-store')
  if (code !== undefined) void reply.header(ERROR_CODE_HEADER, code)
  return typeof body === 'string'
    ? reply.type('text/plain; charset=utf-8').send(body)
    : reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** Ignores a header that is given twice. */
const single = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined
