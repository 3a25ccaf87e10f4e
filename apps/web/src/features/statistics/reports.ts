import type { StatsGrouping } from '@tallyroom/contract/list-choices'
import { statsTables, type StatsTableName } from '@tallyroom/contract/stats-table'
import type { Day } from '@tallyroom/domain/new-york'
import { periodOf, type DateRange } from '@tallyroom/domain/periods'

/** One of the statistics pages, as its address, its criteria and its links need to know it. */
export interface StatsReport {
  name: StatsTableName
  path: StatsPath
  title: string
  /** What 'View By' offers, to those who have the view at all. */
  views: readonly [StatsGrouping, ...StatsGrouping[]]
  defaultView: StatsGrouping
  /** The name of its amounts for the call that explains them; without one they can't be opened. */
  explains?: 'payroll' | 'payrollAvp'
}

type StatsPath =
  | '/app/stats/sites'
  | '/app/stats/sites-avp'
  | '/app/stats/sites-payout'
  | '/app/stats/sites-payout-avp'

/*
 * Specification 2, section 2. Where it says of Payroll AVP both that the first view is Agent and that it is
 * Office, it is Office, as the call has it.
 */

export const sitesReport: StatsReport = {
  name: 'sites',
  path: '/app/stats/sites',
  title: statsTables.sites.title,
  views: statsTables.sites.views,
  defaultView: 'detail',
}

export const sitesAvpReport: StatsReport = {
  name: 'avp',
  path: '/app/stats/sites-avp',
  title: statsTables.avp.title,
  views: statsTables.avp.views,
  defaultView: 'detail',
}

export const payrollReport: StatsReport = {
  name: 'payroll',
  path: '/app/stats/sites-payout',
  title: statsTables.payroll.title,
  views: statsTables.payroll.views,
  defaultView: 'detail',
  explains: 'payroll',
}

export const payrollAvpReport: StatsReport = {
  name: 'payrollAvp',
  path: '/app/stats/sites-payout-avp',
  title: statsTables.payrollAvp.title,
  views: statsTables.payrollAvp.views,
  defaultView: 'company',
  explains: 'payrollAvp',
}

/** Whether its figures go by AVP tiers, and so by whole weeks. */
export const isWeekly = ({ name }: StatsReport): boolean => statsTables[name].isWeekly

/** The days of a visit that names none: the week under way, or the last whole one where tiers are by week. */
export function defaultRange(report: StatsReport, today: Day): DateRange {
  const { start, end } = periodOf(today, 'week', isWeekly(report) ? 1 : 0)
  return { start, end }
}
