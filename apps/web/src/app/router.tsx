import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { ownPath } from '../lib/own-path.ts'
import { parseSearch, searchText, stringifySearch } from '../lib/search.ts'
import { readSession } from '../lib/session.ts'
import { accountRoutes } from './account-routes.ts'
import { appRoute, rootRoute } from './app-route.ts'
import { boardRoutes } from './board-routes.ts'
import { domainRoutes } from './domain-routes.ts'
import { contentRoutes } from './content-routes.ts'
import { avpScheduleRoutes } from './avp-schedule-routes.ts'
import { doorRoutes } from './door-routes.ts'
import { linkRoutes } from './link-routes.ts'
import { logRoutes } from './log-routes.ts'
import { LANDING } from './menu.ts'
import { migrationRoute } from './migration-route.ts'
import { PageFailure } from './PageFailure.tsx'
import { settingsRoutes } from './settings-routes.ts'
import { siteRoutes } from './site-routes.ts'
import { statsRoutes } from './stats-routes.ts'

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** Stands in the header and the window's title, before the page's own code has arrived. */
    title?: string
  }
}

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  staticData: { title: 'Sign in' },
  validateSearch: (raw: Record<string, unknown>) =>
    z.object({ returnUrl: searchText(2000) }).parse(raw),
  beforeLoad: ({ search }) => {
    if (readSession()) throw redirect({ href: ownPath(search.returnUrl) ?? LANDING, replace: true })
  },
  component: lazyRouteComponent(() => import('./LoginRoute.tsx'), 'LoginRoute'),
})

const spikeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/spike',
  staticData: { title: 'Spike' },
  component: lazyRouteComponent(() => import('../features/spike/SpikePage.tsx'), 'SpikePage'),
})

const appIndexRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: LANDING, replace: true })
  },
})

/** '/' and every path that is no page. */
const elsewhereRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: LANDING, replace: true })
  },
})

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    loginRoute,
    ...doorRoutes,
    appRoute.addChildren([
      appIndexRoute,
      ...accountRoutes,
      ...domainRoutes,
      ...linkRoutes,
      ...logRoutes,
      ...contentRoutes,
      migrationRoute,
      ...settingsRoutes,
      ...boardRoutes,
      ...statsRoutes,
      ...siteRoutes,
      ...avpScheduleRoutes,
      spikeRoute,
    ]),
    elsewhereRoute,
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultErrorComponent: PageFailure,
})
