import type { StatsGrouping } from '@tallyroom/contract/list-choices'
import type { StatsRow } from '@tallyroom/contract/statistics'
import { keyColumnsOf, keyHeaders, type KeyColumn } from '@tallyroom/contract/stats-table'
import type { AbilityHolder } from '@tallyroom/domain/abilities'
import type { ReactNode } from 'react'
import type { ListColumn } from '../../ui/list/columns.ts'
import { DrillLink } from './DrillLink.tsx'
import type { DrillChoice } from './drill.ts'
import { Figure } from './Figure.tsx'
import type { FigureColumn } from './figures.ts'
import type { FactColumn } from './tier-columns.ts'

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
    header: keyHeaders[key],
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
  }
