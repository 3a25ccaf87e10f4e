import type { DateDecision, PostbackAnswer } from '@tallyroom/contract/postbacks'
import { isPostbackEvent, isReversible, type ReversibleEvent } from '@tallyroom/domain/event-types'
import type { Layout } from '../../db/citus/layout.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Services } from '../../services.ts'
import { MOST_SKEW_MS } from '../../lib/clock.ts'
import { type ClickIds, makeClickIds } from '../clicks/index.ts'
import { recordSaleEvent, type SaleOutcome } from '../sales/index.ts'
import {
  type KeptPostback,
  type Settlement,
  type WaitingPostback,
  deleteHeld,
  deleteWaiting,
  findDueWaiting,
  findKeptPostback,
  insertHeld,
  insertSettlement,
  lockHeld,
  lockWaiting,
  postponeWaiting,
} from './kept-postbacks.queries.ts'
import { readClick, reasonOf } from './receive-postback.ts'
import { saleReportOf } from './parse-postback.ts'

export type SettleNeeds = Pick<Services, 'db' | 'layout' | 'clock' | 'secret' | 'formerSecrets'>

/** A click that has not arrived by then is lost, and its authenticated id is used instead. */
const ATTRIBUTE_AFTER_MS = 60 * 60_000

/** After this time a postback is shown as unmatched and no longer retried, unless requested. */
export const UNMATCHED_AFTER_MS = 3 * 86_400_000

const LONGEST_WAIT_MS = 10 * 60_000

/**
 * Retries all waiting postbacks that are due, oldest first, each in its own transaction. Several processes
 * share the work.
 */
export async function settleWaiting(services: SettleNeeds): Promise<void> {
  const clickIds = makeClickIds(services.secret, services.formerSecrets)
  for (;;) {
    const waiting = await takeDue(services)
    if (!waiting) return
    await settleOne(services, clickIds, waiting)
  }
}

/** Reschedules it before the attempt, so that a failing postback does not block others. */
const takeDue = ({ db, clock }: SettleNeeds): Promise<WaitingPostback | undefined> =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const latest = new Date(now.getTime() + LONGEST_WAIT_MS + MOST_SKEW_MS)
    const waiting = await findDueWaiting(tx, { now, latest })
    if (waiting) {
      const nextTryAt = new Date(now.getTime() + waitMs(waiting.tries))
      await postponeWaiting(tx, waiting.postbackId, nextTryAt)
    }
    return waiting
  })

/** 4, 8, 16 … seconds, at most ten minutes. */
const waitMs = (tries: number) => Math.min(LONGEST_WAIT_MS, 4_000 * 2 ** Math.min(tries, 20))

const settleOne = (
  { db, layout, clock }: SettleNeeds,
  clickIds: ClickIds,
  { postbackId, receivedAt }: WaitingPostback,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const postback = await findLocked(tx, postbackId)
    if (!postback || isFinal(postback)) return
    const now = clock.now()
    const ageMs = now.getTime() - receivedAt.getTime()
    const attributeFromId = ageMs >= ATTRIBUTE_AFTER_MS
    const outcome = await settle(tx, postback, {
      layout,
      clickIds,
      now,
      attributeFromId,
      settledBy: null,
    })
    if (outcome.outcome === 'waiting' && ageMs >= UNMATCHED_AFTER_MS) {
      await deleteWaiting(tx, postbackId)
    }
  })

/** The postback, once no concurrent settlement holds it. */
export async function findLocked(tx: Tx, postbackId: string): Promise<KeptPostback | undefined> {
  await lockWaiting(tx, postbackId)
  await lockHeld(tx, postbackId)
  return findKeptPostback(tx, postbackId)
}

export const isFinal = ({ outcome, settledOutcome }: KeptPostback): boolean =>
  settledOutcome !== null || !['waiting', 'conflict'].includes(outcome)

/** Records the postback in the same way as one that arrived in time, and stores the outcome. */
export async function settle(
  tx: Tx,
  postback: KeptPostback,
  by: {
    layout: Layout
    clickIds: ClickIds
    now: Date
    attributeFromId: boolean
    settledBy: number | null
    /** The decision about its date. */
    decision?: DateDecision
  },
): Promise<SaleOutcome> {
  const reported = await deliver(tx, postback, by)
  if (reported.outcome === 'conflict' && reported.earliestAt) {
    const { reason, earliestAt } = reported
    await deleteWaiting(tx, postback.id)
    await insertHeld(tx, { postbackId: postback.id, heldAt: by.now, reason, earliestAt })
    return reported
  }
  // A postback that was answered without a conflict must not become one later, so it ends here.
  const outcome: SaleOutcome =
    reported.outcome === 'conflict' && postback.outcome !== 'conflict'
      ? { outcome: 'refused', data: { _form: [reported.reason] } }
      : reported
  const settlement = settlementOf(outcome)
  if (settlement) {
    await deleteWaiting(tx, postback.id)
    await deleteHeld(tx, postback.id)
    await insertSettlement(tx, {
      ...settlement,
      postbackId: postback.id,
      settledAt: by.now,
      settledBy: by.settledBy,
    })
  }
  return outcome
}

async function deliver(
  tx: Tx,
  postback: KeptPostback,
  by: { layout: Layout; attributeFromId: boolean } & Parameters<typeof saleReportOfKept>[1],
): Promise<SaleOutcome> {
  if (by.decision === 'refuse') {
    return {
      outcome: 'refused',
      data: { _form: ['Refused by staff: it is dated before its click or sale.'] },
    }
  }
  const report = saleReportOfKept(postback, by)
  if (!report) {
    const reason = 'The stored postback can no longer be read. Ask the merchant to send it again.'
    return { outcome: 'refused', data: { _form: [reason] } }
  }
  const outcome = await recordSaleEvent(tx, report, by)
  if (by.decision !== 'record' || outcome.outcome !== 'recorded') return outcome
  const origin = report.kind === 'reversal' ? 'sale' : 'click'
  const dated = `Counted at the time of its ${origin}, because it was dated earlier.`
  return { ...outcome, notice: outcome.notice ? `${outcome.notice} ${dated}` : dated }
}

function saleReportOfKept(
  postback: KeptPostback,
  { clickIds, now, decision }: { clickIds: ClickIds; now: Date; decision?: DateDecision },
) {
  const { siteId, useApproveSale, event } = postback
  if (siteId === null || useApproveSale === null || !event || !isPostbackEvent(event)) {
    return undefined
  }
  return saleReportOf(
    {
      event,
      target: reversesIn(postback.params),
      transactionId: postback.transactionId ?? undefined,
      typeAlias: postback.typeAlias ?? undefined,
      customerEmail: postback.customerEmail ?? undefined,
      occurredAt: postback.occurredAt ?? postback.receivedAt,
    },
    {
      click: readClick(clickIds, postback.clickId),
      postbackId: postback.id,
      site: { id: siteId, useApproveSale },
      ifEarly: decision === 'record' ? 'redate' : 'hold',
      receivedAt: postback.receivedAt,
      recordedAt: now,
    },
  )
}

/** The target has no column, because it is rarely given. */
function reversesIn(params: unknown): ReversibleEvent | undefined {
  if (typeof params !== 'object' || params === null) return undefined
  const [, value] = Object.entries(params).find(([name]) => name.toLowerCase() === 'reverses') ?? []
  const word = typeof value === 'string' ? value.trim().toLowerCase() : ''
  return isReversible(word) ? word : undefined
}

type Final = Pick<Settlement, 'outcome' | 'reason' | 'eventId'>

/** Undefined while the outcome does not change. */
function settlementOf(outcome: SaleOutcome): Final | undefined {
  switch (outcome.outcome) {
    case 'recorded':
      return { outcome: 'recorded', reason: outcome.notice ?? null, eventId: outcome.eventId }
    case 'duplicate':
      return { outcome: 'duplicate', reason: outcome.reason, eventId: outcome.eventId }
    case 'refused':
      return { outcome: 'refused', reason: reasonOf(outcome.data), eventId: null }
    case 'conflict':
    case 'waiting':
      return undefined
  }
}

export function presentOutcome(id: string, outcome: SaleOutcome, ageMs: number): PostbackAnswer {
  switch (outcome.outcome) {
    case 'recorded':
      return { id, outcome: 'recorded', eventId: outcome.eventId, reason: outcome.notice }
    case 'duplicate':
      return { id, outcome: 'duplicate', eventId: outcome.eventId, reason: outcome.reason }
    case 'conflict':
      return { id, outcome: 'conflict', reason: outcome.reason }
    case 'refused':
      return { id, outcome: 'refused', reason: reasonOf(outcome.data) }
    case 'waiting':
      return {
        id,
        outcome: ageMs >= UNMATCHED_AFTER_MS ? 'unmatched' : 'waiting',
        reason: outcome.reason,
      }
  }
}
