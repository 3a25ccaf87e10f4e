import {
  payrollAvpCriteriaSchema,
  payrollCriteriaSchema,
  statsCriteriaSchema,
} from '@tallyroom/contract/figures/statistics'
import { addDays, addMonths, type Day, lastDayOfMonth, monthOf } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import type { StatsTableName } from '@tallyroom/contract/figures/stats-table'
import type { ReportCriteria } from '../apps/api/src/figures/statistics/report-criteria.ts'

export type Question = {
  name: string
  report: StatsTableName
  /** The page's calls; usually one. */
  asks: ReportCriteria[]
}

/** Typical queries of the statistics pages, from fastest to slowest, relative to `today`. */
export function questionsOf(today: Day): Question[] {
  const thisMonth = monthOf(today)
  const lastMonth = addMonths(thisMonth, -1)
  const month = { start: lastMonth, end: lastDayOfMonth(lastMonth) }
  const year = { start: addMonths(thisMonth, -12), end: month.end }
  const midMonth = { start: addDays(year.start, 14), end: addDays(month.end, -12) }
  const firstHalf = { start: lastMonth, end: addDays(lastMonth, 14) }
  const secondHalf = { start: addDays(lastMonth, 15), end: month.end }
  const allTime = { start: addDays(today, -399), end: today }
  const lastWeek = periodOf(today, 'week', 1)
  const week = { start: lastWeek.start, end: lastWeek.end }
  const weeks = { start: addDays(week.start, -51 * 7), end: week.end }
  return [
    question('a month by date, one office', { groupBy: 'date', companyId: 17, ...month }),
    question('a year by office', { groupBy: 'company', ...year }),
    question('a year by agent', { groupBy: 'agent', ...year }),
    question('a year by agent, one site', { groupBy: 'agent', siteId: 7, ...year }),
    question('a year by agent, mid-month', { groupBy: 'agent', ...midMonth }),
    question('a month in detail', { groupBy: 'detail', ...month }),
    question(
      'two periods by office',
      { groupBy: 'company', ...firstHalf },
      { groupBy: 'company', ...secondHalf },
    ),
    question('top 10 agents of all time', {
      groupBy: 'agent',
      sortField: 'sales',
      sortAsc: false,
      pageSize: 10,
      ...allTime,
    }),
    question('a year by link type', { groupBy: 'type', ...year }),
    ofReport('payroll', 'payroll: a half-month by office', { groupBy: 'company', ...firstHalf }),
    ofReport('payroll', 'payroll: the same, one site', {
      groupBy: 'company',
      siteId: 9,
      ...firstHalf,
    }),
    ofReport('payrollAvp', 'AVP: a week by office', { ...week }),
    ofReport('payrollAvp', 'AVP: a week by agent', { groupBy: 'agent', ...week }),
    ofReport('payrollAvp', 'AVP: a week by agent, one tier', { groupBy: 'agent', avp: 2, ...week }),
    ofReport('payrollAvp', 'AVP: a year by office', { ...weeks }),
    ofReport('payrollAvp', 'AVP: a year by agent', { groupBy: 'agent', ...weeks }),
    ofReport('payrollAvp', 'AVP: a year by date', { groupBy: 'date', ...weeks }),
    ofReport('payrollAvp', 'AVP: a year by agent, one site', {
      groupBy: 'agent',
      siteId: 9,
      ...weeks,
    }),
    ofReport('payrollAvp', 'AVP: a year by office, one tier', { avp: 2, ...weeks }),
    ofReport('payrollAvp', 'AVP: a year by agent, one tier', {
      groupBy: 'agent',
      avp: 2,
      ...weeks,
    }),
  ]
}

const question = (name: string, ...asks: Record<string, unknown>[]): Question => ({
  name,
  report: 'sites',
  asks: asks.map((criteria) => statsCriteriaSchema.parse(criteria)),
})

const ofReport = (
  report: 'payroll' | 'payrollAvp',
  name: string,
  criteria: Record<string, unknown>,
): Question => {
  const schema = report === 'payroll' ? payrollCriteriaSchema : payrollAvpCriteriaSchema
  return { name, report, asks: [schema.parse(criteria)] }
}
