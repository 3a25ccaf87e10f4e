import { lazyRouteComponent } from '@tanstack/react-router'
import { leadsTo, page } from '../../lib/pages/page.ts'
import { sitesPageSearchSchema } from './sites-search.ts'

export const sitesRoutes = [
  leadsTo('/sites', '/app/sites/sites'),
  page({
    path: '/sites/sites',
    title: 'Sites',
    ability: 'sites.view',
    search: sitesPageSearchSchema,
    component: lazyRouteComponent(() => import('./SitesPage.tsx'), 'SitesPage'),
  }),
  page({
    path: '/sites/create',
    title: 'Add Site',
    ability: 'sites.manage',
    component: lazyRouteComponent(() => import('./SiteFormPage.tsx'), 'CreateSitePage'),
  }),
  page({
    path: '/sites/edit/$id',
    title: 'Update Site',
    ability: 'sites.manage',
    component: lazyRouteComponent(() => import('./SiteFormPage.tsx'), 'EditSitePage'),
  }),
] as const
