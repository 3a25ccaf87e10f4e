import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { page } from '../../lib/pages/page.ts'
import { searchInt } from '../../lib/pages/search.ts'
import { agentsPageSearchSchema } from './agents-search.ts'

export const agentsRoutes = [
  page({
    path: '/agents',
    title: 'Agents',
    ability: 'agents.view',
    search: agentsPageSearchSchema,
    component: lazyRouteComponent(() => import('./AgentsPage.tsx'), 'AgentsPage'),
  }),
  page({
    path: '/agents/create',
    title: 'Add Agent',
    ability: 'agents.create',
    // Preselects the office.
    search: z.object({ companyId: searchInt(1, MAX_ID) }),
    component: lazyRouteComponent(() => import('./AgentFormPage.tsx'), 'CreateAgentPage'),
  }),
  page({
    path: '/agents/edit/$agentId',
    title: 'Update Agent',
    ability: 'agents.edit',
    component: lazyRouteComponent(() => import('./AgentFormPage.tsx'), 'EditAgentPage'),
  }),
] as const
