import type { StatsRow } from '@tallyroom/contract/statistics'
import {
  type ColumnFlags,
  type StatsFigure,
  statsFigures,
  type StatsTotals,
} from '@tallyroom/contract/stats-figures'
import {
  hasTier,
  type KeyColumn,
  keyColumns,
  keyColumnsOf,
  type StatsGrouping,
  tierHeaders,
} from '@tallyroom/contract/stats-table'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import { avpSelectLabel } from '@tallyroom/domain/avp'
import { formatCount, formatPercent } from '@tallyroom/domain/money'
import type { ReactNode } from 'react'
import type { ListColumn } from '../../ui/list/columns.ts'
import { signedDollars, signedPesos } from '../../ui/signed-amounts.ts'
import { DrillLink } from './DrillLink.tsx'
import type { DrillChoice } from './drill.ts'
import { ExplainLink } from './explain/ExplainLink.tsx'
import type { StatsReport } from './reports.ts'
import classes from './stats-columns.module.css'

interface StatsColumnsInput {
  groupBy: StatsGrouping
  viewer: AbilityHolder
  facts: readonly FactColumn[]
  figures: readonly FigureColumn[]
  /** The URL search of the view that a cell leads to; undefined where it leads nowhere new. */
  drill: (choice: DrillChoice) => object | undefined
  /** The URL search that explains an amount; undefined where it can't be explained. */
  explain: (column: FigureColumn, row: StatsRow) => object | undefined
}

/** The columns of the table: what a row is about, each a way to drill, then its figures. */
export const statsColumns = ({
  groupBy,
  viewer,
  facts,
  figures,
  drill,
  explain,
}: StatsColumnsInput): ListColumn<StatsRow>[] => [
  ...keyColumnsOf(groupBy, viewer).map((key): ListColumn<StatsRow> => ({
    id: key,
    header: keyColumns[key].header,
    sortField: key,
    fixed: true,
    cell: (row) => keyCells[key](row, drill),
  })),
  ...facts.map((column): ListColumn<StatsRow> => ({ ...column, cell: column.text })),
  ...figures.map((column): ListColumn<StatsRow> => ({
    ...column,
    numeric: true,
    cell: (row) => <Figure column={column} amounts={row} explain={explain(column, row)} />,
  })),
]

const keyCells: Record<KeyColumn, (row: StatsRow, drill: StatsColumnsInput['drill']) => ReactNode> =
  {
    date: ({ date }, drill) =>
      date !== undefined && <DrillLink search={drill({ date })}>{date}</DrillLink>,
    officeName: ({ companyId, officeName }, drill) =>
      companyId !== undefined && (
        <DrillLink search={drill({ companyId })}>{officeName || `#${companyId}`}</DrillLink>
      ),
    agent: ({ agentId, agent, agentFullName }, drill) =>
      agentId !== undefined && (
        <DrillLink search={drill({ agentId })} tooltip={agentFullName}>
          {agent || `#${agentId}`}
        </DrillLink>
      ),
    typename: ({ siteId, typeId, typename }, drill) =>
      siteId !== undefined &&
      typeId !== undefined && (
        <DrillLink search={drill({ siteId, typeId })}>{typename || `#${typeId}`}</DrillLink>
      ),
    sitename: ({ siteId, sitename }, drill) =>
      siteId !== undefined && (
        <DrillLink search={drill({ siteId })}>{sitename || `#${siteId}`}</DrillLink>
      ),
  }

/** A column of figures, as it is shown. */
export interface FigureColumn extends StatsFigure {
  /** An amount of money, which some reports explain. */
  isAmount: boolean
  format: (value: ReturnType<StatsFigure['value']>) => string
}

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
  statsFigures(report, groupBy, flags).map((figure) => ({
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

/** A column of what is known of a row and has no sum. */
export interface FactColumn {
  id: string
  header: string
  note: string
  sortField: string
  numeric?: true
  text: (row: StatsRow) => string
}

/** An agent's tier and what it has it by, where rows are of one agent in whole weeks. */
export const tierColumns = (report: StatsReport, groupBy: StatsGrouping): FactColumn[] =>
  hasTier(report, groupBy) ? TIER_COLUMNS : []

const TIER_COLUMNS: FactColumn[] = [
  {
    id: 'avpPeriod',
    header: tierHeaders.avpPeriod,
    note: 'The agent’s tier in the A.V.P. pay schedule for the week',
    sortField: 'avpPeriod',
    text: ({ avpPeriod }) => (avpPeriod ? avpSelectLabel(avpPeriod) : '–'),
  },
  {
    id: 'agent_avp_sales_count',
    header: tierHeaders.agent_avp_sales_count,
    note: 'What the agent has its tier by: all its AVP sales of the whole week, whatever else is chosen here',
    sortField: 'agent_avp_sales_count',
    numeric: true,
    text: ({ agent_avp_sales_count: sales }) => formatCount(sales),
  },
]

interface FigureProps {
  column: FigureColumn
  amounts: StatsTotals
  /** The URL search in which the amount is explained; undefined where it can't be. */
  explain?: object | undefined
}

/** One figure, of a row or of a total. */
export function Figure({
  column: { value, format, bonus, header },
  amounts,
  explain,
}: FigureProps) {
  const figure = value(amounts)
  const text = format(figure)
  const content =
    explain && figure !== undefined ? (
      <ExplainLink search={explain} label={`${header} ${text}: what it is made of`}>
        {text}
      </ExplainLink>
    ) : (
      text
    )
  return bonus ? <span className={classes.bonus}>{content}</span> : content
}
