import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'

export const importRoutes = [
  page({
    path: '/offices/import',
    title: 'Import Offices',
    ability: 'offices.create',
    component: lazyRouteComponent(() => import('./ImportPage.tsx'), 'ImportOfficesPage'),
  }),
  page({
    path: '/agents/import',
    title: 'Import Agents',
    ability: 'agents.create',
    component: lazyRouteComponent(() => import('./ImportPage.tsx'), 'ImportAgentsPage'),
  }),
] as const
