import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'
import { siteListSearchSchema } from './site-list-search.ts'

export const siteListRoutes = [
  page({
    path: '/offices/$companyId/$officeName/sites',
    title: 'Office Sites',
    ability: 'offices.view',
    search: siteListSearchSchema,
    component: lazyRouteComponent(() => import('./OfficeSitesPage.tsx'), 'OfficeSitesPage'),
  }),
  page({
    path: '/agents/$agentId/$name/sites',
    title: 'Agent Sites',
    ability: 'agents.view',
    search: siteListSearchSchema,
    component: lazyRouteComponent(() => import('./AgentSitesPage.tsx'), 'AgentSitesPage'),
  }),
] as const
