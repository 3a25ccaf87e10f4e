import type { FieldMessages } from '@tallyroom/contract/errors'
import type { ClickIdFields } from '@tallyroom/domain/click-id'
import type { CountedEvent, Reversal, ReversibleEvent } from '@tallyroom/domain/event-types'
import type { Layout } from '../../db/citus/layout.ts'
import type { ExtraRow } from './ledger.ts'

/** What a merchant says happened: a sale, bonus or paid click, or that one of them is taken back. */
export type Report = SaleReport | ReversalReport

export type SaleReport = ReportBase & { kind: 'sale'; click: ReportedClick; event: CountedEvent }

export type ReversalReport = ReportBase & {
  kind: 'reversal'
  /** Not needed when there is a transaction id. */
  click: ReportedClick | undefined
  reversal: Reversal
  /** What to take back; undefined: the sale, or else the bonus. */
  target: ReversibleEvent | undefined
}

type ReportBase = {
  /** Of the postback that brought it. */
  postbackId: string
  siteId: number
  /** Approve-sale of the site when the report came. */
  useApproveSale: boolean
  transactionId: string | undefined
  /** A link type's alias; undefined: the click's type. */
  typeAlias: string | undefined
  customerEmail: string | undefined
  occurredAt: Date
  /**
   * When it is dated well before its click, or a reversal before its sale: `hold` it for a person to decide, or `redate`
   * it to that instant. `keep` the date that is not the merchant's but our own clock's.
   */
  ifEarly: 'keep' | 'hold' | 'redate'
  recordedAt: Date
}

/** An authentic click id and what it says. */
export type ReportedClick = ClickIdFields & { id: string }

/** What becomes of a report. Only `recorded` wrote anything that counts. */
export type SaleOutcome =
  | {
      outcome: 'recorded'
      eventId: string
      typeId: number
      agentId: number
      /** For staff: why it pays nothing, or why it is dated otherwise than reported. */
      notice?: string | undefined
    }
  /** `eventId` is the first one's. */
  | { outcome: 'duplicate'; eventId: string; reason: string }
  | { outcome: 'waiting'; waitsFor: 'click' | 'sale'; reason: string }
  /** `earliestAt`: what it may be recorded at, when only its date is in the way. */
  | { outcome: 'conflict'; reason: string; earliestAt?: Date }
  | { outcome: 'refused'; data: FieldMessages }

export type RecordOptions = {
  layout: Layout
  /** Rows that a sale is written with, or not at all. */
  alsoInsert?: (written: Extract<SaleOutcome, { outcome: 'recorded' }>) => ExtraRow[]
  /** Record a sale whose click has no row: the id says whose it is, and the agent's present office gets it. */
  attributeFromId?: boolean
}

/** How far a merchant's clock may be behind ours. */
const MOST_LAG_MS = 5 * 60_000

/**
 * What a report is dated, when nothing of it can have happened before `earliestAt`: that of its click, or of the
 * sale that it reverses. Undefined when a person has to decide: days that were paid would change.
 */
export function dateOf(
  { occurredAt, ifEarly }: Pick<Report, 'occurredAt' | 'ifEarly'>,
  earliestAt: Date,
): Date | undefined {
  const isEarly = earliestAt.getTime() - occurredAt.getTime() > MOST_LAG_MS
  if (!isEarly || ifEarly === 'keep') return occurredAt
  return ifEarly === 'redate' ? earliestAt : undefined
}

/** To be settled by a person. */
export const heldFor = (
  origin: 'click' | 'sale',
  earliestAt: Date,
): Extract<SaleOutcome, { outcome: 'conflict' }> => ({
  outcome: 'conflict',
  reason: `It is dated more than five minutes before its ${origin}.`,
  earliestAt,
})
