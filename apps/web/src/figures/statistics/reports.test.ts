import { groupings, hasColumn, statsGroupings } from '@tallyroom/contract/figures/stats-table'
import { statisticsEndpoints } from '@tallyroom/contract/figures/statistics'
import { periodOf } from '@tallyroom/domain/periods'
import { expect, test } from 'vitest'
import {
  defaultSearch,
  firstCall,
  payrollAvpReport,
  payrollReport,
  sitesAvpReport,
  sitesReport,
} from './stats-search.ts'

const reports = [sitesReport, sitesAvpReport, payrollReport, payrollAvpReport]

test.each(statsGroupings)('the view by %s is sorted by a column that it has', (groupBy) => {
  expect(hasColumn(sitesReport, groupBy, groupings[groupBy].sort.sortField)).toBe(true)
})

test.each(reports.map((report) => [report.title, report] as const))(
  '%s opens by a view that it offers',
  (_, report) => {
    expect(report.views).toContain(report.defaultView)
  },
)

test.each([
  [sitesReport, statisticsEndpoints.siteStats],
  [sitesAvpReport, statisticsEndpoints.avpStats],
  [payrollReport, statisticsEndpoints.payroll],
  [payrollAvpReport, statisticsEndpoints.payrollAvp],
])('$title is asked for where it is answered', (report, { path }) => {
  const viewer = { role: 'superadmin', permissions: [] } as const
  const days = { start: '2026-11-02', end: '2026-11-08' } as const
  expect(firstCall(days, report, viewer)?.url).toBe(path)
  expect(firstCall({ start: '2026-11-02' }, sitesReport, viewer)).toBeUndefined()
})

// The first and last day of a year, a leap day, and both days on which the clocks change.
const days = ['2026-01-01', '2026-12-31', '2028-02-29', '2027-03-14', '2026-11-01'] as const

test.each(
  days.flatMap((day) =>
    reports
      .filter((report) => report !== payrollReport)
      .map((report) => [report.title, day, report] as const),
  ),
)('%s on %s shows whole weeks: those that are over where tiers are by week', (_, day, report) => {
  const isByTiers = report === sitesAvpReport || report === payrollAvpReport
  const { start, end } = periodOf(day, 'week', isByTiers ? 1 : 0)
  expect(defaultSearch(report, day)).toEqual({ start, end })
  expect(end < day).toBe(isByTiers)
})

test.each([
  ['2026-11-22', '2026-11-01', '2026-11-15'],
  ['2026-11-01', '2026-10-16', '2026-10-31'],
  ['2028-03-15', '2028-02-16', '2028-02-29'],
])('Payroll on %s opens on the last finished half-month by agent', (day, start, end) => {
  expect(defaultSearch(payrollReport, day)).toEqual({ start, end, groupBy: 'agent' })
})
