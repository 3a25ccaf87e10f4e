import { webhookDocument } from '@tallyroom/contract/desk/webhooks'
import { endpoints } from '@tallyroom/contract/endpoints'
import { brandOf } from '@tallyroom/domain/brands/index'
import type { FastifyInstance } from 'fastify'
import { collectApiDocument } from './http/api-document.ts'
import { apiScope } from './http/api-scope.ts'
import { type FrontDoor, hideApi, isOfficeAmong } from './http/front-door.ts'
import { makeServer, type ServerOptions } from './http/server.ts'
import { checkRouteTable } from './http/route-table.ts'
import type { Services } from './services.ts'
import { webScope } from './http/web-scope.ts'
import { type ChangeWatch, watchChanges } from './db/changes.ts'
import { outgoingOf, senderMark } from './lib/net/safe-fetch.ts'
import { keepListeners } from './notices/index.ts'
import {
  accountsRoutes,
  authRoutes,
  forgotRoutes,
  newAddressRoutes,
  importRoutes,
  invitationsRoutes,
  remoteLoginRoutes,
  forgottenPasswords,
  startMailSender,
  adminsRoutes,
  migrationRoutes,
  agentsRoutes,
  approvalRoutes,
  ipBlacklistRoutes,
  keepBlacklist,
  officesRoutes,
  keepDomainRoots,
  contactRoutes,
  signInRulesRoutes,
  preferredDomainsRoutes,
  ownFactorsRoutes,
  providerRoutes,
  profileRoutes,
  tokensRoutes,
  makeFindViewer,
} from './people/index.ts'
import {
  commonLogsRoutes,
  startAuditLog,
  watchObjects,
  alarmsRoutes,
  announcementsRoutes,
  bellRoutes,
  chatLogsRoutes,
  clickLogsRoutes,
  dashboardRoutes,
  eraseRoutes,
  exportsRoutes,
  loginLogsRoutes,
  findRoutes,
  partnerPostbacksRoutes,
  registerUnsubscribe,
  queueRoutes,
  webhooksRoutes,
  startDeliveries,
  saleLogsRoutes,
  savedViewsRoutes,
  tellOfForgeryBy,
} from './desk/index.ts'
import {
  avpScheduleRoutes,
  linkTypesRoutes,
  linksRoutes,
  couponsRoutes,
  officeFeesRoutes,
  optionsRoutes,
  siteManualsRoutes,
  sitesRoutes,
  uploadsRoutes,
} from './catalogue/index.ts'
import {
  avpWeekRoutes,
  findEarnings,
  officePerformanceRoutes,
  statisticsRoutes,
  topAgentsRoutes,
  whatIfRoutes,
} from './figures/index.ts'
import {
  brandRoutes,
  landingPage,
  demoVisitorsRoutes,
  makeDemoVisitors,
  healthRoutes,
  verificationRoutes,
} from './operate/index.ts'
import {
  decisionsRoutes,
  keepLinksOnDisk,
  linkTestsRoutes,
  makeClickIds,
  makeTestMarks,
  makeTestVisits,
  registerGo,
  startClicks,
  makeInbound,
  postbacksRoutes,
  registerInbound,
  takeUnparsed,
  tellingLedger,
  type Stores,
} from './tracking/index.ts'
import {
  booksRoutes,
  rateBackdatingRoutes,
  payeeAccountsRoutes,
  paymentRunsRoutes,
  findTierPay,
  giveBack,
  payRoutes,
  payProposalsRoutes,
  statementFilesRoutes,
} from './pay/index.ts'

/** With what only the rooms from `tracking` on know. */
export type AppServices = Services & Stores

/**
 * Builds the server without listening, in scopes: redirect and postback, both minimal, the page that ends mails, then the
 * back-office API and the static files.
 *
 * @throws if a route is not in the endpoint table, or an endpoint has no route.
 */
export async function buildApp(
  given: AppServices,
  options: ServerOptions = {},
): Promise<FastifyInstance> {
  const app = makeServer(given, options)
  const changes = watchChanges(given.connection, given)
  const services = {
    ...given,
    ledger: tellingLedger(given.ledger, keepListeners(given.db, changes)),
    outgoing: outgoingOf(given.config.webhookAllow, { sender: senderMark(given.secret) }),
  }
  const checkRoutes = checkRouteTable(app, endpoints)

  await collectApiDocument(app, {
    table: endpoints,
    publicUrl: services.config.publicUrl,
    title: brandOf(services.config.brand).name,
    webhooks: webhookDocument,
  })

  const brand = brandOf(services.config.brand)
  const { clicks, inbound, roots, stop } = startTracking(services, changes)
  const mails = startMailSender(services, changes)
  const deliveries = startDeliveries(services)
  const door: FrontDoor = {
    isOffice: isOfficeAmong(services.config.backOfficeHosts),
    ...roots,
    brand,
  }
  app.addHook('onClose', async () => {
    await Promise.all([mails.stop(), deliveries.stop()])
    await stop()
    await changes.stop()
  })
  const forgotten = forgottenPasswords(services)
  app.addHook('onClose', forgotten.stop)
  const demoVisitors = makeDemoVisitors({
    ...services,
    keys: inbound.keys,
    address: () => app.server.address(),
  })
  app.addHook('onListen', () => demoVisitors.start())
  app.addHook('preClose', async () => demoVisitors.stop())
  await app.register(async (scope) => registerGo(scope, clicks))
  await app.register(async (scope) => registerInbound(scope, inbound))
  takeUnparsed(app, inbound, services.log)
  await app.register(async (scope) => {
    hideApi(scope, door, [])
    registerUnsubscribe(scope, services)
  })
  await app.register(apiScope, {
    findViewer: makeFindViewer(services),
    recordCall: startAuditLog(services),
    watchChanges: watchObjects(services),
    tellOfForgery: tellOfForgeryBy(services),
    pulse: services.pulse,
    clock: services.clock,
    busyAfterMs: services.config.busyAfterMs,
    door,
    tokenCallsAMinute: services.config.tokenCallsAMinute,
    trustsProxy: services.config.trustProxy !== false,
    routes: [
      ...healthRoutes(services, clicks),
      ...verificationRoutes(services),
      ...brandRoutes(services),
      ...authRoutes(services),
      ...remoteLoginRoutes(services),
      ...forgotRoutes(services, forgotten),
      ...newAddressRoutes(services),
      ...invitationsRoutes(services),
      ...importRoutes(services),
      ...accountsRoutes(services),
      ...approvalRoutes(services),
      ...profileRoutes(services),
      ...ownFactorsRoutes(services),
      ...providerRoutes(services),
      ...tokensRoutes(services),
      ...officesRoutes({ ...services, findEarnings }),
      ...preferredDomainsRoutes(services),
      ...agentsRoutes({ ...services, giveBack, findEarnings }),
      ...eraseRoutes(services),
      ...adminsRoutes(services),
      ...migrationRoutes(services),
      ...sitesRoutes(services),
      ...linkTypesRoutes(services),
      ...officeFeesRoutes(services),
      ...rateBackdatingRoutes(services),
      ...linksRoutes(services),
      ...couponsRoutes(services),
      ...siteManualsRoutes(services),
      ...announcementsRoutes(services),
      ...uploadsRoutes(services),
      ...postbacksRoutes(services, inbound, findTierPay),
      ...decisionsRoutes(services, findTierPay),
      ...linkTestsRoutes(services),
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
      ...partnerPostbacksRoutes(services),
      ...bellRoutes(services),
      ...queueRoutes(services),
      ...webhooksRoutes(services),
      ...alarmsRoutes(services),
      ...contactRoutes(services),
      ...signInRulesRoutes(services),
      ...payeeAccountsRoutes(services),
      ...paymentRunsRoutes(services),
      ...payRoutes(services),
      ...booksRoutes(services),
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
function startTracking(services: AppServices, changes: ChangeWatch) {
  const { secret, formerSecrets, config, log } = services
  const inbound = makeInbound(services)
  inbound.sites.keepFresh(changes)
  const clickIds = makeClickIds(secret, formerSecrets)
  const kept = keepLinksOnDisk(config.dataDir, changes, log)
  const clicks = startClicks({
    ...services,
    changes,
    kept,
    blacklist: keepBlacklist(services.db, changes, (blacklist) => kept.keep({ blacklist })),
    clickIds,
    tests: makeTestVisits({ ...services, clickIds, testMarks: makeTestMarks(secret) }),
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
    },
  }
}
