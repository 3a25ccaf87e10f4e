import type { BookedEvent, StatementLine } from '@tallyroom/contract/pay/bookings/statement-lines'
import { eventTypeLabel, isEventType } from '@tallyroom/domain/event-types'
import { formatCount } from '@tallyroom/domain/money'

/** What was booked: the event, a part or a difference of it, or what took it back. */
export function bookedKind({
  eventType,
  reversal,
  quantity,
  isPart,
  useApproveSale,
}: Pick<BookedEvent, 'eventType' | 'reversal' | 'quantity' | 'isPart' | 'useApproveSale'>): string {
  const name = isEventType(eventType) ? eventTypeLabel(eventType, { useApproveSale }) : ''
  if (isPart) return `${name}: part refunded`
  if (quantity === 0) return `${name}: difference from backdated rates`
  if (quantity > 0) return name
  return reversal === null ? `${name} reversed` : `${name} reversed: ${reversal}`
}

/** What a line’s amount was proven to be the sum of. */
export const provenText = ({ total, earlier }: Pick<StatementLine, 'total' | 'earlier'>): string =>
  `The sum of ${formatCount(total)} ${total === 1 ? 'booking' : 'bookings'}${earlier.length > 0 ? ', less what was paid before' : ''}`
