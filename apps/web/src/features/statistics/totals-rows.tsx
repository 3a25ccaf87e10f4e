import { groupings, type StatsGrouping } from '@tallyroom/contract/stats-table'
import { overallTotals, type StatsTotals } from '@tallyroom/contract/stats-figures'
import type { SiteStats } from '@tallyroom/contract/statistics'
import { uniqueToSaleLabel } from '@tallyroom/domain/ratios'
import type { TotalsRow } from '../../ui/list/columns.ts'
import { Figure, type FigureColumn } from './stats-columns.tsx'
import { pageTotals } from './stats-totals.ts'
import classes from './totals-rows.module.css'

/** The rows at the bottom: page total, overall total, and how many uniques make a sale. */
export function totalsRows(
  groupBy: StatsGrouping,
  { page, overall, types }: SiteStats,
  figures: readonly FigureColumn[],
  /** The URL search that explains an amount of the overall total. */
  explain: (column: FigureColumn) => object | undefined,
): TotalsRow[] {
  const onPage = pageTotals(page.items, types)
  const onAll = overallTotals(overall)
  return [
    { id: 'page', label: 'Page total', cells: figureCells(onPage, figures) },
    { id: 'overall', label: 'Overall total', cells: figureCells(onAll, figures, explain) },
    {
      id: 'ratio',
      label: RATIO_LABEL,
      cells: {
        // Over the label, so that it may break where its column is narrow.
        [groupings[groupBy].keys[0]]: <span className={classes.label}>{RATIO_LABEL}</span>,
        sales: ratioCell(onPage, onAll, page.total > page.items.length),
      },
    },
  ]
}

const RATIO_LABEL = 'Unique\u00a0to Sale\u00a0Ratio'

const figureCells = (
  totals: StatsTotals,
  figures: readonly FigureColumn[],
  explain?: (column: FigureColumn) => object | undefined,
) =>
  Object.fromEntries(
    figures.map((column) => [
      column.id,
      <Figure key={column.id} column={column} amounts={totals} explain={explain?.(column)} />,
    ]),
  )

/** One value while the page is the whole result. */
const ratioCell = (onPage: StatsTotals, onAll: StatsTotals, hasPages: boolean) => {
  const overall = uniqueToSaleLabel(onAll.uniques, onAll.sales)
  if (!hasPages) return overall
  return (
    <>
      <RatioLine word="page" ratio={uniqueToSaleLabel(onPage.uniques, onPage.sales)} />
      <RatioLine word="overall" ratio={overall} />
    </>
  )
}

/** The word hangs into the empty cell before it: the column stays as narrow as its figures. */
const RatioLine = ({ word, ratio }: { word: string; ratio: string }) => (
  <div>
    <span className={classes.figure}>
      <span className={classes.word}>{word} </span>
      {ratio}
    </span>
  </div>
)
