import type { PerformanceRow } from '@tallyroom/contract/figures/office-performance'
import type { AmountQuestion } from '@tallyroom/contract/figures/explain'
import { formatCount } from '@tallyroom/domain/money'
import { type DateRange, rangeInWords } from '@tallyroom/domain/periods'
import { progress } from '@tallyroom/domain/ratios'
import type { ReactNode } from 'react'
import { Amount } from '../../ui/text/Amount.tsx'
import { Progress } from '../../shared/boards/Progress.tsx'
import { OfficeLink } from '../../ui/ObjectLink.tsx'
import type { ListColumn, TotalsRow } from '../../ui/list/columns.ts'
import classes from './performance-columns.module.css'

type SalesOf = (companyId: number | undefined, period: 1 | 2) => AmountQuestion | undefined

/**
 * @param rows Those of the table: the bars behind their sales have a common scale.
 * @param sales What an office's sales in a period are; undefined for those who may not ask.
 * @param toDate The days of period 2 that an unfinished period 1 is measured against; undefined once it is over.
 */
export const performanceColumns = (
  rows: readonly PerformanceRow[],
  sales: SalesOf,
  toDate: DateRange | undefined,
): readonly ListColumn<PerformanceRow>[] => [
  {
    id: 'name',
    header: 'Office',
    card: 'title',
    sortField: 'name',
    fixed: true,
    cell: ({ id, name }) => <OfficeLink id={id}>{name}</OfficeLink>,
  },
  {
    id: 'sales1',
    header: 'Sales period 1',
    card: 'money',
    sortField: 'sales1',
    numeric: true,
    cell: ({ id, sales1 }) => (
      <Bar share={shareOf(sales1, rows)}>
        <Amount of={sales(id, 1)} label="Sales period 1">
          {formatCount(sales1)}
        </Amount>
      </Bar>
    ),
  },
  {
    id: 'sales2',
    header: 'Sales period 2',
    sortField: 'sales2',
    numeric: true,
    cell: ({ id, sales2 }) => (
      <Bar share={shareOf(sales2, rows)}>
        <Amount of={sales(id, 2)} label="Sales period 2">
          {formatCount(sales2)}
        </Amount>
      </Bar>
    ),
  },
  {
    id: 'progress',
    header: 'Progress',
    card: 'money',
    note: 'By how many percent the sales of period 1 exceed those of period 2',
    sortField: 'progress',
    numeric: true,
    cell: (row) => <Progress percent={row.progress} unfinished={toDate !== undefined} />,
  },
  ...(toDate
    ? [
        {
          id: 'growth',
          header: 'Growth to date',
          note: `Compared with as many days of period 2: ${rangeInWords(toDate)}`,
          numeric: true,
          cell: (row: PerformanceRow) => <Progress percent={row.growth} />,
        },
      ]
    : []),
]

/** A bar behind a figure. */
const Bar = ({ share, children }: { share: number; children: ReactNode }) => (
  <span className={classes.bar} style={{ backgroundSize: `${share * 100}% 100%` }}>
    {children}
  </span>
)

/** From 0 to 1: of the most sales of an office in either period. */
const shareOf = (sales: number, rows: readonly PerformanceRow[]): number =>
  sales / Math.max(1, sales, ...rows.flatMap(({ sales1, sales2 }) => [sales1, sales2]))

/** All offices together. A single one needs no total. */
export function performanceTotals(
  rows: readonly PerformanceRow[],
  sales: SalesOf,
  isUnfinished: boolean,
): TotalsRow[] {
  if (rows.length < 2) return []
  const sales1 = rows.reduce((sum, row) => sum + row.sales1, 0)
  const sales2 = rows.reduce((sum, row) => sum + row.sales2, 0)
  const toDate = rows.reduce((sum, row) => sum + row.sales2ToDate, 0)
  return [
    {
      id: 'all',
      label: 'All offices',
      cells: {
        sales1: (
          <Amount of={sales(undefined, 1)} label="Sales period 1, all offices">
            {formatCount(sales1)}
          </Amount>
        ),
        sales2: (
          <Amount of={sales(undefined, 2)} label="Sales period 2, all offices">
            {formatCount(sales2)}
          </Amount>
        ),
        progress: <Progress percent={progress(sales1, sales2)} unfinished={isUnfinished} />,
        growth: <Progress percent={progress(sales1, toDate)} />,
      },
    },
  ]
}
