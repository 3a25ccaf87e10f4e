import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { enterWithToken } from '../lib/remote-session.ts'
import { searchText } from '../lib/search.ts'
import { readSession } from '../lib/session.ts'
import { rootRoute } from './app-route.ts'
import { LANDING } from './menu.ts'

type Raw = Record<string, unknown>

const forgotRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot',
  component: lazyRouteComponent(() => import('./ForgotRoute.tsx'), 'ForgotRoute'),
})

/** The mailed link, with its token in the fragment. */
const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot/reset',
  component: lazyRouteComponent(() => import('./ResetPasswordRoute.tsx'), 'ResetPasswordRoute'),
})

/** Exchanges the token of the link for a session. Over an open session it asks first, and leaves the token alone. */
const remoteLoginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/remote-login',
  validateSearch: (raw: Raw) => z.object({ token: searchText(4096) }).parse(raw),
  beforeLoad: async ({ search: { token }, preload }) => {
    if (!token) throw redirect({ to: '/login', replace: true })
    // A look at where a link leads must not use it up.
    if (preload || (readSession() && exchange?.token !== token)) return
    await exchangeOnce(token)
    throw redirect({ to: LANDING, replace: true })
  },
  component: lazyRouteComponent(() => import('./RemoteLoginRoute.tsx'), 'RemoteLoginRoute'),
  errorComponent: lazyRouteComponent(
    () => import('../features/remote-login/RemoteLoginFailure.tsx'),
    'RemoteLoginFailure',
  ),
})

let exchange: { token: string; done: Promise<void> } | undefined

/** The token is good once, and the page is loaded anew as soon as the session has changed. */
export function exchangeOnce(token: string): Promise<void> {
  if (exchange?.token !== token) exchange = { token, done: enterWithToken(token) }
  return exchange.done
}

/** Where accounts are led that must choose another password before anything else. */
const newPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/new-password',
  validateSearch: (raw: Raw) => z.object({ returnUrl: searchText(2000) }).parse(raw),
  beforeLoad: () => {
    const session = readSession()
    if (!session) throw redirect({ to: '/login', replace: true })
    if (!session.me.mustChangePassword) throw redirect({ to: LANDING, replace: true })
  },
  component: lazyRouteComponent(() => import('./ChangePasswordRoute.tsx'), 'ChangePasswordRoute'),
})

export const doorRoutes = [forgotRoute, resetRoute, remoteLoginRoute, newPasswordRoute] as const
