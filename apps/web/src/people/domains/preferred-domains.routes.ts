import { sortFields } from '@tallyroom/contract/list-choices'
import { lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { page } from '../../lib/pages/page.ts'
import { listSearch } from '../../ui/list/list-state.ts'

export const preferredDomainsRoutes = [
  page({
    path: '/offices/domains',
    title: 'Domains',
    ability: 'domains.manage',
    search: z.object(listSearch(sortFields.domains)),
    component: lazyRouteComponent(() => import('./DomainsPage.tsx'), 'DomainsPage'),
  }),
  page({
    path: '/offices/domains/create',
    title: 'Add Preferred Domain',
    ability: 'domains.manage',
    component: lazyRouteComponent(() => import('./DomainFormPage.tsx'), 'CreateDomainPage'),
  }),
  page({
    path: '/offices/domains/$id',
    title: 'Preferred Domain',
    ability: 'domains.manage',
    component: lazyRouteComponent(() => import('./DomainFormPage.tsx'), 'EditDomainPage'),
  }),
] as const
