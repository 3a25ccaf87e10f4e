import { overallTotals, type StatsTotals } from '@tallyroom/contract/stats-figures'
import type { SiteStats, StatsRow } from '@tallyroom/contract/statistics'
import {
  groupings,
  type PayoutColumn,
  statFigures,
  type StatsGrouping,
  type SumName,
  sumNames,
} from '@tallyroom/contract/stats-table'
import { fromMinorUnits, toMinorUnits } from '@tallyroom/domain/money'
import type { DateRange } from '@tallyroom/domain/periods'
import { bonusRatio, uniqueToSaleLabel } from '@tallyroom/domain/ratios'
import type { TotalsRow } from '../../ui/list/columns.ts'
import { Figure, type FigureColumn, type OpensFigure } from './stats-columns.tsx'
import classes from './totals-rows.module.css'

/** The rows at the bottom: page total and overall total, one row if there is one page, and unique clicks per sale. */
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
  const all = figureCells(onAll, figures, opens)
  return [
    ...(hasPages
      ? [
          {
            id: 'page',
            label: 'Page total',
            cells: figureCells(
              onPage,
              figures,
              days && ((column) => opens(column, undefined, days)),
            ),
          },
          { id: 'overall', label: 'Overall total', cells: all },
        ]
      : [{ id: 'overall', label: 'Total', cells: all }]),
    {
      id: 'ratio',
      label: RATIO_LABEL,
      cells: {
        // Replaces the label, so that it can wrap in a narrow column.
        [groupings[groupBy].keys[0]]: <span className={classes.label}>{RATIO_LABEL}</span>,
        sales: ratioCell(onPage, onAll, hasPages),
      },
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

const RATIO_LABEL = 'Unique\u00a0to Sale\u00a0Ratio'

const figureCells = (totals: StatsTotals, figures: readonly FigureColumn[], opens?: OpensFigure) =>
  Object.fromEntries(
    figures.map((column) => [
      column.id,
      <Figure key={column.id} column={column} amounts={totals} opens={opens?.(column)} />,
    ]),
  )

/** A single value if the page is the whole result. */
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

/**
 * The word extends into the empty cell on its left, so that the column stays as narrow as its
 * figures.
 */
const RatioLine = ({ word, ratio }: { word: string; ratio: string }) => (
  <div>
    <span className={classes.figure}>
      <span className={classes.word}>{word} </span>
      {ratio}
    </span>
  </div>
)
