import type { SiteStats, StatsGrouping } from '@tallyroom/contract/statistics'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import { formatCount, formatPercent } from '@tallyroom/domain/money'
import { signedDollars, signedPesos } from '../../ui/signed-amounts.ts'
import { figureLabels } from './figure-labels.ts'
import { isWeekly, type StatsReport } from './reports.ts'
import type { StatsTotals } from './stats-totals.ts'
import { hasLpp } from './views.ts'

/** A column of figures: its rows, page total, overall total and export come from one place. */
export interface FigureColumn {
  /** For amounts the name of the column on the wire too. */
  id: string
  header: string
  note?: string
  sortField: string
  bonus?: boolean
  /** An amount of money, which some reports explain. */
  isAmount?: true
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

/** The columns of figures, by report, by view and by what the viewer sees (specification 2, section 2). */
export function figureColumns(
  report: StatsReport,
  groupBy: StatsGrouping,
  flags: ColumnFlags,
): FigureColumn[] {
  const { earningVisible, payoutVisible, lppVisible, hasBonus, types } = flags
  const labels = figureLabels(flags)
  const isPayroll = report.explains !== undefined
  const paysByTier = report.explains === 'payrollAvp'
  const earnings = earningVisible && [
    dollars('earn', labels.earn),
    hasBonus && bonus(dollars('bonusEarn', labels.bonusEarn)),
  ]
  const payouts = payoutVisible && [
    pesos('payout', labels.payout),
    hasBonus && bonus(pesos('bonusPayout', labels.bonusPayout)),
  ]
  const columns = [
    count('raws', 'Raws', 'All clicks'),
    count('uniques', 'Uniques', 'The first clicks of an address on an agent’s link type on a day'),
    types.map(({ id, typename }) => [
      typeCount(id, typename),
      isPayroll && typePayout(id, typename),
    ]),
    count('sales', labels.sales),
    isWeekly(report) && count('avpSales', 'AVP Sales', 'Sales on sites that count for AVP'),
    paysByTier && [
      pesos('payoutPhp', 'Payout ₱', 'AVP sales × the pesos of the agent’s tier in their week'),
      dollars('payoutDollars', 'Payout $', 'AVP sales × the dollars of the agent’s tier'),
    ],
    hasBonus && [
      bonus(count('bonusSales', labels.bonusSales)),
      bonus({
        id: 'bonusRatio',
        header: labels.bonusRatio,
        note: `${labels.bonusSales} per hundred of ${labels.sales}`,
        sortField: 'bonusRatio',
        value: ({ bonusRatio }) => bonusRatio,
        format: formatPercent,
      }),
    ],
    // What a page is about comes first. By tiers, what sales pay by their link types would be a second truth.
    paysByTier ? earnings : isPayroll ? [payouts, earnings] : [earnings, payouts],
    lppVisible &&
      hasLpp(groupBy) && [
        count('lpp', 'Lpp', 'Points of the sales'),
        count('lppPrev', 'Lpp prev', 'Points of as many days just before'),
      ],
  ]
  return columns.flat(3).filter((column) => column !== false)
}

type CountField = 'raws' | 'uniques' | 'sales' | 'avpSales' | 'bonusSales' | 'lpp' | 'lppPrev'

const count = (field: CountField, header: string, note?: string): FigureColumn => ({
  id: field,
  header,
  ...(note && { note }),
  sortField: field,
  value: (amounts) => amounts[field],
  format: formatCount,
})

const pesos = (
  field: 'payout' | 'bonusPayout' | 'payoutPhp',
  header: string,
  note?: string,
): FigureColumn => ({ ...amount(field, header, note), format: signedPesos })

const dollars = (
  field: 'earn' | 'bonusEarn' | 'payoutDollars',
  header: string,
  note?: string,
): FigureColumn => ({ ...amount(field, header, note), format: signedDollars })

const amount = (
  field: 'payout' | 'bonusPayout' | 'payoutPhp' | 'earn' | 'bonusEarn' | 'payoutDollars',
  header: string,
  note?: string,
) => ({
  id: field,
  header,
  ...(note && { note }),
  sortField: field,
  isAmount: true as const,
  value: (amounts: StatsTotals) => amounts[field],
})

const typeCount = (id: number, typename: string): FigureColumn => ({
  id: `type-${id}`,
  header: typename,
  sortField: String(id),
  value: (amounts) => amounts[`${id}`],
  format: formatCount,
})

const typePayout = (id: number, typename: string): FigureColumn => ({
  id: `${id}_payout`,
  header: `${typename} ₱`,
  note: `What ${typename} pays, without bonuses`,
  sortField: `${id}_payout`,
  isAmount: true,
  value: (amounts) => amounts[`${id}_payout`],
  format: signedPesos,
})

const bonus = (column: FigureColumn): FigureColumn => ({ ...column, bonus: true })
