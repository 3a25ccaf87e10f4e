import { EVENT_TYPE, eventTypeLabel } from '@tallyroom/domain/event-types'
import {
  type AmountColumn,
  groupings,
  isAmountName,
  isPayoutColumn,
  statFigures,
  type PayoutColumn,
  type StatsGrouping,
  type StatsTable,
  type SumName,
} from './stats-table.ts'
import type { SiteStats, StatsRow } from './statistics.ts'

/** What a row by sub id is about, in words: its value, or why it has none. */
export function subRowText({ subRow, subId, otherSubIds = 0 }: StatsRow): string {
  if (subRow === 'none') return '(none)'
  if (subRow === 'unknown') return '(archived, or not stored)'
  if (subRow === 'others') return `(${otherSubIds.toLocaleString('en-US')} others)`
  return subId ?? ''
}

/** The sums of a page or of the whole result, keyed like the fields of the rows. */
export type StatsTotals = Omit<
  StatsRow,
  | 'date'
  | 'companyId'
  | 'officeName'
  | 'agentId'
  | 'agent'
  | 'agentFullName'
  | 'siteId'
  | 'sitename'
  | 'typeId'
  | 'typename'
  | 'subRow'
  | 'subId'
  | 'otherSubIds'
  | 'avpPeriod'
  | 'agent_avp_sales_count'
>

/** The sums of the whole result, keyed like the rows; the API names some of them differently. */
export const overallTotals = ({
  earning,
  bonusEarning,
  lpp_prev,
  ...overall
}: SiteStats['overall']): StatsTotals => ({
  ...overall,
  earn: earning,
  bonusEarn: bonusEarning,
  lppPrev: lpp_prev,
})

/** A column of figures, defined once for rows, totals and file. */
export interface StatsFigure {
  /** For amounts also the column's name in the API. */
  id: string
  header: string
  note?: string
  sortField: string
  bonus?: boolean
  kind: 'count' | 'pesos' | 'dollars' | 'percent'
  value: (amounts: StatsTotals) => number | undefined
}

/** What an answer says about its columns. */
export type ColumnFlags = Pick<
  SiteStats,
  'earningVisible' | 'payoutVisible' | 'lppVisible' | 'useApproveSale' | 'hasBonus' | 'types'
>

/** The columns of figures of a table and view, for this viewer (specification 2, section 2). */
export function statsFigures(
  { isWeekly, pays }: StatsTable,
  groupBy: StatsGrouping,
  flags: ColumnFlags,
): StatsFigure[] {
  const { earningVisible, payoutVisible, lppVisible, hasBonus, types } = flags
  const labels = figureLabels(flags)
  const earnings = earningVisible && [
    figure('earn', labels.earn),
    hasBonus && bonus(figure('bonusEarn', labels.bonusEarn)),
  ]
  const payouts = payoutVisible && [
    figure('payout', labels.payout),
    hasBonus && bonus(figure('bonusPayout', labels.bonusPayout)),
  ]
  const ofTypes = types.map(({ id, typename }) => [
    typeCount(id, typename),
    pays !== undefined && typePayout(id, typename),
  ])
  const columns = [
    figure('raws', 'Raws', 'All clicks'),
    figure('uniques', 'Uniques', 'First clicks of each address on an agent’s link type per day'),
    pays === undefined && ofTypes,
    figure('sales', labels.sales),
    isWeekly && figure('avpSales', TIER_LABELS.avpSales, 'Sales on sites that count for AVP'),
    pays === 'tiers' && [
      figure(
        'payoutPhp',
        TIER_LABELS.payoutPhp,
        'AVP sales × the pesos of the agent’s tier in their week',
      ),
      figure(
        'payoutDollars',
        TIER_LABELS.payoutDollars,
        'AVP sales × the dollars of the agent’s tier',
      ),
    ],
    hasBonus && [
      bonus(figure('bonusSales', labels.bonusSales)),
      bonus(
        figure('bonusRatio', labels.bonusRatio, `${labels.bonusSales} per 100 ${labels.sales}`),
      ),
    ],
    // Next to pay by tier, pay at the sales' own rates would seem to contradict it.
    pays === undefined ? [earnings, payouts] : pays === 'rates' && payouts,
    // On payrolls, link types come last, so that the amounts to pay stay in view.
    pays !== undefined && [ofTypes, earnings],
    lppVisible &&
      groupings[groupBy].hasPoints && [
        figure('lpp', 'Lpp', 'Points of the sales'),
        figure('lppPrev', 'Lpp prev', 'Points of the equally long period just before'),
      ],
  ]
  return columns.flat(4).filter((column) => column !== false)
}

/** The heading of an amount that is shown outside its table. */
export function amountHeader(
  column: AmountColumn,
  {
    useApproveSale,
    typename = 'Link type',
  }: { useApproveSale: boolean; typename?: string | undefined },
): string {
  if (!isAmountName(column)) return isPayoutColumn(column) ? `${typename} ₱` : typename
  return { ...figureLabels({ useApproveSale }), ...TIER_LABELS }[column]
}

const TIER_LABELS = { avpSales: 'AVP Sales', payoutPhp: 'Payout ₱', payoutDollars: 'Payout $' }

/** The headings of an agent's tier and of the sales behind it. */
export const tierHeaders = { avpPeriod: 'AVP', agent_avp_sales_count: 'Week’s AVP Sales' } as const

/** The headings of sales and bonuses. An approve-sale site names them after its two days. */
const figureLabels = ({ useApproveSale }: { useApproveSale: boolean }) =>
  useApproveSale ? APPROVE_SALE_LABELS : LABELS

const LABELS = {
  sales: 'Sales',
  bonusSales: 'Bonus Sales',
  bonusRatio: 'Bonus Ratio',
  earn: 'Earn',
  bonusEarn: 'Bonus Earn',
  payout: 'Payout',
  bonusPayout: 'Bonus Payout',
}

/** On an approve-sale site the bonus fields hold the second day. */
const APPROVE_SALE_LABELS: typeof LABELS = {
  sales: eventTypeLabel(EVENT_TYPE.sale, { useApproveSale: true }),
  bonusSales: eventTypeLabel(EVENT_TYPE.bonus, { useApproveSale: true }),
  bonusRatio: 'Day#2 Ratio',
  earn: 'Day#1 Earn',
  bonusEarn: 'Day#2 Earn',
  payout: 'Day#1 Payout',
  bonusPayout: 'Day#2 Payout',
}

const figure = (id: SumName | 'bonusRatio', header: string, note?: string): StatsFigure => ({
  id,
  header,
  ...(note && { note }),
  sortField: id,
  kind: statFigures[id].kind,
  value: (amounts) => amounts[id],
})

const typeCount = (id: number, typename: string): StatsFigure => ({
  id: `type-${id}`,
  header: typename,
  sortField: String(id),
  kind: 'count',
  value: (amounts) => amounts[`${id}`],
})

function typePayout(id: number, typename: string): StatsFigure {
  const column: PayoutColumn = `${id}_payout`
  return {
    id: column,
    header: `${typename} ₱`,
    note: `What ${typename} pays, without bonuses`,
    sortField: column,
    kind: 'pesos',
    value: (amounts) => amounts[column],
  }
}

const bonus = (column: StatsFigure): StatsFigure => ({ ...column, bonus: true })
