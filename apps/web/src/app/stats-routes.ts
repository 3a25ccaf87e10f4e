import { dayOf } from '@tallyroom/domain/new-york'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { defaultRange, sitesReport, type StatsReport } from '../features/statistics/reports.ts'
import { statsSearchSchema, type StatsSearch } from '../features/statistics/stats-search.ts'
import { appRoute, needs } from './app-route.ts'

const statsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/stats',
  beforeLoad: () => {
    throw redirect({ to: '/app/stats/sites', replace: true })
  },
})

const siteStatsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/stats/sites',
  staticData: { title: sitesReport.title },
  validateSearch: (raw: Record<string, unknown>) => statsSearchSchema.parse(raw),
  beforeLoad: ({ search }) => {
    needs('stats.view')()
    nameDays(sitesReport, search)
  },
  component: lazyRouteComponent(
    () => import('../features/statistics/SitesStatsPage.tsx'),
    'SitesStatsPage',
  ),
})

/** The pages of the Stats area. */
export const statsRoutes = [statsRoute, siteStatsRoute] as const

/** The days are named in the URL, so that the link still shows the same next week. */
function nameDays(report: StatsReport, search: StatsSearch) {
  if (search.start !== undefined || search.end !== undefined) return
  throw redirect({
    to: report.path,
    search: { ...search, ...defaultRange(report, dayOf(Date.now())) },
    replace: true,
  })
}
