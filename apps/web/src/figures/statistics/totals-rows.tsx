import { overallTotals, type StatsTotals } from '@tallyroom/contract/figures/stats-figures'
import type { SiteStats, StatsRow } from '@tallyroom/contract/figures/statistics'
import {
  type PayoutColumn,
  statFigures,
  type StatsGrouping,
  type SumName,
  sumNames,
} from '@tallyroom/contract/figures/stats-table'
import { fromMinorUnits, toMinorUnits } from '@tallyroom/domain/money'
import type { DateRange } from '@tallyroom/domain/periods'
import { bonusRatio, uniqueToSaleLabel } from '@tallyroom/domain/ratios'
import type { TotalsRow } from '../../ui/list/columns.ts'
import { Figure, type FigureColumn, type OpensFigure } from './stats-columns.tsx'

/** The rows at the bottom: page total and overall total, one row if there is one page, each with its unique clicks per sale. */
export function totalsRows(
  groupBy: StatsGrouping,
  { page, overall, types }: SiteStats,
  figures: readonly FigureColumn[],
  opens: OpensFigure,
  sortField?: string,
): TotalsRow[] {
  const days = sortField === 'date' && groupBy === 'date' ? daysOf(page.items) : undefined
  const onPage = pageTotals(page.items, types)
  const onAll = overallTotals(overall)
  const hasPages = page.total > page.items.length
  const pick = days && ((column: FigureColumn) => opens(column, undefined, days))
  return [
    ...(hasPages
      ? [
          {
            id: 'page',
            label: 'Page total',
            note: ratioOf(onPage),
            cells: figureCells(onPage, figures, pick),
          },
        ]
      : []),
    {
      id: 'overall',
      label: hasPages ? 'Overall total' : 'Total',
      note: ratioOf(onAll),
      cells: figureCells(onAll, figures, opens),
    },
  ]
}

/** The days of a page of days, in order. Only then is the page total that of a criterion. */
function daysOf(rows: readonly StatsRow[]): DateRange | undefined {
  const days = rows.flatMap(({ date }) => date ?? []).toSorted()
  const [start, end] = [days[0], days.at(-1)]
  return start && end ? { start, end } : undefined
}

/** The sums of the rows on screen; 0 for amounts that the viewer may not see. */
export function pageTotals(rows: readonly StatsRow[], types: SiteStats['types']): StatsTotals {
  const ofTypes: Record<`${number}` | PayoutColumn, number> = Object.fromEntries(
    types.flatMap(({ id }) => [
      [id, sum(rows.map((row) => row[`${id}`]))],
      [`${id}_payout`, sumOfMoney(rows.map((row) => row[`${id}_payout`]))],
    ]),
  )
  const sums = Object.fromEntries(
    sumNames.map((name) => {
      const add = statFigures[name].kind === 'count' ? sum : sumOfMoney
      return [name, add(rows.map((row) => row[name]))]
    }),
  ) as Record<SumName, number> // of all their names
  return { ...ofTypes, ...sums, bonusRatio: bonusRatio(sums.bonusSales, sums.sales) }
}

const sum = (numbers: readonly (number | undefined)[]): number =>
  numbers.reduce<number>((total, number = 0) => total + number, 0)

/** Adds decimal amounts as minor units, so that 0.1 + 0.2 is 0.3. */
const sumOfMoney = (amounts: readonly (number | undefined)[]): number =>
  fromMinorUnits(sum(amounts.map((amount) => toMinorUnits(amount ?? 0))))

/** Unique clicks per sale: 'Unique to Sale Ratio 1:12.50'. */
const ratioOf = ({ uniques, sales }: StatsTotals) =>
  `Unique to Sale Ratio ${uniqueToSaleLabel(uniques, sales)}`

const figureCells = (totals: StatsTotals, figures: readonly FigureColumn[], opens?: OpensFigure) =>
  Object.fromEntries(
    figures.map((column) => [
      column.id,
      <Figure key={column.id} column={column} amounts={totals} opens={opens?.(column)} />,
    ]),
  )
