import { endpoints } from '@tallyroom/contract/endpoints'
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { apiScope } from './http/api-scope.ts'
import { handleClientError, handleError, handleUnknownPath } from './http/error-handler.ts'
import { checkRouteTable } from './http/route-table.ts'
import type { Services } from './http/services.ts'
import { webScope } from './http/web-scope.ts'
import { accountsRoutes } from './features/accounts/index.ts'
import { authRoutes } from './features/auth/index.ts'
import { healthRoutes } from './features/health/index.ts'
import { makeFindViewer } from './features/sessions/index.ts'
import { statisticsRoutes } from './features/statistics/index.ts'

/**
 * The whole server, not yet listening: the redirect and the postback in a bare scope of their own, the
 * calls of the back office in another, the browser's files in a third.
 *
 * @throws when a route is not in the endpoint table, or an endpoint has no route.
 */
export async function buildApp(
  services: Services,
  options: Pick<FastifyServerOptions, 'logger' | 'loggerInstance'> = {},
): Promise<FastifyInstance> {
  const app = Fastify({
    ...options,
    trustProxy: trustedProxies(services.config.trustProxy),
    bodyLimit: 1_048_576,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: handleClientError,
  })
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(handleUnknownPath)
  const checkRoutes = checkRouteTable(app, endpoints)

  await app.register(apiScope, {
    services,
    findViewer: makeFindViewer(services),
    routes: [
      ...healthRoutes(services),
      ...authRoutes(services),
      ...accountsRoutes(services),
      ...statisticsRoutes(services),
    ],
  })
  await app.register(webScope)
  await app.ready()
  checkRoutes()
  return app
}

/** A number means so many proxies before this server, counted from the nearest. */
const trustedProxies = (setting: Services['config']['trustProxy']) =>
  typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting
