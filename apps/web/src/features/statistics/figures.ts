import type { StatsGrouping } from '@tallyroom/contract/list-choices'
import {
  type ColumnFlags,
  type StatsFigure,
  type StatsTotals,
  statsFigures,
} from '@tallyroom/contract/stats-figures'
import { statsTables } from '@tallyroom/contract/stats-table'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import { formatCount, formatPercent } from '@tallyroom/domain/money'
import { signedDollars, signedPesos } from '../../ui/signed-amounts.ts'
import type { StatsReport } from './reports.ts'

/** A column of figures, as it is shown. */
export interface FigureColumn extends StatsFigure {
  /** An amount of money, which some reports explain. */
  isAmount: boolean
  format: (value: ReturnType<StatsFigure['value']>) => string
}

export type { ColumnFlags, StatsTotals }

/** What to expect before the first answer, so that the skeleton is about as wide as the rows. */
export const expectedFlags = (viewer: AbilityHolder): ColumnFlags => ({
  earningVisible: can(viewer, 'earning.see'),
  payoutVisible: can(viewer, 'payout.see'),
  lppVisible: false,
  useApproveSale: false,
  hasBonus: true,
  types: [],
})

/** The columns of figures, by report, by view and by what the viewer sees. */
export const figureColumns = (
  report: StatsReport,
  groupBy: StatsGrouping,
  flags: ColumnFlags,
): FigureColumn[] =>
  statsFigures(statsTables[report.name], groupBy, flags).map((figure) => ({
    ...figure,
    isAmount: figure.kind === 'pesos' || figure.kind === 'dollars',
    format: formats[figure.kind],
  }))

const formats: Record<StatsFigure['kind'], FigureColumn['format']> = {
  count: formatCount,
  percent: formatPercent,
  pesos: signedPesos,
  dollars: signedDollars,
}
