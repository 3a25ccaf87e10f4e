import { eventTypeLabel, EVENT_TYPE } from '@tallyroom/domain/event-types'

/** What the columns of sales and bonuses are called; on a site with approve-sale, by its two days. */
export const figureLabels = ({ useApproveSale }: { useApproveSale: boolean }) =>
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
