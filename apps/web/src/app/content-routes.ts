import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { howToSellSearchSchema } from '../features/how-to-sell/how-to-sell-search.ts'
import { siteManualsSearchSchema } from '../features/site-manuals/site-manuals-search.ts'
import { readBrand } from '../lib/brand.ts'
import { appRoute, needs } from './app-route.ts'
import { LANDING } from './menu.ts'

type Raw = Record<string, unknown>

/** Brands without manuals have none of their pages. */
const needsManuals = (ability: 'manuals.manage' | 'how-to-sell.view') => () => {
  if (!readBrand().flags.howToSell) throw redirect({ to: LANDING, replace: true })
  return needs(ability)()
}

const siteManualsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/site-manuals',
  staticData: { title: 'Site Manuals' },
  validateSearch: (raw: Raw) => siteManualsSearchSchema.parse(raw),
  beforeLoad: needsManuals('manuals.manage'),
  component: lazyRouteComponent(
    () => import('../features/site-manuals/SiteManualsPage.tsx'),
    'SiteManualsPage',
  ),
})

const createSiteManualRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/site-manuals/create',
  staticData: { title: 'Add Site Manual' },
  beforeLoad: needsManuals('manuals.manage'),
  component: lazyRouteComponent(
    () => import('../features/site-manuals/SiteManualFormPage.tsx'),
    'CreateSiteManualPage',
  ),
})

const editSiteManualRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/site-manuals/edit/$id',
  staticData: { title: 'Update Site Manual' },
  beforeLoad: needsManuals('manuals.manage'),
  component: lazyRouteComponent(
    () => import('../features/site-manuals/SiteManualFormPage.tsx'),
    'EditSiteManualPage',
  ),
})

const howToSellRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/how-to-sell',
  staticData: { title: 'How to sell' },
  validateSearch: (raw: Raw) => howToSellSearchSchema.parse(raw),
  beforeLoad: needsManuals('how-to-sell.view'),
  component: lazyRouteComponent(
    () => import('../features/how-to-sell/HowToSellPage.tsx'),
    'HowToSellPage',
  ),
})

const newsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/news',
  beforeLoad: () => {
    throw redirect({ to: '/app/news/edit', replace: true })
  },
})

const editNewsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/news/edit',
  staticData: { title: 'Edit News' },
  beforeLoad: needs('news.edit'),
  component: lazyRouteComponent(() => import('../features/announcements/NewsPage.tsx'), 'NewsPage'),
})

const editAlertRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/news/alerts',
  staticData: { title: 'Edit Alert' },
  beforeLoad: needs('alerts.edit'),
  component: lazyRouteComponent(
    () => import('../features/announcements/AlertPage.tsx'),
    'AlertPage',
  ),
})

/** Manuals, news and the alert: what superadmins write and others read. */
export const contentRoutes = [
  siteManualsRoute,
  createSiteManualRoute,
  editSiteManualRoute,
  howToSellRoute,
  newsRoute,
  editNewsRoute,
  editAlertRoute,
] as const
