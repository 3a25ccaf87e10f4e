import { EVENT_TYPE, eventTypeLabel, type SaleNaming } from '@tallyroom/domain/event-types'

/** The names of a sale and a bonus on a site. With approve-sale: Day#1 Approval and Day#2 Sale. */
export const saleLabels = (site: SaleNaming) => ({
  /** Empty without approve-sale, so that a column is simply named Payout. */
  sale: site.useApproveSale ? eventTypeLabel(EVENT_TYPE.sale, site) : '',
  bonus: eventTypeLabel(EVENT_TYPE.bonus, site),
})

/** `Payout`, or `Day#1 Approval Payout`. */
export const labelled = (step: string, figure: string) => (step ? `${step} ${figure}` : figure)
