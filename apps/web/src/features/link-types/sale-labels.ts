import { EVENT_TYPE, eventTypeLabel, type SaleNaming } from '@tallyroom/domain/event-types'

/** What a sale and a bonus are called on a site: with approve-sale, Day#1 Approval and Day#2 Sale. */
export const saleLabels = (site: SaleNaming) => ({
  /** Empty where there is nothing to tell apart: then a figure is simply the payout. */
  sale: site.useApproveSale ? eventTypeLabel(EVENT_TYPE.sale, site) : '',
  bonus: eventTypeLabel(EVENT_TYPE.bonus, site),
})

/** `Payout`, or `Day#1 Approval Payout`. */
export const labelled = (step: string, figure: string) => (step ? `${step} ${figure}` : figure)
