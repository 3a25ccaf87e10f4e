import type { Ability } from '@tallyroom/domain/abilities'
import { dayOf } from '@tallyroom/domain/new-york'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import {
  defaultRange,
  payrollAvpReport,
  payrollReport,
  sitesAvpReport,
  sitesReport,
  type StatsReport,
} from '../features/statistics/reports.ts'
import { savedRange } from '../features/statistics/saved-range.ts'
import { statsSearchSchema, type StatsSearch } from '../features/statistics/stats-search.ts'
import { appRoute, needs } from './app-route.ts'

type Raw = Record<string, unknown>

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
  validateSearch: (raw: Raw) => statsSearchSchema.parse(raw),
  beforeLoad: opening(sitesReport, 'stats.view'),
  component: lazyRouteComponent(
    () => import('../features/statistics/StatsPage.tsx'),
    'SitesStatsPage',
  ),
})

const sitesAvpRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/stats/sites-avp',
  staticData: { title: sitesAvpReport.title },
  validateSearch: (raw: Raw) => statsSearchSchema.parse(raw),
  beforeLoad: opening(sitesAvpReport, 'stats.avp'),
  component: lazyRouteComponent(
    () => import('../features/statistics/StatsPage.tsx'),
    'SitesAvpPage',
  ),
})

const payrollRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/stats/sites-payout',
  staticData: { title: payrollReport.title },
  validateSearch: (raw: Raw) => statsSearchSchema.parse(raw),
  beforeLoad: opening(payrollReport, 'stats.payroll'),
  component: lazyRouteComponent(
    () => import('../features/statistics/StatsPage.tsx'),
    'PayrollPage',
  ),
})

const payrollAvpRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/stats/sites-payout-avp',
  staticData: { title: payrollAvpReport.title },
  validateSearch: (raw: Raw) => statsSearchSchema.parse(raw),
  beforeLoad: opening(payrollAvpReport, 'stats.payroll'),
  component: lazyRouteComponent(
    () => import('../features/statistics/StatsPage.tsx'),
    'PayrollAvpPage',
  ),
})

/** The pages of the Stats area. */
export const statsRoutes = [
  statsRoute,
  siteStatsRoute,
  sitesAvpRoute,
  payrollRoute,
  payrollAvpRoute,
] as const

/** The days are named in the URL, so that the link still shows the same next week. */
function opening(report: StatsReport, ability: Ability) {
  return ({ search }: { search: StatsSearch }) => {
    const access = needs(ability)()
    if (access.isClosed || search.start !== undefined || search.end !== undefined) return access
    throw redirect({
      to: report.path,
      search: { ...search, ...(savedRange() ?? defaultRange(report, dayOf(Date.now()))) },
      replace: true,
    })
  }
}
