import { can, type Ability } from '@tallyroom/domain/abilities'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { z } from 'zod'
import { ownPath } from '../lib/own-path.ts'
import { parseSearch, searchText, stringifySearch } from '../lib/search.ts'
import { readSession } from '../lib/session.ts'
import { LANDING } from './menu.ts'
import { PageFailure } from './PageFailure.tsx'
import { Shell } from './Shell.tsx'

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** Stands in the header and the window's title, before the page's own code has arrived. */
    title?: string
  }
}

const rootRoute = createRootRoute({ component: Outlet, errorComponent: PageFailure })

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

const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app',
  beforeLoad: ({ location }) => {
    if (!readSession()) throw redirect({ to: '/login', search: { returnUrl: location.href } })
  },
  component: Shell,
  errorComponent: PageFailure,
})

/** Sends whoever may not open the page to the landing page; the server would refuse its calls anyway. */
const needs = (ability: Ability) => () => {
  const me = readSession()?.me
  if (me && !can(me, ability)) throw redirect({ to: LANDING, replace: true })
}

const siteStatsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/stats/sites',
  staticData: { title: 'Sites Statistics' },
  beforeLoad: needs('stats.view'),
  component: lazyRouteComponent(() => import('../features/spike/SpikePage.tsx'), 'SpikePage'),
})

const spikeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/spike',
  staticData: { title: 'Spike' },
  component: lazyRouteComponent(() => import('../features/spike/SpikePage.tsx'), 'SpikePage'),
})

/** '/', '/app' and every path that is no page. */
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
    appRoute.addChildren([siteStatsRoute, spikeRoute]),
    elsewhereRoute,
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultErrorComponent: PageFailure,
})
