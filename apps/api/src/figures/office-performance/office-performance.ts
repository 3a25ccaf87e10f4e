import type { sortFields } from '@tallyroom/contract/list-choices'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import type {
  officePerformanceEndpoints,
  PerformanceRow,
} from '@tallyroom/contract/figures/office-performance'
import type { Day } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import { progress } from '@tallyroom/domain/ratios'
import { everything, scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { readTotals, type TotalsDatabases } from '../../totals/index.ts'
import { findOfficeSales, type OfficeSalesRow } from './office-performance.queries.ts'

type Comparison = RequestOf<typeof officePerformanceEndpoints.officePerformance>['body']

/** Two periods side by side (specification 2, Office Performance). An office sees only itself. */
export async function officePerformance(
  databases: TotalsDatabases,
  viewer: Viewer,
  { period1, period2, sortField, sortAsc }: Comparison,
): Promise<PerformanceRow[]> {
  const scope = scopeOf(viewer)
  const rows = await readTotals(
    databases,
    (tx, today) => findOfficeSales(tx, scope, { period1, period2, today }),
    { scope, until: period1.end > period2.end ? period1.end : period2.end },
  )
  return sorted(rows.map(withProgress), sortField, sortAsc)
}

/**
 * The offices that sold in the current half-month, best first, compared with the whole half-month before. The figures
 * are those of Office Performance for these periods. Ties go to who joined first.
 */
export async function officeRanking(tx: Tx, today: Day): Promise<PerformanceRow[]> {
  const rows = await findOfficeSales(tx, everything(), {
    period1: periodOf(today, 'beWeek'),
    period2: periodOf(today, 'beWeek', 1),
    today,
  })
  const sellers = rows.filter(({ sales1 }) => sales1 > 0)
  return sellers.map(withProgress).toSorted((a, b) => b.sales1 - a.sales1 || a.id - b.id)
}

const withProgress = (row: OfficeSalesRow): PerformanceRow => ({
  ...row,
  progress: progress(row.sales1, row.sales2),
  growth: progress(row.sales1, row.sales2ToDate),
})

/** Sorts rows that are already ordered by name. Ties keep that order in both directions. */
function sorted(
  rows: readonly PerformanceRow[],
  field: (typeof sortFields.officePerformance)[number],
  ascending: boolean,
): PerformanceRow[] {
  if (field === 'name') return ascending ? [...rows] : rows.toReversed()
  const sign = ascending ? 1 : -1
  return rows.toSorted((a, b) => sign * (a[field] - b[field]))
}
