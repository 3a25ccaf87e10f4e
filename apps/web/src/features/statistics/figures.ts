import type { SiteStats, StatsGrouping } from '@tallyroom/contract/statistics'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import { eventTypeLabel, EVENT_TYPE } from '@tallyroom/domain/event-types'
import { formatCount, formatPercent } from '@tallyroom/domain/money'
import { signedDollars, signedPesos } from '../../ui/signed-amounts.ts'
import type { StatsTotals } from './stats-totals.ts'
import { hasLpp } from './views.ts'

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
export function siteFigures(groupBy: StatsGrouping, flags: ColumnFlags): FigureColumn[] {
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
