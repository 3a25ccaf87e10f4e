import type { SiteStats } from '@tallyroom/contract/statistics'
import { uniqueToSaleLabel } from '@tallyroom/domain/ratios'
import type { TotalsRow } from '../../ui/list/columns.ts'
import { BonusFigure } from './BonusFigure.tsx'
import type { FigureColumn } from './stats-columns.tsx'
import { overallTotals, pageTotals, type StatsTotals } from './stats-totals.ts'
import classes from './totals-rows.module.css'

/** The rows at the bottom: page total, overall total, and how many uniques make a sale. */
export function totalsRows(
  { page, overall, types }: SiteStats,
  figures: readonly FigureColumn[],
): TotalsRow[] {
  const onPage = pageTotals(page.items, types)
  const onAll = overallTotals(overall)
  return [
    { id: 'page', label: 'Page total', cells: figureCells(onPage, figures) },
    { id: 'overall', label: 'Overall total', cells: figureCells(onAll, figures) },
    {
      id: 'ratio',
      label: 'Unique to Sale Ratio',
      cells: { sales: ratioCell(onPage, onAll, page.total > page.items.length) },
    },
  ]
}

const figureCells = (totals: StatsTotals, figures: readonly FigureColumn[]) =>
  Object.fromEntries(
    figures.map(({ id, bonus, figure }) => [
      id,
      bonus ? <BonusFigure>{figure(totals)}</BonusFigure> : figure(totals),
    ]),
  )

/** One value while the page is the whole result. */
const ratioCell = (onPage: StatsTotals, onAll: StatsTotals, hasPages: boolean) => {
  const overall = uniqueToSaleLabel(onAll.uniques, onAll.sales)
  if (!hasPages) return overall
  return (
    <>
      <div>
        <span className={classes.word}>page</span> {uniqueToSaleLabel(onPage.uniques, onPage.sales)}
      </div>
      <div>
        <span className={classes.word}>overall</span> {overall}
      </div>
    </>
  )
}
