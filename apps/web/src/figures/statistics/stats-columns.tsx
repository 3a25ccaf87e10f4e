import type { AmountQuestion } from '@tallyroom/contract/figures/explain'
import type { StatsRow } from '@tallyroom/contract/figures/statistics'
import {
  type ColumnFlags,
  type StatsFigure,
  statsFigures,
  type StatsTotals,
  subRowText,
  tierHeaders,
} from '@tallyroom/contract/figures/stats-figures'
import {
  hasTier,
  isPayoutColumn,
  type KeyColumn,
  keyColumns,
  keyColumnsOf,
  type StatsGrouping,
} from '@tallyroom/contract/figures/stats-table'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import { avpSelectLabel } from '@tallyroom/domain/avp'
import { formatCount, formatPercent, signedDollars, signedPesos } from '@tallyroom/domain/money'
import type { DateRange } from '@tallyroom/domain/periods'
import { Amount, FigureLink } from '../../ui/text/Amount.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import type { ClicksSearch } from './amounts.ts'
import { DrillLink } from './drill.tsx'
import classes from './stats-columns.module.css'
import type { StatsReport } from './stats-search.ts'

interface StatsColumnsInput {
  groupBy: StatsGrouping
  viewer: AbilityHolder
  facts: readonly FactColumn[]
  figures: readonly FigureColumn[]
  /** The URL search of the view that a key cell leads to; undefined if it leads nowhere new. */
  drill: (column: KeyColumn, row: StatsRow) => object | undefined
  opens: OpensFigure
}

/** The columns of the table: keys, which can be drilled into, then facts and figures. */
export const statsColumns = ({
  groupBy,
  viewer,
  facts,
  figures,
  drill,
  opens,
}: StatsColumnsInput): ListColumn<StatsRow>[] => [
  ...keyColumnsOf(groupBy, viewer).map((key): ListColumn<StatsRow> => ({
    id: key,
    header: keyColumns[key].header,
    sortField: key,
    fixed: true,
    card: 'title',
    cell: (row) => {
      const text = keyTexts[key](row)
      const tooltip = key === 'agent' ? row.agentFullName : undefined
      return (
        text !== undefined && (
          <DrillLink search={drill(key, row)} tooltip={tooltip}>
            {text}
          </DrillLink>
        )
      )
    },
  })),
  ...facts.map((column): ListColumn<StatsRow> => ({ ...column, cell: column.text })),
  ...figures.map((column): ListColumn<StatsRow> => ({
    ...column,
    numeric: true,
    card: ON_CARD.has(column.id) ? 'money' : 'detail',
    behind: isBehind(column, figures),
    cell: (row) => <Figure column={column} amounts={row} opens={opens(column, row)} />,
  })),
]

/** The figures at the right edge of a card: what was sold, and what it pays. */
const ON_CARD: ReadonlySet<string> = new Set(['sales', 'payout', 'payoutPhp'])

/**
 * A site may have fifty link types, behind which nobody would find the money. AVP sales explain it only where tiers pay
 * for them.
 */
const isBehind = ({ id }: FigureColumn, figures: readonly FigureColumn[]): boolean =>
  id.startsWith('type-') ||
  isPayoutColumn(id) ||
  (id === 'avpSales' && !figures.some((figure) => figure.id === 'payoutPhp'))

/** The text of a key cell. Names of deleted agents, sites and link types may be missing. */
const keyTexts: Record<KeyColumn, (row: StatsRow) => string | undefined> = {
  date: ({ date }) => date,
  officeName: ({ companyId, officeName }) => nameOrId(officeName, companyId),
  agent: ({ agentId, agent }) => nameOrId(agent, agentId),
  typename: ({ typeId, typename }) => nameOrId(typename, typeId),
  sitename: ({ siteId, sitename }) => nameOrId(sitename, siteId),
  subId: subRowText,
}

const nameOrId = (name: string | undefined, id: number | undefined) =>
  id === undefined ? undefined : name || `#${id}`

/** A column of figures as it is displayed. */
export interface FigureColumn extends StatsFigure {
  format: (value: ReturnType<StatsFigure['value']>) => string
}

/** Assumptions before the first answer, so that the skeleton is about as wide as the rows. */
export const expectedFlags = (viewer: AbilityHolder): ColumnFlags => ({
  earningVisible: can(viewer, 'earning.see'),
  payoutVisible: can(viewer, 'payout.see'),
  lppVisible: false,
  useApproveSale: false,
  hasBonus: true,
  types: [],
})

/** The columns of figures for a report, a view and a viewer. */
export const figureColumns = (
  report: StatsReport,
  groupBy: StatsGrouping,
  flags: ColumnFlags,
): FigureColumn[] =>
  statsFigures(report, groupBy, flags).map((figure) => ({
    ...figure,
    format: formats[figure.kind],
  }))

const formats: Record<StatsFigure['kind'], FigureColumn['format']> = {
  count: formatCount,
  percent: formatPercent,
  pesos: signedPesos,
  dollars: signedDollars,
}

/** A column without sums: something known about the row. */
export interface FactColumn {
  id: string
  header: string
  note: string
  sortField: string
  numeric?: true
  behind?: true
  text: (row: StatsRow) => string
}

/** An agent's tier and the sales behind it, in views whose rows are about one agent in whole weeks. */
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
    note: 'All AVP sales of the agent in the whole week, which decide the tier. The filters above do not change them.',
    sortField: 'agent_avp_sales_count',
    behind: true,
    numeric: true,
    text: ({ agent_avp_sales_count: sales }) => formatCount(sales),
  },
]

/**
 * What a figure of a row, of some days or of the whole result opens: its explanation, or its clicks
 * in the log.
 */
export type OpensFigure = (column: FigureColumn, row?: StatsRow, days?: DateRange) => Opened

interface Opened {
  amount: AmountQuestion | undefined
  clicks: ClicksSearch | undefined
}

interface FigureProps {
  column: FigureColumn
  amounts: StatsTotals
  /** Undefined for a figure that opens nothing. */
  opens: Opened | undefined
}

/** One figure of a row or a total. */
export function Figure({
  column: { value, format, bonus, header, kind },
  amounts,
  opens,
}: FigureProps) {
  const figure = value(amounts)
  const isAmount = kind === 'pesos' || kind === 'dollars'
  // Without sales there is no ratio, so show a dash, as for unique-to-sale.
  const text = kind === 'percent' && amounts.sales === 0 ? '–' : format(figure)
  const content =
    figure === undefined ? (
      text
    ) : (
      <OpenedFigure opens={opens} label={header}>
        {text}
      </OpenedFigure>
    )
  if (bonus && !figure) return <span className={classes.zero}>{content}</span>
  if (!bonus && !isAmount) return content
  return (
    <span className={`${bonus ? classes.bonus : ''} ${isAmount ? classes.amount : ''}`}>
      {content}
    </span>
  )
}

interface OpenedFigureProps {
  opens: Opened | undefined
  label: string
  children: string
}

/** A figure as a link to what it opens. */
export const OpenedFigure = ({ opens, label, children }: OpenedFigureProps) =>
  opens?.clicks ? (
    <FigureLink
      to="/app/logs/click-outs"
      search={opens.clicks}
      label={`${label} ${children}: clicks`}
    >
      {children}
    </FigureLink>
  ) : (
    <Amount of={opens?.amount} label={label}>
      {children}
    </Amount>
  )
