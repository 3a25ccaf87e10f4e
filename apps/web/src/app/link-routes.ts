import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { linksSearchSchema, translateSearchSchema } from '../features/links/links-search.ts'
import { feesSearchSchema } from '../features/office-fees/fees-search.ts'
import { appRoute, needs } from './app-route.ts'

type Raw = Record<string, unknown>

const linksRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/links',
  beforeLoad: () => {
    throw redirect({ to: '/app/links/links', replace: true })
  },
})

const generateRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/links/links',
  staticData: { title: 'Links generate' },
  validateSearch: (raw: Raw) => linksSearchSchema.parse(raw),
  beforeLoad: needs('links.generate'),
  component: lazyRouteComponent(() => import('../features/links/LinksPage.tsx'), 'LinksPage'),
})

const translateRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/links/links-translate',
  staticData: { title: 'Links translate' },
  validateSearch: (raw: Raw) => translateSearchSchema.parse(raw),
  beforeLoad: needs('links.translate'),
  component: lazyRouteComponent(
    () => import('../features/links/TranslatePage.tsx'),
    'TranslatePage',
  ),
})

const feesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/sites/company-fees',
  staticData: { title: 'Offices custom payments' },
  validateSearch: (raw: Raw) => feesSearchSchema.parse(raw),
  beforeLoad: needs('fees.manage'),
  component: lazyRouteComponent(
    () => import('../features/office-fees/OfficeFeesPage.tsx'),
    'OfficeFeesPage',
  ),
})

/** Agents' tracked links, and what offices are paid for them. */
export const linkRoutes = [linksRoute, generateRoute, translateRoute, feesRoute] as const
