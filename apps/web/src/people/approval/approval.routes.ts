import { sortFields } from '@tallyroom/contract/list-choices'
import { lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { page } from '../../lib/pages/page.ts'
import { listSearch } from '../../ui/list/list-state.ts'

export const approvalRoutes = [
  page({
    path: '/unapprove',
    title: 'New Agents',
    tab: 'Approve Agents',
    ability: 'agents.approve',
    search: z.object(listSearch(sortFields.unapproved)),
    component: lazyRouteComponent(() => import('./ApprovalPage.tsx'), 'ApprovalPage'),
  }),
] as const
