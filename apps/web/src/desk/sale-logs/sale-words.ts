import { eventTypeLabel, type EventType, type Reversal } from '@tallyroom/domain/event-types'

/** The record type, in the site's terms. */
export const recordLabel = ({
  eventType,
  useApproveSale,
}: {
  eventType: EventType
  useApproveSale: boolean
}) => eventTypeLabel(eventType, { useApproveSale })

/** What the merchant says that its customer paid, or got back: `49.9 USD`. */
export const reportedText = ({
  amount,
  currency,
}: {
  amount: number
  currency: string | null
}): string => `${amount}${currency === null ? '' : ` ${currency}`}`

export const REVERSAL_LABELS: Record<Reversal, string> = {
  void: 'Void',
  chargeback: 'Chargeback',
  fraud: 'Fraud',
}
