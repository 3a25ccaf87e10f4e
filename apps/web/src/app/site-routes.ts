import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { linkTypesPageSearchSchema } from '../features/link-types/link-types-search.ts'
import { postbacksPageSearchSchema } from '../features/postbacks/postbacks-search.ts'
import { sitesPageSearchSchema } from '../features/sites/sites-search.ts'
import { appRoute, needs } from './app-route.ts'

type Raw = Record<string, unknown>

const sitesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/sites',
  beforeLoad: () => {
    throw redirect({ to: '/app/sites/sites', replace: true })
  },
})

const sitesListRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/sites/sites',
  staticData: { title: 'Sites' },
  validateSearch: (raw: Raw) => sitesPageSearchSchema.parse(raw),
  beforeLoad: needs('sites.view'),
  component: lazyRouteComponent(() => import('../features/sites/SitesPage.tsx'), 'SitesPage'),
})

const createSiteRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/sites/create',
  staticData: { title: 'Add Site' },
  beforeLoad: needs('sites.manage'),
  component: lazyRouteComponent(
    () => import('../features/sites/SiteFormPage.tsx'),
    'CreateSitePage',
  ),
})

const editSiteRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/sites/edit/$id',
  staticData: { title: 'Update Site' },
  beforeLoad: needs('sites.manage'),
  component: lazyRouteComponent(() => import('../features/sites/SiteFormPage.tsx'), 'EditSitePage'),
})

const linkTypesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/sites/$siteId/types',
  staticData: { title: 'Link Types' },
  validateSearch: (raw: Raw) => linkTypesPageSearchSchema.parse(raw),
  beforeLoad: needs('link-types.view'),
  component: lazyRouteComponent(
    () => import('../features/link-types/LinkTypesPage.tsx'),
    'LinkTypesPage',
  ),
})

const createLinkTypeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/sites/$siteId/types/create',
  staticData: { title: 'Add Link' },
  beforeLoad: needs('link-types.manage'),
  component: lazyRouteComponent(
    () => import('../features/link-types/LinkTypeFormPage.tsx'),
    'CreateLinkTypePage',
  ),
})

const editLinkTypeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/sites/$siteId/types/edit/$id',
  staticData: { title: 'Update Link' },
  beforeLoad: needs('link-types.manage'),
  component: lazyRouteComponent(
    () => import('../features/link-types/LinkTypeFormPage.tsx'),
    'EditLinkTypePage',
  ),
})

const postbacksRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/sites/postbacks',
  staticData: { title: 'Postbacks' },
  validateSearch: (raw: Raw) => postbacksPageSearchSchema.parse(raw),
  beforeLoad: needs('postbacks.view'),
  component: lazyRouteComponent(
    () => import('../features/postbacks/PostbacksPage.tsx'),
    'PostbacksPage',
  ),
})

/** Sites, their link types, their merchants' postbacks. */
export const siteRoutes = [
  sitesRoute,
  sitesListRoute,
  createSiteRoute,
  editSiteRoute,
  linkTypesRoute,
  createLinkTypeRoute,
  editLinkTypeRoute,
  postbacksRoute,
] as const
