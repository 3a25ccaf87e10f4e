import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'
import { linkTypesSearch } from './link-types-search.ts'

export const linkTypesRoutes = [
  page({
    path: '/sites/$siteId/types',
    title: 'Link Types',
    ability: 'link-types.view',
    search: linkTypesSearch,
    component: lazyRouteComponent(() => import('./LinkTypesPage.tsx'), 'LinkTypesPage'),
  }),
  page({
    path: '/sites/$siteId/types/create',
    title: 'Add Link',
    ability: 'link-types.manage',
    component: lazyRouteComponent(() => import('./LinkTypeFormPage.tsx'), 'CreateLinkTypePage'),
  }),
  page({
    path: '/sites/$siteId/types/edit/$id',
    title: 'Update Link',
    ability: 'link-types.manage',
    component: lazyRouteComponent(() => import('./LinkTypeFormPage.tsx'), 'EditLinkTypePage'),
  }),
] as const
