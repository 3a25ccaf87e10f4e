/** Event types as numbers, in the API and the database (specification 1, section 3). */
export const EVENT_TYPE = {
  sale: 0,
  bonus: 1,
  /** A paid click that the merchant reports. It pays nothing and does not count as a sale. */
  click: 2,
} as const

export type EventType = (typeof EVENT_TYPE)[keyof typeof EVENT_TYPE]

/** On an approve-sale site, event 0 is the approval and event 1 the sale of day 2. */
export type SaleNaming = { useApproveSale: boolean }

const LABELS: Record<EventType, string> = { 0: 'Sale', 1: 'Bonus', 2: 'Click' }

const APPROVE_SALE_LABELS: Record<EventType, string> = {
  ...LABELS,
  0: 'Day#1 Approval',
  1: 'Day#2 Sale',
}

export const isEventType = (number: number): number is EventType => Object.hasOwn(LABELS, number)

/** Empty if the number is not an event type. */
export function eventTypeLabel(
  number: number,
  site: SaleNaming = { useApproveSale: false },
): string {
  if (!isEventType(number)) return ''
  return (site.useApproveSale ? APPROVE_SALE_LABELS : LABELS)[number]
}

/** The event names of postbacks. */
export type PostbackEvent = CountedEvent | Reversal

/** `rebill`: a customer paid again, such as each month; counted as a bonus, as many as come. */
export type CountedEvent = 'sale' | 'bonus' | 'click' | 'approval' | 'rebill'

/** The events that a reversal can reverse. */
export type ReversibleEvent = (typeof REVERSIBLE_EVENTS)[number]

const REVERSIBLE_EVENTS = [
  'sale',
  'approval',
  'bonus',
  'rebill',
] as const satisfies readonly CountedEvent[]

export type Reversal = (typeof REVERSALS)[number]

export const REVERSALS = ['void', 'chargeback', 'fraud'] as const

export const POSTBACK_EVENTS = [
  'sale',
  'bonus',
  'click',
  'approval',
  'rebill',
  ...REVERSALS,
] as const satisfies readonly PostbackEvent[]

/** The event names that a site takes: only one with approve-sale has approvals. */
export const postbackEventsOf = ({ useApproveSale }: SaleNaming): readonly PostbackEvent[] =>
  POSTBACK_EVENTS.filter((event) => useApproveSale || event !== 'approval')

export const isPostbackEvent = (word: string): word is PostbackEvent =>
  POSTBACK_EVENTS.some((event) => event === word)

export const isReversible = (word: string): word is ReversibleEvent =>
  REVERSIBLE_EVENTS.some((event) => event === word)

export const isReversal = (event: PostbackEvent): event is Reversal =>
  REVERSALS.some((reversal) => reversal === event)

/** The event type of a postback event, provided that the link type has all its rates. */
export function eventTypeOf(event: CountedEvent, site: SaleNaming): EventType {
  switch (event) {
    case 'sale':
      return site.useApproveSale ? EVENT_TYPE.bonus : EVENT_TYPE.sale
    case 'approval':
      return EVENT_TYPE.sale
    case 'bonus':
    case 'rebill':
      return EVENT_TYPE.bonus
    case 'click':
      return EVENT_TYPE.click
  }
}
