import { lazyRouteComponent } from '@tanstack/react-router'
import { leadsTo, page } from '../../lib/pages/page.ts'
import { officesPageSearchSchema } from './offices-search.ts'

export const officesRoutes = [
  leadsTo('/offices', '/app/offices/offices'),
  page({
    path: '/offices/offices',
    title: 'Offices',
    ability: 'offices.view',
    search: officesPageSearchSchema,
    component: lazyRouteComponent(() => import('./OfficesPage.tsx'), 'OfficesPage'),
  }),
  page({
    path: '/offices/create',
    title: 'Add Office',
    ability: 'offices.create',
    component: lazyRouteComponent(() => import('./OfficeFormPage.tsx'), 'CreateOfficePage'),
  }),
  page({
    path: '/offices/edit/$companyId',
    title: 'Update Office',
    ability: 'offices.edit',
    component: lazyRouteComponent(() => import('./OfficeFormPage.tsx'), 'EditOfficePage'),
  }),
] as const
