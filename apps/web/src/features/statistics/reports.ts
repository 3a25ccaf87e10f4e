import { type StatsTable, type StatsTableName, statsTables } from '@tallyroom/contract/stats-table'
import type { Day } from '@tallyroom/domain/new-york'
import { periodOf, type DateRange } from '@tallyroom/domain/periods'

/** One of the statistics pages: its table, and where it stands. */
export interface StatsReport extends StatsTable {
  name: StatsTableName
  path: StatsPath
  /** The name of its amounts for the call that explains them; without one they can't be opened. */
  explains?: 'payroll' | 'payrollAvp'
}

type StatsPath =
  | '/app/stats/sites'
  | '/app/stats/sites-avp'
  | '/app/stats/sites-payout'
  | '/app/stats/sites-payout-avp'

export const sitesReport: StatsReport = {
  name: 'sites',
  path: '/app/stats/sites',
  ...statsTables.sites,
}

export const sitesAvpReport: StatsReport = {
  name: 'avp',
  path: '/app/stats/sites-avp',
  ...statsTables.avp,
}

export const payrollReport: StatsReport = {
  name: 'payroll',
  path: '/app/stats/sites-payout',
  explains: 'payroll',
  ...statsTables.payroll,
}

export const payrollAvpReport: StatsReport = {
  name: 'payrollAvp',
  path: '/app/stats/sites-payout-avp',
  explains: 'payrollAvp',
  ...statsTables.payrollAvp,
}

/** The days of a visit that names none: the week under way, or the last whole one where tiers are by week. */
export function defaultRange({ isWeekly }: StatsReport, today: Day): DateRange {
  const { start, end } = periodOf(today, 'week', isWeekly ? 1 : 0)
  return { start, end }
}
