import { can, type Ability } from '@tallyroom/domain/abilities'
import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { inTime } from '../lib/in-time.ts'
import { readSession } from '../lib/session.ts'
import { PageFailure } from './PageFailure.tsx'
import { queryClient } from './query-client.ts'
import { Shell } from './Shell.tsx'

export const rootRoute = createRootRoute({ component: Outlet, errorComponent: PageFailure })

/** Parent of every page behind sign-in. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app',
  beforeLoad: ({ location }) => {
    const session = readSession()
    if (!session) throw redirect({ to: '/login', search: { returnUrl: location.href } })
    if (session.me.mustChangePassword)
      throw redirect({ to: '/new-password', search: { returnUrl: location.href } })
  },
  /** What stands above every page must stand there when the page does. */
  loader: async () => {
    const [{ AlertBanner }, { loadAlerts }] = await Promise.all([
      import('../features/announcements/AlertBanner.tsx'),
      import('../features/announcements/load-alerts.ts'),
    ])
    const me = readSession()?.me
    if (me) await inTime(loadAlerts(queryClient, me.accountId))
    return { AlertBanner }
  },
  staleTime: Infinity,
  component: Shell,
  errorComponent: PageFailure,
})

/**
 * Marks the page as closed to whoever may not open it, so that the frame says so instead of drawing it; the
 * server would refuse its calls anyway.
 */
export const needs = (ability: Ability) => () => {
  const me = readSession()?.me
  return { isClosed: me !== undefined && !can(me, ability) }
}
