import type { FieldMessages } from '@tallyroom/contract/errors'
import type { ClickIdFields } from '@tallyroom/domain/click-id'
import type { CountedEvent, Reversal, ReversibleEvent } from '@tallyroom/domain/event-types'
import type { Layout } from '../../db/citus/layout.ts'
import type { ExtraRow } from './ledger.ts'

/** A merchant's report: a sale, bonus or paid click, or the reversal of one. */
export type Report = SaleReport | ReversalReport

export type SaleReport = ReportBase & { kind: 'sale'; click: ReportedClick; event: CountedEvent }

export type ReversalReport = ReportBase & {
  kind: 'reversal'
  /** Optional if there is a transaction id. */
  click: ReportedClick | undefined
  reversal: Reversal
  /** The event to reverse. Defaults to the sale, or else the bonus. */
  target: ReversibleEvent | undefined
}

type ReportBase = {
  /** The postback that brought it. */
  postbackId: string
  siteId: number
  /** The site's approve-sale flag on arrival. */
  useApproveSale: boolean
  transactionId: string | undefined
  /** A link type's alias. Defaults to the click's link type. */
  typeAlias: string | undefined
  customerEmail: string | undefined
  occurredAt: Date
  /**
   * How to handle a date well before the click, or for a reversal before the sale: `hold` it for a decision, or
   * `redate` it to that time. `keep` is for dates from our own clock.
   */
  ifEarly: 'keep' | 'hold' | 'redate'
  recordedAt: Date
}

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
    }
  /** `eventId` is that of the original. */
  | { outcome: 'duplicate'; eventId: string; reason: string }
  | { outcome: 'waiting'; waitsFor: 'click' | 'sale'; reason: string }
  /** `earliestAt`: when it may be recorded, if only its date is in conflict. */
  | { outcome: 'conflict'; reason: string; earliestAt?: Date }
  | { outcome: 'refused'; data: FieldMessages }

export type RecordOptions = {
  layout: Layout
  /** Rows to insert atomically with a sale. */
  alsoInsert?: (written: Extract<SaleOutcome, { outcome: 'recorded' }>) => ExtraRow[]
  /** Record a sale whose click has no row, for the agent in the id and their current office. */
  attributeFromId?: boolean
}

/** How far a merchant's clock may be behind ours. */
const MOST_LAG_MS = 5 * 60_000

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
export const heldFor = (
  origin: 'click' | 'sale',
  earliestAt: Date,
): Extract<SaleOutcome, { outcome: 'conflict' }> => ({
  outcome: 'conflict',
  reason: `It is dated more than five minutes before its ${origin}.`,
  earliestAt,
})
