import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { contactRoutes } from '../people/contact/contact.routes.ts'
import {
  requiredFactorRoute,
  signInRulesRoutes,
} from '../people/sign-in-rules/sign-in-rules.routes.ts'
import { alarmsRoutes } from '../desk/alarms/alarms.routes.ts'
import { adminsRoutes } from '../people/admins/admins.routes.ts'
import { importRoutes } from '../people/import/import.routes.ts'
import { agentMigrationRoutes } from '../people/agent-migration/agent-migration.routes.ts'
import { agentsRoutes } from '../people/agents/agents.routes.ts'
import { announcementsRoutes } from '../desk/announcements/announcements.routes.ts'
import { loadAlerts } from '../desk/announcements/load-alerts.ts'
import { approvalRoutes } from '../people/approval/approval.routes.ts'
import { loginRoute, providerRoute } from '../people/auth/auth.routes.ts'
import { avpSchedulesRoutes } from '../catalogue/avp-schedules/avp-schedules.routes.ts'
import { avpWeekRoutes } from '../figures/avp-week/avp-week.routes.ts'
import { chatLogsRoutes } from '../desk/chat-logs/chat-logs.routes.ts'
import { clickLogsRoutes } from '../desk/click-logs/click-logs.routes.ts'
import { commonLogsRoutes } from '../desk/common-logs/common-logs.routes.ts'
import { dashboardRoutes } from '../desk/home/dashboard.routes.ts'
import { forgotRoutes } from '../people/forgot/forgot.routes.ts'
import { howFiguresWorkRoutes } from '../figures/how-figures-work/how-figures-work.routes.ts'
import { howToSellRoutes } from '../catalogue/how-to-sell/how-to-sell.routes.ts'
import { ipBlacklistRoutes } from '../people/blacklist/ip-blacklist.routes.ts'
import { linkTypesRoutes } from '../catalogue/link-types/link-types.routes.ts'
import { couponsRoutes } from '../catalogue/coupons/coupons.routes.ts'
import { linksRoutes } from '../catalogue/links/links.routes.ts'
import { loginLogsRoutes } from '../desk/login-logs/login-logs.routes.ts'
import { officeFeesRoutes } from '../catalogue/rates/office-fees.routes.ts'
import { officePerformanceRoutes } from '../figures/office-performance/office-performance.routes.ts'
import { officesRoutes } from '../people/offices/offices.routes.ts'
import { optionsRoutes } from '../catalogue/options/options.routes.ts'
import { payeeAccountsRoutes } from '../pay/accounts/payee-accounts.routes.ts'
import { paymentRunsRoutes } from '../pay/payment-runs.routes.ts'
import { payRoutes } from '../pay/pay.routes.ts'
import { partnerPostbacksRoutes } from '../desk/partner-postbacks/partner-postbacks.routes.ts'
import { queueRoutes } from '../desk/queue/queue.routes.ts'
import { verificationRoutes } from '../operate/verification/verification.routes.ts'
import { decisionsRoutes } from '../tracking/decisions/decisions.routes.ts'
import { postbacksRoutes } from '../tracking/postbacks/postbacks.routes.ts'
import { preferredDomainsRoutes } from '../people/domains/preferred-domains.routes.ts'
import { profileRoutes } from '../people/profile/profile.routes.ts'
import { remoteLoginRoute } from '../people/remote-login/remote-login.routes.ts'
import { saleLogsRoutes } from '../desk/sale-logs/sale-logs.routes.ts'
import { savedViewsRoutes } from '../desk/saved-views/saved-views.routes.ts'
import { siteListRoutes } from '../people/site-list/site-list.routes.ts'
import { siteManualsRoutes } from '../catalogue/manuals/site-manuals.routes.ts'
import { sitesRoutes } from '../catalogue/sites/sites.routes.ts'
import { spikeRoutes } from '../operate/spike/spike.routes.ts'
import { statisticsRoutes } from '../figures/statistics/statistics.routes.ts'
import { topAgentsRoutes } from '../figures/top-agents/top-agents.routes.ts'
import { whatIfRoutes } from '../figures/what-if/what-if.routes.ts'
import { inTime } from '../lib/in-time.ts'
import { frameRoute, LANDING, leadsTo, rootRoute } from '../lib/pages/page.ts'
import { parseSearch, stringifySearch } from '../lib/pages/search.ts'
import { readSession } from '../lib/session.ts'
import { objectsRoutes } from './objects/objects.routes.ts'
import { toast } from '../ui/toasts.tsx'
import { PageFailure } from './PageFailure.tsx'
import { queryClient } from './query-client.ts'
import { Shell } from './Shell.tsx'

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

frameRoute.update({ component: Shell, staleTime: Infinity }).updateLoader({
  /** Loads the alerts before the first page is drawn, so that they do not shift it later. */
  loader: async () => {
    const me = readSession()?.me
    if (me) await inTime(loadAlerts(queryClient, me.accountId))
  },
})

/** Addresses that people type when they want the product, not a page of it. */
const FRONT_DOORS: ReadonlySet<string> = new Set(['/', '/app', '/app/'])

/** '/' and every unknown path. */
const elsewhereRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: ({ location, preload }) => {
    if (!preload && !FRONT_DOORS.has(location.pathname) && readSession()) {
      toast({
        kind: 'error',
        heading: 'Page not found',
        body: 'There is no page at that address. This is Home.',
      })
    }
    throw redirect({ to: LANDING, replace: true })
  },
})

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    loginRoute,
    providerRoute,
    ...forgotRoutes,
    requiredFactorRoute,
    remoteLoginRoute,
    frameRoute.addChildren([
      leadsTo('/', LANDING),
      ...adminsRoutes,
      ...agentMigrationRoutes,
      ...importRoutes,
      ...agentsRoutes,
      ...alarmsRoutes,
      ...contactRoutes,
      ...signInRulesRoutes,
      ...announcementsRoutes,
      ...approvalRoutes,
      ...avpSchedulesRoutes,
      ...avpWeekRoutes,
      ...whatIfRoutes,
      ...chatLogsRoutes,
      ...clickLogsRoutes,
      ...commonLogsRoutes,
      ...dashboardRoutes,
      ...decisionsRoutes,
      ...howFiguresWorkRoutes,
      ...howToSellRoutes,
      ...ipBlacklistRoutes,
      ...linkTypesRoutes,
      ...linksRoutes,
      ...couponsRoutes,
      ...loginLogsRoutes,
      ...officeFeesRoutes,
      ...officePerformanceRoutes,
      ...objectsRoutes,
      ...officesRoutes,
      ...optionsRoutes,
      ...payeeAccountsRoutes,
      ...paymentRunsRoutes,
      ...payRoutes,
      ...partnerPostbacksRoutes,
      ...queueRoutes,
      ...verificationRoutes,
      ...postbacksRoutes,
      ...preferredDomainsRoutes,
      ...profileRoutes,
      ...saleLogsRoutes,
      ...savedViewsRoutes,
      ...siteListRoutes,
      ...siteManualsRoutes,
      ...sitesRoutes,
      ...spikeRoutes,
      ...statisticsRoutes,
      ...topAgentsRoutes,
    ]),
    elsewhereRoute,
  ]),
  context: { queryClient },
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultErrorComponent: PageFailure,
})
