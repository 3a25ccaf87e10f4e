import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { adminsRoutes } from '../features/admins/admins.routes.ts'
import { agentMigrationRoutes } from '../features/agent-migration/agent-migration.routes.ts'
import { agentsRoutes } from '../features/agents/agents.routes.ts'
import { announcementsRoutes } from '../features/announcements/announcements.routes.ts'
import { loadAlerts } from '../features/announcements/load-alerts.ts'
import { approvalRoutes } from '../features/approval/approval.routes.ts'
import { loginRoute } from '../features/auth/auth.routes.ts'
import { avpSchedulesRoutes } from '../features/avp-schedules/avp-schedules.routes.ts'
import { avpWeekRoutes } from '../features/avp-week/avp-week.routes.ts'
import { chatLogsRoutes } from '../features/chat-logs/chat-logs.routes.ts'
import { clickLogsRoutes } from '../features/click-logs/click-logs.routes.ts'
import { commonLogsRoutes } from '../features/common-logs/common-logs.routes.ts'
import { dashboardRoutes } from '../features/dashboard/dashboard.routes.ts'
import { forgotRoutes } from '../features/forgot/forgot.routes.ts'
import { howFiguresWorkRoutes } from '../features/how-figures-work/how-figures-work.routes.ts'
import { howToSellRoutes } from '../features/how-to-sell/how-to-sell.routes.ts'
import { ipBlacklistRoutes } from '../features/ip-blacklist/ip-blacklist.routes.ts'
import { linkTypesRoutes } from '../features/link-types/link-types.routes.ts'
import { linksRoutes } from '../features/links/links.routes.ts'
import { loginLogsRoutes } from '../features/login-logs/login-logs.routes.ts'
import { officeFeesRoutes } from '../features/office-fees/office-fees.routes.ts'
import { officePerformanceRoutes } from '../features/office-performance/office-performance.routes.ts'
import { officesRoutes } from '../features/offices/offices.routes.ts'
import { optionsRoutes } from '../features/options/options.routes.ts'
import { payeeAccountsRoutes } from '../features/payee-accounts/payee-accounts.routes.ts'
import { paymentRunsRoutes } from '../features/payment-runs/payment-runs.routes.ts'
import { payRoutes } from '../features/pay/pay.routes.ts'
import { postbacksRoutes } from '../features/postbacks/postbacks.routes.ts'
import { preferredDomainsRoutes } from '../features/preferred-domains/preferred-domains.routes.ts'
import { profileRoutes } from '../features/profile/profile.routes.ts'
import { remoteLoginRoute } from '../features/remote-login/remote-login.routes.ts'
import { saleLogsRoutes } from '../features/sale-logs/sale-logs.routes.ts'
import { savedViewsRoutes } from '../features/saved-views/saved-views.routes.ts'
import { siteListRoutes } from '../features/site-list/site-list.routes.ts'
import { siteManualsRoutes } from '../features/site-manuals/site-manuals.routes.ts'
import { sitesRoutes } from '../features/sites/sites.routes.ts'
import { spikeRoutes } from '../features/spike/spike.routes.ts'
import { statisticsRoutes } from '../features/statistics/statistics.routes.ts'
import { topAgentsRoutes } from '../features/top-agents/top-agents.routes.ts'
import { whatIfRoutes } from '../features/what-if/what-if.routes.ts'
import { inTime } from '../lib/in-time.ts'
import { frameRoute, LANDING, leadsTo, rootRoute } from '../lib/page.ts'
import { parseSearch, stringifySearch } from '../lib/search.ts'
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
    ...forgotRoutes,
    remoteLoginRoute,
    frameRoute.addChildren([
      leadsTo('/', LANDING),
      ...adminsRoutes,
      ...agentMigrationRoutes,
      ...agentsRoutes,
      ...announcementsRoutes,
      ...approvalRoutes,
      ...avpSchedulesRoutes,
      ...avpWeekRoutes,
      ...whatIfRoutes,
      ...chatLogsRoutes,
      ...clickLogsRoutes,
      ...commonLogsRoutes,
      ...dashboardRoutes,
      ...howFiguresWorkRoutes,
      ...howToSellRoutes,
      ...ipBlacklistRoutes,
      ...linkTypesRoutes,
      ...linksRoutes,
      ...loginLogsRoutes,
      ...officeFeesRoutes,
      ...officePerformanceRoutes,
      ...objectsRoutes,
      ...officesRoutes,
      ...optionsRoutes,
      ...payeeAccountsRoutes,
      ...paymentRunsRoutes,
      ...payRoutes,
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
