import { dayOf } from '@tallyroom/domain/new-york'
import { lazyRouteComponent, redirect } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'
import {
  chartsSearchSchema,
  defaultPeriods,
  performanceSearchSchema,
} from './office-performance-search.ts'

export const officePerformanceRoutes = [
  page({
    path: '/stats/office-performance',
    title: 'Office Performance',
    ability: 'stats.performance',
    search: performanceSearchSchema,
    // The days are named in the URL, so that the link still shows the same next week.
    complete: (search) => {
      const { start1, end1, start2, end2 } = search
      if ([start1, end1, start2, end2].some((day) => day !== undefined)) return
      throw redirect({
        to: '/app/stats/office-performance',
        search: { ...search, ...defaultPeriods(dayOf(Date.now())) },
        replace: true,
      })
    },
    component: lazyRouteComponent(
      () => import('./OfficePerformancePage.tsx'),
      'OfficePerformancePage',
    ),
  }),
  page({
    path: '/stats/office-performance-chart',
    title: 'Office Performance Charts',
    ability: 'stats.performance',
    search: chartsSearchSchema,
    component: lazyRouteComponent(() => import('./OfficeChartsPage.tsx'), 'OfficeChartsPage'),
  }),
] as const
