import { statsCriteriaSchema, type StatsCriteria } from '@tallyroom/contract/statistics'
import { addDays, addMonths, type Day, lastDayOfMonth, monthOf } from '@tallyroom/domain/new-york'

export type Question = {
  name: string
  /** What the page asks; most questions are one call. */
  asks: StatsCriteria[]
}

/** What people ask of the statistics pages, from the quickest to the slowest, relative to `today`. */
export function questionsOf(today: Day): Question[] {
  const thisMonth = monthOf(today)
  const lastMonth = addMonths(thisMonth, -1)
  const month = { start: lastMonth, end: lastDayOfMonth(lastMonth) }
  const year = { start: addMonths(thisMonth, -12), end: month.end }
  const midMonth = { start: addDays(year.start, 14), end: addDays(month.end, -12) }
  const firstHalf = { start: lastMonth, end: addDays(lastMonth, 14) }
  const secondHalf = { start: addDays(lastMonth, 15), end: month.end }
  const allTime = { start: addDays(today, -399), end: today }
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
  ]
}

const question = (name: string, ...asks: Record<string, unknown>[]): Question => ({
  name,
  asks: asks.map((criteria) => statsCriteriaSchema.parse(criteria)),
})
