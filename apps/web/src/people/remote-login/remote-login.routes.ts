import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { LANDING, rootRoute } from '../../lib/pages/page.ts'
import { searchText } from '../../lib/pages/search.ts'
import { readSession } from '../../lib/session.ts'
import { exchangeOnce, isExchanging } from './exchange.ts'

const searchSchema = z.object({ token: searchText(4096) })

/** Exchanges the link's token for a session. If somebody is signed in, it asks first, before using the token. */
export const remoteLoginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/remote-login',
  validateSearch: (raw: Record<string, unknown>) => searchSchema.parse(raw),
  beforeLoad: async ({ search: { token }, preload }) => {
    if (!token) throw redirect({ to: '/login', replace: true })
    // Preloading must not use up the single-use token.
    if (preload || (readSession() && !isExchanging(token))) return
    await exchangeOnce(token)
    throw redirect({ to: LANDING, replace: true })
  },
  component: lazyRouteComponent(() => import('./RemoteLoginQuestion.tsx'), 'RemoteLoginQuestion'),
  errorComponent: lazyRouteComponent(
    () => import('./RemoteLoginFailure.tsx'),
    'RemoteLoginFailure',
  ),
})
