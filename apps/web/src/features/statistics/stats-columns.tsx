import type { SiteStats, StatsGrouping, StatsRow } from '@tallyroom/contract/statistics'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import { eventTypeLabel, EVENT_TYPE } from '@tallyroom/domain/event-types'
import { formatCount, formatPercent } from '@tallyroom/domain/money'
import type { ReactNode } from 'react'
import type { CsvColumn } from '../../ui/list/ExportCsv.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { signedDollars, signedPesos } from '../../ui/signed-amounts.ts'
import { DrillLink } from './DrillLink.tsx'
import type { DrillChoice } from './drill.ts'
import { Figure } from './Figure.tsx'
import type { StatsTotals } from './stats-totals.ts'
import { hasLpp, keyColumnsOf, type KeyColumn } from './views.ts'

/** A column of figures: its rows, page total, overall total and export come from one place. */
export interface FigureColumn {
  id: string
  header: string
  note?: string
  sortField: string
  bonus?: boolean
  value: (amounts: StatsTotals) => number | undefined
  format: (value: number | undefined) => string
}

/** What an answer says about the columns. */
export type ColumnFlags = Pick<
  SiteStats,
  'earningVisible' | 'payoutVisible' | 'lppVisible' | 'useApproveSale' | 'hasBonus' | 'types'
>

/** What to expect before the first answer, so that the skeleton is about as wide as the rows. */
export const expectedFlags = (viewer: AbilityHolder): ColumnFlags => ({
  earningVisible: can(viewer, 'earning.see'),
  payoutVisible: can(viewer, 'payout.see'),
  lppVisible: false,
  useApproveSale: false,
  hasBonus: true,
  types: [],
})

/** The columns of figures, by view and by what the viewer sees (specification 2, section 2). */
export function figureColumns(groupBy: StatsGrouping, flags: ColumnFlags): FigureColumn[] {
  const { earningVisible, payoutVisible, lppVisible, useApproveSale, hasBonus, types } = flags
  const labels = useApproveSale ? APPROVE_SALE_LABELS : LABELS
  const columns: (FigureColumn | false)[] = [
    { id: 'raws', header: 'Raws', note: 'All clicks', sortField: 'raws', ...count('raws') },
    {
      id: 'uniques',
      header: 'Uniques',
      note: 'The first clicks of an address on an agent’s link type on a day',
      sortField: 'uniques',
      ...count('uniques'),
    },
    ...types.map(({ id, typename }) => ({
      id: `type-${id}`,
      header: typename,
      sortField: String(id),
      value: (amounts: StatsTotals) => amounts[`${id}`],
      format: formatCount,
    })),
    { id: 'sales', header: labels.sales, sortField: 'sales', ...count('sales') },
    hasBonus && {
      id: 'bonusSales',
      header: labels.bonusSales,
      sortField: 'bonusSales',
      bonus: true,
      ...count('bonusSales'),
    },
    hasBonus && {
      id: 'bonusRatio',
      header: labels.bonusRatio,
      note: `${labels.bonusSales} per hundred of ${labels.sales}`,
      sortField: 'bonusRatio',
      bonus: true,
      value: ({ bonusRatio }) => bonusRatio,
      format: formatPercent,
    },
    earningVisible && {
      id: 'earn',
      header: labels.earn,
      sortField: 'earn',
      value: ({ earn }) => earn,
      format: signedDollars,
    },
    earningVisible &&
      hasBonus && {
        id: 'bonusEarn',
        header: labels.bonusEarn,
        sortField: 'bonusEarn',
        bonus: true,
        value: ({ bonusEarn }) => bonusEarn,
        format: signedDollars,
      },
    payoutVisible && {
      id: 'payout',
      header: labels.payout,
      sortField: 'payout',
      value: ({ payout }) => payout,
      format: signedPesos,
    },
    payoutVisible &&
      hasBonus && {
        id: 'bonusPayout',
        header: labels.bonusPayout,
        sortField: 'bonusPayout',
        bonus: true,
        value: ({ bonusPayout }) => bonusPayout,
        format: signedPesos,
      },
    lppVisible &&
      hasLpp(groupBy) && {
        id: 'lpp',
        header: 'Lpp',
        note: 'Points of the sales',
        sortField: 'lpp',
        ...count('lpp'),
      },
    lppVisible &&
      hasLpp(groupBy) && {
        id: 'lppPrev',
        header: 'Lpp prev',
        note: 'Points of as many days just before',
        sortField: 'lppPrev',
        ...count('lppPrev'),
      },
  ]
  return columns.filter((column) => column !== false)
}

interface StatsColumnsInput {
  groupBy: StatsGrouping
  viewer: AbilityHolder
  figures: readonly FigureColumn[]
  /** The URL search of the view that a cell leads to; undefined where it leads nowhere new. */
  drill: (choice: DrillChoice) => object | undefined
}

/** The columns of the table: what a row is about, each a way to drill, then its figures. */
export const statsColumns = ({
  groupBy,
  viewer,
  figures,
  drill,
}: StatsColumnsInput): ListColumn<StatsRow>[] => [
  ...keyColumnsOf(groupBy, viewer).map((key): ListColumn<StatsRow> => ({
    id: key,
    header: KEY_HEADERS[key],
    sortField: key,
    fixed: true,
    cell: (row) => keyCells[key](row, drill),
  })),
  ...figures.map((column): ListColumn<StatsRow> => ({
    ...column,
    numeric: true,
    cell: (row) => <Figure column={column} amounts={row} />,
  })),
]

/** The same columns as plain values, for a file. */
export const csvColumns = (
  groupBy: StatsGrouping,
  viewer: AbilityHolder,
  figures: readonly FigureColumn[],
): CsvColumn<StatsRow>[] => [
  ...keyColumnsOf(groupBy, viewer).map((key) => ({
    header: KEY_HEADERS[key],
    value: (row: StatsRow) => row[key],
  })),
  ...figures.map(({ header, value }) => ({ header, value })),
]

const KEY_HEADERS: Record<KeyColumn, string> = {
  date: 'Date',
  officeName: 'Office',
  agent: 'Agent',
}

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

const count = (field: 'raws' | 'uniques' | 'sales' | 'bonusSales' | 'lpp' | 'lppPrev') => ({
  value: (amounts: StatsTotals) => amounts[field],
  format: formatCount,
})

const LABELS = {
  sales: 'Sales',
  bonusSales: 'Bonus Sales',
  bonusRatio: 'Bonus Ratio',
  earn: 'Earn',
  bonusEarn: 'Bonus Earn',
  payout: 'Payout',
  bonusPayout: 'Bonus Payout',
}

/** On a site with approve-sale the bonus fields are those of the second day. */
const APPROVE_SALE_LABELS: typeof LABELS = {
  sales: eventTypeLabel(EVENT_TYPE.sale, { useApproveSale: true }),
  bonusSales: eventTypeLabel(EVENT_TYPE.bonus, { useApproveSale: true }),
  bonusRatio: 'Day#2 Ratio',
  earn: 'Day#1 Earn',
  bonusEarn: 'Day#2 Earn',
  payout: 'Day#1 Payout',
  bonusPayout: 'Day#2 Payout',
}
