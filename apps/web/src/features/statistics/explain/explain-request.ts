import { explainRequestSchema, type ExplainRequest } from '@tallyroom/contract/stats-explain'
import type { StatsCriteria, StatsReport } from '../stats-search.ts'
import type { ExplainedAmount } from './explain-search.ts'

/** How many parts the drawer shows at a time. */
export const PARTS_PAGE_SIZE = 25

interface Explained {
  report: StatsReport
  criteria: StatsCriteria
  amount: ExplainedAmount
  /** The page of the parts, from 1. */
  page: number
}

/** The request for an explanation; undefined if a pasted link names an amount that the report lacks. */
export function explainRequestOf(explained: Explained): ExplainRequest | undefined {
  const { report, criteria, amount, page } = explained
  // The grouping does not matter: the row's key says which figures it covers.
  const { groupBy: _, ...filters } = criteria
  return explainRequestSchema.safeParse({
    report: report.explains,
    criteria: filters,
    row: amount.row,
    column: amount.column,
    page,
    pageSize: PARTS_PAGE_SIZE,
  }).data
}
