import type { StatsGrouping } from '@tallyroom/contract/statistics'
import type { Day } from '@tallyroom/domain/new-york'
import { periodOf, type DateRange } from '@tallyroom/domain/periods'

/** One of the statistics pages, as its address, its criteria and its title need to know it. */
export interface StatsReport {
  path: StatsPath
  title: string
  /** What 'View By' offers, to those who have the view at all. */
  views: readonly [StatsGrouping, ...StatsGrouping[]]
  defaultView: StatsGrouping
  /** Any days, or one week, Monday to Sunday, under the label of its picker. */
  period: { kind: 'days' } | { kind: 'week'; label: string }
}

export type StatsPath = '/app/stats/sites'

/** Specification 2, section 2, of all four. */
export const sitesReport: StatsReport = {
  path: '/app/stats/sites',
  title: 'Sites Statistics',
  views: ['date', 'company', 'agent', 'detail'],
  defaultView: 'detail',
  period: { kind: 'days' },
}

/** The days of a visit that names none: the week under way, or the last whole one where weeks are paid. */
export function defaultRange({ period }: StatsReport, today: Day): DateRange {
  const { start, end } = periodOf(today, 'week', period.kind === 'week' ? 1 : 0)
  return { start, end }
}
