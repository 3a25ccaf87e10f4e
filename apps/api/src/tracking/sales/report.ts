import type { FieldMessages } from '@tallyroom/contract/errors'
import type { ClickIdFields } from '@tallyroom/domain/click-id'
import type {
  CountedEvent,
  PostbackEvent,
  Reversal,
  ReversibleEvent,
} from '@tallyroom/domain/event-types'
import type { HoldAct, HoldKind, PartRule } from '@tallyroom/domain/holds'
import type { Tx } from '../../db/database.ts'
import type { ExtraRow, SaleLedger } from './ledger.ts'

/** A merchant's report: a sale, bonus or paid click, or the reversal of one. */
export type Report = SaleReport | ReversalReport

export type SaleReport = ReportBase & {
  kind: 'sale'
  click: ReportedClick
  event: CountedEvent
  /** The link type that was sold, if it is known otherwise than by its alias. */
  productId?: number | undefined
  /** When it happened, if an earlier report said so and this one says that it counts. Default: `occurredAt`. */
  happenedAt?: Date | undefined
  /** The names of the parameters in which its postback differs from a kept one of its click, so that they may be two orders. */
  differsFrom: (params: unknown) => string[]
}

export type ReversalReport = ReportBase & {
  kind: 'reversal'
  /** Optional if there is a transaction id. */
  click: ReportedClick | undefined
  /** Its click id is none of ours, so it takes back an order of a code alone. */
  onlyByCode?: boolean | undefined
  reversal: Reversal
  /** The event to reverse. Defaults to whatever of the order counts. */
  target: ReversibleEvent | undefined
  /** The sale that staff chose, if the report does not say which. */
  chosen?: string | undefined
  /** An amount that was given and can't be read, as sent. */
  unreadable: string | undefined
  /** The merchant's own number of the refund: two refunds of the same amount are two. */
  refundNumber: string | undefined
}

type ReportBase = {
  /** The postback that brought it. */
  postbackId: string
  siteId: number
  /** The site's rules for its orders. */
  rules: OrderRules
  /** The site's approve-sale flag at the time of the report. */
  useApproveSale: boolean
  transactionId: string | undefined
  /** A link type's alias. Defaults to the click's link type. */
  typeAlias: string | undefined
  customerEmail: string | undefined
  /** What the merchant reports as its own figures. */
  amount: MerchantAmount | undefined
  occurredAt: Date
  /** Whether the merchant gave the time. Otherwise the report may be a late copy of an earlier one. */
  isDated: boolean
  /** Whether the merchant says with a status that it counts, or no longer counts, whatever came before. */
  insists: boolean
  /** What staff chose to do about it, if it was held. */
  act?: HoldAct | undefined
  /**
   * How to handle a date well before the click, or for a reversal before the sale: `hold` it for a decision, or
   * `redate` it to that time. `keep` is for dates from our own clock.
   */
  ifEarly: 'keep' | 'hold' | 'redate'
  recordedAt: Date
}

/** How a site's orders are counted. */
export type OrderRules = {
  /** An order may hold several of the site's link types. */
  severalProducts: boolean
  /** Days after the click on which sales count; 0: for ever. */
  countsForDays: number
  /** What a reversal does whose amount is smaller than the sale's. */
  partRule: PartRule
}

/** In ten-thousandths of the currency, if that was given. */
export type MerchantAmount = { e4: number; currency: string | undefined }

/** An authentic click id with its fields. */
export type ReportedClick = ClickIdFields & { id: string }

/** The outcome of a report. Only `recorded` has written something that counts. */
export type SaleOutcome =
  | {
      outcome: 'recorded'
      eventId: string
      typeId: number
      agentId: number
      /** For staff: why it pays nothing, or why its date differs from the reported one. */
      notice?: string | undefined
      /** Of each other click for which the same report has taken the order back, one reversal. */
      takenBack?: readonly { agentId: number; eventId: string }[] | undefined
      isPart?: IsPart
    }
  /** `eventId` is that of the original, if it is known. */
  | { outcome: 'duplicate'; eventId: string | undefined; reason: string; isPart?: IsPart }
  | { outcome: 'waiting'; waitsFor: 'click' | 'sale'; reason: string }
  | Held
  /** The merchant has not approved it yet, or says that it does not count. Nothing was recorded before either. */
  | { outcome: 'pending'; reason: string }
  | { outcome: 'rejected'; reason: string }
  /** It says nothing about a sale, as agreed. */
  | { outcome: 'ignored'; reason: string }
  | { outcome: 'refused'; data: FieldMessages }

/** It takes back a part of the order, so it decides nothing about what is pending of it. */
type IsPart = true | undefined

/** Kept for a person to decide. */
export type Held = {
  outcome: 'conflict'
  kind: HoldKind
  reason: string
  /** When it may be recorded, if only its date is in conflict. */
  earliestAt?: Date
  /** The words in it for which it is held. They are decided one after the other. */
  words?: readonly HeldWord[] | undefined
}

/** A word of a postback that a person has to explain, by its parameter in the spelling by which names are compared. */
export type HeldWord = {
  parameter: string
  /** The parameter as sent. */
  name: string
  /** In lower case. */
  word: string
  /** What happened, if the word is left out. */
  event: PostbackEvent
  /** It says by itself that money goes back. */
  takesBack?: true | undefined
}

export const hold = (kind: HoldKind, reason: string, words?: readonly HeldWord[]): Held => ({
  outcome: 'conflict',
  kind,
  reason,
  ...(words && { words }),
})

export type RecordOptions = {
  ledger: SaleLedger
  /** Rows to insert atomically with a sale. */
  alsoInsert?: (written: Extract<SaleOutcome, { outcome: 'recorded' }>) => ExtraRow[]
  /** Writes what has to be there before an order is looked at that is not plainly new. */
  beforeDoubt?: (tx: Tx) => Promise<void>
  /** Record a sale whose click has no row, for the agent in the id and their current office. */
  attributeFromId?: boolean
}

/** How far a merchant's clock may be behind ours. */
export const MOST_LAG_MS = 5 * 60_000

/**
 * The date of a report that cannot have happened before `earliestAt`, the time of its click or of the sale that
 * it reverses. Undefined if staff must decide, since days that were already paid would change.
 */
export function dateOf(
  { occurredAt, ifEarly }: Pick<Report, 'occurredAt' | 'ifEarly'>,
  earliestAt: Date,
): Date | undefined {
  const isEarly = earliestAt.getTime() - occurredAt.getTime() > MOST_LAG_MS
  if (!isEarly || ifEarly === 'keep') return occurredAt
  return ifEarly === 'redate' ? earliestAt : undefined
}

/** An outcome that staff must settle. */
export const heldFor = (origin: keyof typeof ORIGINS, earliestAt: Date): Held => ({
  ...hold('early', `It is dated more than five minutes before ${ORIGINS[origin]}.`),
  earliestAt,
})

/** What a report can't be earlier than. */
const ORIGINS = {
  click: 'its click',
  sale: 'its sale',
  code: 'its coupon code counted',
}
