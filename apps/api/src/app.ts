import { endpoints } from '@tallyroom/contract/endpoints'
import { brandOf } from '@tallyroom/domain/brands/index'
import type { FastifyInstance } from 'fastify'
import { collectApiDocument } from './http/api-document.ts'
import { apiScope } from './http/api-scope.ts'
import { type FrontDoor, isOfficeAmong } from './http/front-door.ts'
import { makeServer, type ServerOptions } from './http/server.ts'
import { checkRouteTable } from './http/route-table.ts'
import type { Services } from './services.ts'
import { webScope } from './http/web-scope.ts'
import { watchChanges } from './db/changes.ts'
import { accountsRoutes } from './features/accounts/index.ts'
import { commonLogsRoutes, startAuditLog, watchObjects } from './features/common-logs/index.ts'
import {
  authRoutes,
  forgotRoutes,
  remoteLoginRoutes,
  startPasswordMail,
} from './features/auth/index.ts'
import { adminsRoutes } from './features/admins/index.ts'
import { migrationRoutes } from './features/agent-migration/index.ts'
import { agentsRoutes } from './features/agents/index.ts'
import { announcementsRoutes } from './features/announcements/index.ts'
import { approvalRoutes } from './features/approval/index.ts'
import { avpScheduleRoutes } from './features/avp-schedules/index.ts'
import { avpWeekRoutes } from './features/avp-week/index.ts'
import { brandRoutes, landingPage } from './features/brand/index.ts'
import { chatLogsRoutes } from './features/chat-logs/index.ts'
import { clickLogsRoutes } from './features/click-logs/index.ts'
import { keepLinksOnDisk, makeClickIds, registerGo, startClicks } from './features/clicks/index.ts'
import { dashboardRoutes } from './features/dashboard/index.ts'
import { demoVisitorsRoutes, makeDemoVisitors } from './features/demo-visitors/index.ts'
import { exportsRoutes } from './features/exports/index.ts'
import { healthRoutes } from './features/health/index.ts'
import { ipBlacklistRoutes, keepBlacklist } from './features/ip-blacklist/index.ts'
import { linkTypesRoutes } from './features/link-types/index.ts'
import { linksRoutes } from './features/links/index.ts'
import { officeFeesRoutes } from './features/office-fees/index.ts'
import { rateBackdatingRoutes } from './features/rate-backdating/index.ts'
import { officePerformanceRoutes } from './features/office-performance/index.ts'
import { officesRoutes } from './features/offices/index.ts'
import { loginLogsRoutes } from './features/login-logs/index.ts'
import { optionsRoutes } from './features/options/index.ts'
import { payeeAccountsRoutes } from './features/payee-accounts/index.ts'
import { paymentRunsRoutes } from './features/payment-runs/index.ts'
import { makeInbound, postbacksRoutes, registerInbound } from './features/postbacks/index.ts'
import { keepDomainRoots, preferredDomainsRoutes } from './features/preferred-domains/index.ts'
import { profileRoutes } from './features/profile/index.ts'
import { findRoutes } from './features/find/index.ts'
import { saleLogsRoutes } from './features/sale-logs/index.ts'
import { savedViewsRoutes } from './features/saved-views/index.ts'
import { makeFindViewer } from './features/sessions/index.ts'
import { giveBackBy, payRoutes } from './features/pay/index.ts'
import { payProposalsRoutes } from './features/pay-proposals/index.ts'
import { siteManualsRoutes } from './features/site-manuals/index.ts'
import { sitesRoutes } from './features/sites/index.ts'
import { statementFilesRoutes } from './features/statement-files/index.ts'
import { statisticsRoutes } from './features/statistics/index.ts'
import { topAgentsRoutes } from './features/top-agents/index.ts'
import { uploadsRoutes } from './features/uploads/index.ts'
import { whatIfRoutes } from './features/what-if/index.ts'

/**
 * Builds the server without listening, in four scopes: redirect and postback, both minimal, then the
 * back-office API and the static files.
 *
 * @throws if a route is not in the endpoint table, or an endpoint has no route.
 */
export async function buildApp(
  services: Services,
  options: ServerOptions = {},
): Promise<FastifyInstance> {
  const app = makeServer(services.config, options)
  const checkRoutes = checkRouteTable(app, endpoints)

  await collectApiDocument(app, {
    table: endpoints,
    publicUrl: services.config.publicUrl,
    title: brandOf(services.config.brand).name,
  })

  const brand = brandOf(services.config.brand)
  const { clicks, inbound, roots, stop } = startTracking(services)
  const door: FrontDoor = {
    isOffice: isOfficeAmong(services.config.backOfficeHosts),
    ...roots,
    brand,
  }
  app.addHook('onClose', stop)
  const passwordMail = startPasswordMail(services)
  const giveBack = giveBackBy(services)
  app.addHook('onClose', passwordMail.stop)
  const demoVisitors = makeDemoVisitors({
    ...services,
    keys: inbound.keys,
    address: () => app.server.address(),
  })
  app.addHook('onListen', () => demoVisitors.start())
  app.addHook('preClose', async () => demoVisitors.stop())
  await app.register(async (scope) => registerGo(scope, clicks))
  await app.register(async (scope) => registerInbound(scope, inbound))
  await app.register(apiScope, {
    findViewer: makeFindViewer(services),
    recordCall: startAuditLog(services),
    watchChanges: watchObjects(services),
    pulse: services.pulse,
    busyAfterMs: services.config.busyAfterMs,
    door,
    trustsProxy: services.config.trustProxy !== false,
    routes: [
      ...healthRoutes(services, clicks),
      ...brandRoutes(services),
      ...authRoutes(services),
      ...remoteLoginRoutes(services),
      ...forgotRoutes(services, passwordMail),
      ...accountsRoutes(services),
      ...approvalRoutes(services),
      ...profileRoutes({ ...services, mail: passwordMail }),
      ...officesRoutes({ ...services, mail: passwordMail, giveBack }),
      ...preferredDomainsRoutes(services),
      ...agentsRoutes({ ...services, mail: passwordMail, giveBack }),
      ...adminsRoutes({ ...services, mail: passwordMail }),
      ...migrationRoutes(services),
      ...sitesRoutes(services),
      ...linkTypesRoutes(services),
      ...officeFeesRoutes(services),
      ...rateBackdatingRoutes(services),
      ...linksRoutes(services),
      ...siteManualsRoutes(services),
      ...announcementsRoutes(services),
      ...uploadsRoutes(services),
      ...postbacksRoutes(services, inbound),
      ...statisticsRoutes(services),
      ...topAgentsRoutes(services),
      ...officePerformanceRoutes(services),
      ...exportsRoutes(services),
      ...dashboardRoutes(services),
      ...demoVisitorsRoutes(demoVisitors),
      ...avpScheduleRoutes(services),
      ...avpWeekRoutes(services),
      ...whatIfRoutes(services),
      ...chatLogsRoutes(services),
      ...clickLogsRoutes(services),
      ...saleLogsRoutes(services),
      ...findRoutes(services),
      ...commonLogsRoutes(services),
      ...loginLogsRoutes(services),
      ...ipBlacklistRoutes(services),
      ...optionsRoutes(services),
      ...savedViewsRoutes(services),
      ...payeeAccountsRoutes({ ...services, mail: passwordMail }),
      ...paymentRunsRoutes(services),
      ...payRoutes(services),
      ...payProposalsRoutes(services),
      ...statementFilesRoutes(services),
    ],
  })
  await app.register(webScope, {
    brand,
    door,
    landing: brand.flags.landingPage ? landingPage(brand) : undefined,
  })
  await app.ready()
  checkRoutes()
  return app
}

/** Starts the parts that the redirect needs, and keeps their caches fresh. */
function startTracking(services: Services) {
  const { connection, secret, formerSecrets, config, log } = services
  const changes = watchChanges(connection, { log })
  const inbound = makeInbound(services)
  inbound.sites.keepFresh(changes)
  const kept = keepLinksOnDisk(config.dataDir, changes, log)
  const clicks = startClicks({
    ...services,
    changes,
    kept,
    blacklist: keepBlacklist(services.db, changes, (blacklist) => kept.keep({ blacklist })),
    clickIds: makeClickIds(secret, formerSecrets),
    dataDir: config.dataDir,
    clicksAMinute: config.clicksAMinute,
  })
  return {
    clicks,
    inbound,
    roots: keepDomainRoots(services.db, changes),
    stop: async () => {
      await clicks.stop()
      await kept.stop()
      await changes.stop()
    },
  }
}
