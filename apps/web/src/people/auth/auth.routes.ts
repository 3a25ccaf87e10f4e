import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { ownPath } from '../../lib/pages/own-path.ts'
import { LANDING, rootRoute } from '../../lib/pages/page.ts'
import { searchText } from '../../lib/pages/search.ts'
import { readSession } from '../../lib/session.ts'

const searchSchema = z.object({ returnUrl: searchText(2000) })

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  staticData: { title: 'Sign in' },
  validateSearch: (raw: Record<string, unknown>) => searchSchema.parse(raw),
  beforeLoad: ({ search }) => {
    if (readSession()) throw redirect({ href: ownPath(search.returnUrl) ?? LANDING, replace: true })
  },
  component: lazyRouteComponent(() => import('./LoginPage.tsx'), 'LoginPage'),
})

/** To which the sign-in provider sends browsers back, with a code in the query. */
export const providerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in/provider',
  staticData: { title: 'Sign in' },
  component: lazyRouteComponent(() => import('./ProviderPage.tsx'), 'ProviderPage'),
})
