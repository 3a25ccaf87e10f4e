import type { StatsGrouping } from '@tallyroom/contract/list-choices'
import type { AvpStep, Dimension, TotalsQuestion } from '../../totals/index.ts'
import type { ReportColumn } from './reports.ts'
import { keysOf, type RowKey } from './stats-parts.ts'

/** What a page of statistics asks of the totals. */
export type StatsQuestion = Pick<TotalsQuestion, 'range' | 'filter' | 'today'> & {
  groupBy: StatsGrouping
  /** The link types with a count column of their own. */
  typeIds: readonly number[]
  /** Whether they also have a column of what their sales pay, at the rates of the sales. */
  typePayouts?: boolean
  /** The AVP tiers of the range, where rows have theirs. */
  steps?: readonly AvpStep[]
  sort: { column: ReportColumn | number; ascending: boolean }
}

/** The totals that its rows are summed up from. */
export function totalsQuestion(question: StatsQuestion): TotalsQuestion {
  const keys: readonly (keyof RowKey)[] = keysOf[question.groupBy]
  return {
    range: question.range,
    filter: question.filter,
    today: question.today,
    dimensions: [
      ...keys.filter((key): key is 'office_id' | 'agent_id' => key !== 'day'),
      ...typeDimension(question),
    ],
    byDay: keys.includes('day'),
  }
}

/** Whether link types are to be told apart, as a dimension of the totals. */
export const typeDimension = ({ typeIds }: StatsQuestion): Dimension[] =>
  typeIds.length > 0 ? ['type_id'] : []
