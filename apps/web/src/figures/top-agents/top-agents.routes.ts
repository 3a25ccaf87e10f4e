import { dayOf } from '@tallyroom/domain/new-york'
import { lazyRouteComponent, redirect } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'
import { defaultTopDays, topAgentsSearchSchema } from './top-agents-search.ts'

export const topAgentsRoutes = [
  page({
    path: '/stats/top-agents',
    title: 'Top Agents',
    ability: 'stats.top-agents',
    search: topAgentsSearchSchema,
    // The days are named in the URL, so that the link still shows the same next week.
    complete: (search) => {
      if (search.start !== undefined || search.end !== undefined) return
      throw redirect({
        to: '/app/stats/top-agents',
        search: { ...search, ...defaultTopDays(dayOf(Date.now())) },
        replace: true,
      })
    },
    component: lazyRouteComponent(() => import('./TopAgentsPage.tsx'), 'TopAgentsPage'),
  }),
] as const
