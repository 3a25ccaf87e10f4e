import { dayOf } from '@tallyroom/domain/new-york'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import {
  chartsSearchSchema,
  defaultPeriods,
  performanceSearchSchema,
} from '../features/office-performance/office-performance-search.ts'
import { defaultTopDays, topAgentsSearchSchema } from '../features/top-agents/top-agents-search.ts'
import { inTime } from '../lib/in-time.ts'
import { appRoute, needs } from './app-route.ts'
import { queryClient } from './query-client.ts'

type Raw = Record<string, unknown>

const homeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/home',
  staticData: { title: 'Home' },
  loader: async () => {
    const { loadHome } = await import('../features/dashboard/load-home.ts')
    return inTime(loadHome(queryClient))
  },
  component: lazyRouteComponent(() => import('../features/dashboard/HomePage.tsx'), 'HomePage'),
})

const topAgentsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/stats/top-agents',
  staticData: { title: 'Top Agents' },
  validateSearch: (raw: Raw) => topAgentsSearchSchema.parse(raw),
  beforeLoad: ({ search }) => {
    const access = needs('stats.top-agents')()
    // The days are named in the URL, so that the link still shows the same next week.
    if (search.start === undefined && search.end === undefined)
      throw redirect({
        to: '/app/stats/top-agents',
        search: { ...search, ...defaultTopDays(dayOf(Date.now())) },
        replace: true,
      })
    return access
  },
  component: lazyRouteComponent(
    () => import('../features/top-agents/TopAgentsPage.tsx'),
    'TopAgentsPage',
  ),
})

const officePerformanceRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/stats/office-performance',
  staticData: { title: 'Office Performance' },
  validateSearch: (raw: Raw) => performanceSearchSchema.parse(raw),
  beforeLoad: ({ search }) => {
    const access = needs('stats.performance')()
    const { start1, end1, start2, end2 } = search
    if ([start1, end1, start2, end2].every((day) => day === undefined))
      throw redirect({
        to: '/app/stats/office-performance',
        search: { ...search, ...defaultPeriods(dayOf(Date.now())) },
        replace: true,
      })
    return access
  },
  component: lazyRouteComponent(
    () => import('../features/office-performance/OfficePerformancePage.tsx'),
    'OfficePerformancePage',
  ),
})

const officeChartsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/stats/office-performance-chart',
  staticData: { title: 'Office Performance Charts' },
  validateSearch: (raw: Raw) => chartsSearchSchema.parse(raw),
  beforeLoad: needs('stats.performance'),
  component: lazyRouteComponent(
    () => import('../features/office-performance/OfficeChartsPage.tsx'),
    'OfficeChartsPage',
  ),
})

const howFiguresWorkRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/stats/how-figures-work',
  staticData: { title: 'How the figures work' },
  beforeLoad: needs('stats.view'),
  component: lazyRouteComponent(
    () => import('../features/how-figures-work/HowFiguresWorkPage.tsx'),
    'HowFiguresWorkPage',
  ),
})

/** Home, and the boards and comparisons of the Stats area. */
export const boardRoutes = [
  homeRoute,
  topAgentsRoute,
  officePerformanceRoute,
  officeChartsRoute,
  howFiguresWorkRoute,
] as const
