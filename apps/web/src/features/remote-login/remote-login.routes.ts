import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { LANDING, rootRoute } from '../../lib/page.ts'
import { searchText } from '../../lib/search.ts'
import { readSession } from '../../lib/session.ts'
import { exchangeOnce, isExchanging } from './exchange.ts'

const searchSchema = z.object({ token: searchText(4096) })

/** Exchanges the token of the link for a session. Over an open session it asks first, and leaves the token alone. */
export const remoteLoginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/remote-login',
  validateSearch: (raw: Record<string, unknown>) => searchSchema.parse(raw),
  beforeLoad: async ({ search: { token }, preload }) => {
    if (!token) throw redirect({ to: '/login', replace: true })
    // Following a preloaded link must not use it up.
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
