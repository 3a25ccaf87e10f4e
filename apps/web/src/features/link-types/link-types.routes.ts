import { sortFields } from '@tallyroom/contract/list-choices'
import { lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { page } from '../../lib/page.ts'
import { listSearch } from '../../ui/list/list-state.ts'

/** The list's state in the URL. */
export const linkTypesSearch = z.object(
  listSearch([...sortFields.linkTypes, ...sortFields.linkTypesStaff]),
)

export type LinkTypesSearch = z.output<typeof linkTypesSearch>

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
