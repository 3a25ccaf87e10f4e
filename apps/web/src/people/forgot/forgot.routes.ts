import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { LANDING, rootRoute } from '../../lib/pages/page.ts'
import { searchText } from '../../lib/pages/search.ts'
import { readSession } from '../../lib/session.ts'

const returnSchema = z.object({ returnUrl: searchText(2000) })

export const forgotRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/forgot',
    component: lazyRouteComponent(() => import('./ForgotPage.tsx'), 'ForgotPage'),
  }),
  /** The emailed link, with its token in the fragment. */
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/forgot/reset',
    component: lazyRouteComponent(() => import('./ResetPasswordPage.tsx'), 'ResetPasswordPage'),
  }),
  /** What confirms an email address, likewise. */
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/confirm-address',
    component: lazyRouteComponent(() => import('./ConfirmAddressPage.tsx'), 'ConfirmAddressPage'),
  }),
  /** The link of an invitation, likewise. */
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/invitation',
    component: lazyRouteComponent(() => import('./InvitationPage.tsx'), 'InvitationPage'),
  }),
  /** The emailed link to say that a sign-in was somebody else's, likewise. */
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/not-me',
    component: lazyRouteComponent(() => import('./NotMePage.tsx'), 'NotMePage'),
  }),
  /** For accounts that must choose a new password before they can do anything else. */
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/new-password',
    validateSearch: (raw: Record<string, unknown>) => returnSchema.parse(raw),
    beforeLoad: () => {
      const session = readSession()
      if (!session) throw redirect({ to: '/login', replace: true })
      if (!session.me.mustChangePassword) throw redirect({ to: LANDING, replace: true })
    },
    component: lazyRouteComponent(() => import('./ChangePasswordPage.tsx'), 'ChangePasswordPage'),
  }),
] as const
