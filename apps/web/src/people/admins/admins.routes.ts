import { sortFields } from '@tallyroom/contract/list-choices'
import { lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { page } from '../../lib/pages/page.ts'
import { listSearch } from '../../ui/list/list-state.ts'

export const adminsRoutes = [
  page({
    path: '/admins',
    title: 'Admins',
    ability: 'admins.manage',
    search: z.object(listSearch(sortFields.admins)),
    component: lazyRouteComponent(() => import('./AdminsPage.tsx'), 'AdminsPage'),
  }),
  page({
    path: '/admins/create',
    title: 'Add Admin',
    ability: 'admins.manage',
    component: lazyRouteComponent(() => import('./AdminFormPage.tsx'), 'CreateAdminPage'),
  }),
  page({
    path: '/admins/edit/$id',
    title: 'Update Admin',
    ability: 'admins.manage',
    component: lazyRouteComponent(() => import('./AdminFormPage.tsx'), 'EditAdminPage'),
  }),
] as const
