import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import type { Config } from '../config.ts'
import { readAddress, trustOf } from '../lib/net/forwarded-address.ts'
import { trustProxies } from './caller-address.ts'
import { handleError, handleUnknownPath } from './error-handler.ts'
import { mendUrl } from './mend-url.ts'
import { handleUnparsed } from './raw-bytes.ts'
import { isOwn, senderMark } from '../lib/net/safe-fetch.ts'

/** A path that nothing is at. */
const NOWHERE = '/api/own-postback'

export type ServerOptions = Pick<FastifyServerOptions, 'logger' | 'loggerInstance'>

/** A server without routes: how requests are received, whoever answers them. */
export function makeServer(
  { config, secret }: { config: Pick<Config, 'trustProxy'>; secret: Buffer },
  options: ServerOptions = {},
): FastifyInstance {
  const sender = senderMark(secret)
  const trusts = trustOf(config.trustProxy)
  const app = Fastify({
    ...options,
    trustProxy: trusts ? (address, hop) => trusts(readAddress(address) ?? '', hop) : false,
    bodyLimit: 1_048_576,
    requestTimeout: 30_000,
    // Node's defaults (60 s, checked every 30 s) are too lenient: a slowloris client could hold a connection by
    // sending a byte at a time.
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 2_000 },
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    // A postback to ourselves, under whatever name, would make clicks or sales, and these postbacks, for ever.
    rewriteUrl: (request) => (isOwn(request, sender) ? NOWHERE : mendUrl(request.url ?? '/')),
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: (error, socket) => handleUnparsed(app, error, socket),
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply),
  })
  trustProxies(app, trusts)
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(handleUnknownPath)
  return app
}
