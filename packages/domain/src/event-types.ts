/** What an event is called on a site: on a page, and to partners and programs, which hear of none that does not count. */
type Names = { label: string; told: 'sale' | 'bonus' | 'approval' | null }

type Kind = {
  /** In the API and the database. */
  number: number
  /** It is in the totals, partners hear of it, and it can be taken back. */
  counts: boolean
  /** Statements pay it. */
  isBooked: boolean
  plain: Names
  /** On a site with approve-sale. */
  approveSale: Names
}

/**
 * The kinds of events that a sale log has. Whatever depends on the kind is here, or in a table that must have an entry for each
 * (`Record<EventKind, …>`), so that the compiler names the places that a new kind needs. The check of `event_type` in the
 * database, which a test compares with this, is changed by a migration.
 */
const KINDS = {
  /** On a site with approve-sale, the approval of day 1. */
  sale: {
    number: 0,
    counts: true,
    isBooked: true,
    plain: { label: 'Sale', told: 'sale' },
    approveSale: { label: 'Day#1 Approval', told: 'approval' },
  },
  /** On a site with approve-sale, the sale of day 2. */
  bonus: {
    number: 1,
    counts: true,
    isBooked: true,
    plain: { label: 'Bonus', told: 'bonus' },
    approveSale: { label: 'Day#2 Sale', told: 'sale' },
  },
  /** A paid click that the merchant reports. It pays nothing and does not count as a sale. */
  click: {
    number: 2,
    counts: false,
    isBooked: false,
    plain: { label: 'Click', told: null },
    approveSale: { label: 'Click', told: null },
  },
} as const satisfies Record<string, Kind>

export type EventKind = keyof typeof KINDS
export const EVENT_KINDS = Object.keys(KINDS) as [EventKind, ...EventKind[]] // Object.keys forgets the key type

type NumberOf<Of extends EventKind> = (typeof KINDS)[Of]['number']
type KindsThat<Does extends 'counts' | 'isBooked'> = {
  [Of in EventKind]: (typeof KINDS)[Of][Does] extends true ? Of : never
}[EventKind]

/** The kinds that count. */
export type CountedKind = KindsThat<'counts'>
export const COUNTED_KINDS = EVENT_KINDS.filter((kind): kind is CountedKind => KINDS[kind].counts)

/** The kinds that statements pay. */
export type BookedKind = KindsThat<'isBooked'>
export const BOOKED_KINDS = EVENT_KINDS.filter((kind): kind is BookedKind => KINDS[kind].isBooked)

export type EventType = NumberOf<EventKind>
export type BookedType = NumberOf<BookedKind>

/** The kinds by name, as numbers. */
export const EVENT_TYPE = {
  sale: KINDS.sale.number,
  bonus: KINDS.bonus.number,
  click: KINDS.click.number,
} as const satisfies { [Of in EventKind]: NumberOf<Of> }

/** The kinds that have these numbers. */
type KindOf<Type extends EventType> = {
  [Of in EventKind]: NumberOf<Of> extends Type ? Of : never
}[EventKind]

const KIND_OF: ReadonlyMap<number, EventKind> = new Map(
  EVENT_KINDS.map((kind) => [KINDS[kind].number, kind]),
)

/** @throws RangeError for what is no event type, such as one of a newer version's database. */
export function eventKindOf<Type extends EventType>(type: Type): KindOf<Type> {
  const kind = KIND_OF.get(type)
  if (kind === undefined) throw new RangeError(`No event type: ${type}`)
  return kind as KindOf<Type> // its number is the type
}

export const isEventType = (number: number): number is EventType => KIND_OF.has(number)

/** Whether a site used approve-sale when a sale was made, by which its events are named. */
export type SaleNaming = { useApproveSale: boolean }

const namesOf = (kind: EventKind, { useApproveSale }: SaleNaming): Names =>
  KINDS[kind][useApproveSale ? 'approveSale' : 'plain']

/** The name of an event on pages. Empty if the number is not an event type. */
export const eventTypeLabel = (
  number: number,
  site: SaleNaming = { useApproveSale: false },
): string => (isEventType(number) ? namesOf(eventKindOf(number), site).label : '')

/** What partners, programs and files call an event that counts. */
export type ToldEvent = NonNullable<Names['told']>

export const TOLD_EVENTS = ['sale', 'bonus', 'approval'] as const satisfies readonly ToldEvent[]

/** What partners and programs hear an event called; null for one that does not count. */
export const toldEventOf = (type: EventType, site: SaleNaming): ToldEvent | null =>
  namesOf(eventKindOf(type), site).told

/** The event names of postbacks. */
export type PostbackEvent = CountedEvent | Reversal

type Reported = {
  /** The kind that it is on a site without approve-sale, and on one with it, provided that the link type has all its rates. */
  plain: EventKind
  approveSale: EventKind
  /** A reversal can name it. */
  isReversible: boolean
}

/** What merchants can report, besides reversals. In the order of the documentation. */
const REPORTED = {
  sale: { plain: 'sale', approveSale: 'bonus', isReversible: true },
  bonus: { plain: 'bonus', approveSale: 'bonus', isReversible: true },
  click: { plain: 'click', approveSale: 'click', isReversible: false },
  approval: { plain: 'sale', approveSale: 'sale', isReversible: true },
  /** A customer paid again, such as each month; counted as a bonus, as many as come. */
  rebill: { plain: 'bonus', approveSale: 'bonus', isReversible: true },
} as const satisfies Record<string, Reported>

export type CountedEvent = keyof typeof REPORTED

/** The events that a reversal can reverse. */
export type ReversibleEvent = {
  [Event in CountedEvent]: (typeof REPORTED)[Event]['isReversible'] extends true ? Event : never
}[CountedEvent]

export type Reversal = (typeof REVERSALS)[number]

export const REVERSALS = ['void', 'chargeback', 'fraud'] as const

export const COUNTED_EVENTS = Object.keys(REPORTED) as [CountedEvent, ...CountedEvent[]] // as above
export const POSTBACK_EVENTS = [...COUNTED_EVENTS, ...REVERSALS] as const

/** What a merchant's own word may mean: an event, or nothing, so that it is ignored. */
export const EVENT_MEANINGS = [...POSTBACK_EVENTS, 'nothing'] as const
export type EventMeaning = (typeof EVENT_MEANINGS)[number]

export const isEventMeaning = (word: string): word is EventMeaning =>
  EVENT_MEANINGS.some((meaning) => meaning === word)

/** The event names that a site takes: only one with approve-sale has approvals. */
export const postbackEventsOf = ({ useApproveSale }: SaleNaming): readonly PostbackEvent[] =>
  POSTBACK_EVENTS.filter((event) => useApproveSale || event !== 'approval')

export const isPostbackEvent = (word: string): word is PostbackEvent =>
  POSTBACK_EVENTS.some((event) => event === word)

export const isReversible = (word: string): word is ReversibleEvent =>
  COUNTED_EVENTS.some((event) => event === word && REPORTED[event].isReversible)

export const isReversal = (event: PostbackEvent): event is Reversal =>
  REVERSALS.some((reversal) => reversal === event)

/** The event type of a postback event, provided that the link type has all its rates. */
export const eventTypeOf = (event: CountedEvent, { useApproveSale }: SaleNaming): EventType =>
  EVENT_TYPE[REPORTED[event][useApproveSale ? 'approveSale' : 'plain']]
