import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { LANDING, page, rootRoute } from '../../lib/pages/page.ts'
import { searchText } from '../../lib/pages/search.ts'
import { readSession } from '../../lib/session.ts'

const returnSchema = z.object({ returnUrl: searchText(2000) })

export const signInRulesRoutes = [
  page({
    path: '/settings/sign-in',
    title: 'Sign-in',
    ability: 'sign-in.manage',
    component: lazyRouteComponent(() => import('./SignInRulesPage.tsx'), 'SignInRulesPage'),
  }),
] as const

/** For accounts that must add a second factor before they can do anything else. */
export const requiredFactorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/second-factor',
  validateSearch: (raw: Record<string, unknown>) => returnSchema.parse(raw),
  beforeLoad: () => {
    const session = readSession()
    if (!session) throw redirect({ to: '/login', replace: true })
    if (!session.me.mustAddFactor) throw redirect({ to: LANDING, replace: true })
  },
  component: lazyRouteComponent(() => import('./RequiredFactorPage.tsx'), 'RequiredFactorPage'),
})
