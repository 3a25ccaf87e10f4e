import { dayOf } from '@tallyroom/domain/new-york'
import { lazyRouteComponent, redirect } from '@tanstack/react-router'
import { leadsTo, page } from '../../lib/pages/page.ts'
import {
  defaultSearch,
  firstCall,
  payrollAvpReport,
  payrollReport,
  savedRange,
  sitesAvpReport,
  sitesReport,
  statsSearchSchema,
  type StatsReport,
  type StatsSearch,
} from './stats-search.ts'

/** Puts the days into the URL, so that a link shows the same figures next week. */
const nameDays = (report: StatsReport) => (search: StatsSearch) => {
  if (search.start !== undefined || search.end !== undefined) return
  const standard = defaultSearch(report, dayOf(Date.now()))
  throw redirect({
    to: report.path,
    search: {
      ...search,
      ...standard,
      groupBy: search.groupBy ?? standard.groupBy,
      ...(report.pays !== 'rates' && savedRange()),
    },
    replace: true,
  })
}

export const statisticsRoutes = [
  leadsTo('/stats', '/app/stats/sites'),
  page({
    path: '/stats/sites',
    title: sitesReport.title,
    tab: 'Sites',
    ability: sitesReport.ability,
    search: statsSearchSchema,
    complete: nameDays(sitesReport),
    asks: (search, me) => firstCall(search, sitesReport, me),
    component: lazyRouteComponent(() => import('./StatsPage.tsx'), 'SitesStatsPage'),
  }),
  page({
    path: '/stats/sites-avp',
    title: sitesAvpReport.title,
    tab: 'Sites AVP',
    ability: sitesAvpReport.ability,
    search: statsSearchSchema,
    complete: nameDays(sitesAvpReport),
    asks: (search, me) => firstCall(search, sitesAvpReport, me),
    component: lazyRouteComponent(() => import('./StatsPage.tsx'), 'SitesAvpPage'),
  }),
  page({
    path: '/stats/sites-payout',
    title: payrollReport.title,
    tab: 'Payroll',
    ability: payrollReport.ability,
    search: statsSearchSchema,
    complete: nameDays(payrollReport),
    asks: (search, me) => firstCall(search, payrollReport, me),
    component: lazyRouteComponent(() => import('./StatsPage.tsx'), 'PayrollPage'),
  }),
  page({
    path: '/stats/sites-payout-avp',
    title: payrollAvpReport.title,
    tab: 'Payroll AVP',
    ability: payrollAvpReport.ability,
    search: statsSearchSchema,
    complete: nameDays(payrollAvpReport),
    asks: (search, me) => firstCall(search, payrollAvpReport, me),
    component: lazyRouteComponent(() => import('./StatsPage.tsx'), 'PayrollAvpPage'),
  }),
] as const
