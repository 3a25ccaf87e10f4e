import { explainRequestSchema, type ExplainRequest } from '@tallyroom/contract/stats-explain'
import type { StatsReport } from '../reports.ts'
import type { StatsCriteria } from '../stats-search.ts'
import type { ExplainedAmount } from './explain-search.ts'

/** How many parts the drawer shows at a time. */
export const PARTS_PAGE_SIZE = 25

interface Explained {
  report: StatsReport
  criteria: StatsCriteria
  amount: ExplainedAmount
  /** Of the parts, from 1. */
  page: number
}

/** What the call is asked; undefined for what a pasted link names and no report has. */
export function explainRequestOf(explained: Explained): ExplainRequest | undefined {
  const { report, criteria, amount, page } = explained
  // How rows are grouped is no part of what one of them is made of: its key says that.
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
