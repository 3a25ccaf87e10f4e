import { eventTypeLabel, type EventType, type Reversal } from '@tallyroom/domain/event-types'

/** The record type, in the site's terms. */
export const recordLabel = ({
  eventType,
  useApproveSale,
}: {
  eventType: EventType
  useApproveSale: boolean
}) => eventTypeLabel(eventType, { useApproveSale })

export const REVERSAL_LABELS: Record<Reversal, string> = {
  void: 'Void',
  chargeback: 'Chargeback',
  fraud: 'Fraud',
}
