import type { PostbackAnswer } from '@tallyroom/contract/tracking/postbacks'
import {
  isPostbackEvent,
  isReversal,
  isReversible,
  type PostbackEvent,
  type ReversibleEvent,
} from '@tallyroom/domain/event-types'
import {
  changesNothing,
  type HoldAct,
  type IdleAct,
  partRuleOf,
  takesBackSale,
} from '@tallyroom/domain/holds'
import { findTracker } from '@tallyroom/domain/trackers'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Services } from '../../services.ts'
import { MOST_SKEW_MS } from '../../lib/clock.ts'
import { type ClickIds, makeClickIds } from '../clicks/click-id-signer.ts'
import type { SaleLedger } from '../sales/ledger.ts'
import type { Stores } from '../stores.ts'
import { findSaleNamed } from '../sales/sales.queries.ts'
import { hold, type SaleOutcome } from '../sales/report.ts'
import { recordSaleEvent } from '../sales/record-sale-event.ts'
import { deleteRejection } from '../sales/rejected-orders.queries.ts'
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
import { givenFields, type NameDialect } from '../reading/field-names.ts'
import { fieldsOfKept } from '../reading/free-parameters.ts'
import { type Reported, readReported } from '../reading/read-amount.ts'
import { readShop, type ShopReading } from '../reading/shop-bodies.ts'
import { takesBackReason } from '../reading/takes-back.ts'
import { findOrderNumber } from './order-numbers.queries.ts'
import { reasonOf } from './receive-postback.ts'
import { readClick } from './understand-postback.ts'
import { closeDecided, sinceFirstReport } from './pending.ts'
import { saleReportOf } from './parse-postback.ts'

export type SettleNeeds = Pick<Services & Stores, 'db' | 'ledger' | 'secret' | 'formerSecrets'>

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
const takeDue = ({ db }: SettleNeeds): Promise<WaitingPostback | undefined> =>
  inTransaction(db, async (tx) => {
    const now = tx.now
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
  { db, ledger }: SettleNeeds,
  clickIds: ClickIds,
  { postbackId, receivedAt }: WaitingPostback,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const postback = await findLocked(tx, postbackId)
    if (!postback || isFinal(postback)) return
    const now = tx.now
    const ageMs = now.getTime() - receivedAt.getTime()
    const attributeFromId = ageMs >= ATTRIBUTE_AFTER_MS
    const outcome = await settle(tx, postback, {
      ledger,
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

/** What staff chose to do about a held postback, and why. */
export type Chosen = {
  act: HoldAct
  note: string
  /** The sale to reverse, if it is not the one that the postback names. */
  saleId?: string | undefined
}

type SettleBy = {
  ledger: SaleLedger
  clickIds: ClickIds
  now: Date
  attributeFromId: boolean
  settledBy: number | null
  chosen?: Chosen | undefined
}

/** Records the postback in the same way as one that arrived in time, and stores the outcome. */
export async function settle(tx: Tx, kept: KeptPostback, by: SettleBy): Promise<SaleOutcome> {
  const postback = await withOrderNumber(tx, kept)
  const outcome = await deliver(tx, postback, by)
  if (outcome.outcome === 'conflict') {
    const { kind, reason, earliestAt = null } = outcome
    await deleteWaiting(tx, postback.id)
    await insertHeld(tx, { postbackId: postback.id, heldAt: by.now, kind, reason, earliestAt })
    return outcome
  }
  const settlement = settlementOf(outcome)
  if (settlement) {
    const standing = by.chosen?.act === 'reverse' ? 'rejected' : postback.standing
    await closeDecided(tx, { ...postback, standing }, outcome, by.now)
    await deleteWaiting(tx, postback.id)
    await deleteHeld(tx, postback.id)
    await insertSettlement(tx, {
      ...settlement,
      postbackId: postback.id,
      settledAt: by.now,
      settledBy: by.settledBy,
      act: by.chosen?.act ?? null,
      note: by.chosen?.note ?? null,
    })
  }
  return outcome
}

async function deliver(tx: Tx, postback: KeptPostback, by: SettleBy): Promise<SaleOutcome> {
  const act = by.chosen?.act
  if (changesNothing(act)) {
    await deleteRejection(tx, postback.id)
    return outcomeOfAct[act]
  }
  if (postback.takesBack !== null && act === undefined) {
    return hold('takes-back', takesBackReason(postback.takesBack))
  }
  const report = await saleReportOfKept(tx, postback, by)
  if (!report) {
    return refusedBecause(
      'The stored postback can no longer be read. Ask the merchant to send it again.',
    )
  }
  const since = report.kind === 'sale' ? await sinceFirstReport(tx, report, postback) : report
  const outcome = await recordSaleEvent(tx, since, by)
  if (act !== 'record' || outcome.outcome !== 'recorded' || postback.heldKind !== 'early') {
    return outcome
  }
  const origin = report.kind === 'reversal' ? 'sale' : 'click'
  const dated = `Counted at the time of its ${origin}, because it was dated earlier.`
  return { ...outcome, notice: outcome.notice ? `${outcome.notice} ${dated}` : dated }
}

const refusedBecause = (reason: string): SaleOutcome => ({
  outcome: 'refused',
  data: { _form: [reason] },
})

const outcomeOfAct: Record<IdleAct, SaleOutcome> = {
  refuse: refusedBecause('Refused by staff.'),
  'keep-first': refusedBecause('Refused by staff: the order stays with its first click.'),
  mistake: refusedBecause('Refused by staff: the merchant sent it by mistake.'),
  'was-retry': {
    outcome: 'duplicate',
    eventId: undefined,
    reason: 'Staff say that it was a retry of an earlier report. Nothing changed.',
  },
}

async function saleReportOfKept(tx: Tx, postback: KeptPostback, by: SettleBy) {
  const { siteId, useApproveSale, severalProducts, countsForDays, partRule } = postback
  const event = eventOf(postback, by.chosen?.act)
  if (siteId === null || useApproveSale === null || !event) return undefined
  const sale =
    by.chosen?.saleId === undefined ? undefined : await findSaleNamed(tx, by.chosen.saleId)
  return saleReportOf(
    {
      event,
      target:
        postback.reverses === null ? reversesIn(postback.params) : targetOf(postback.reverses),
      transactionId: (sale ? sale.transactionId : orderNumberOf(postback, by)) ?? undefined,
      typeAlias: sale ? undefined : (postback.typeAlias ?? undefined),
      customerEmail: postback.customerEmail ?? undefined,
      occurredAt: postback.occurredAt ?? postback.receivedAt,
      reported: {
        amountE4: postback.amountE4 ?? undefined,
        currency: postback.currency ?? undefined,
        ...refundOf(postback),
      },
      insists: postback.approved || postback.standing === 'rejected',
    },
    {
      click: readClick(by.clickIds, sale ? sale.clickId : postback.clickId),
      postbackId: postback.id,
      site: {
        id: siteId,
        useApproveSale,
        severalProducts: severalProducts ?? false,
        countsForDays: countsForDays ?? 0,
        partRule: partRuleOf(partRule),
      },
      act: by.chosen?.act,
      chosen: sale?.id,
      kept: postback.params,
      dialect: dialectOf(postback),
      receivedAt: postback.receivedAt,
      recordedAt: by.now,
    },
  )
}

/** An order of a click that has others and no number is called by its postback, which the merchant knows from our answer. */
const orderNumberOf = ({ id, transactionId }: KeptPostback, { chosen }: SettleBy): string | null =>
  transactionId ?? (chosen?.act === 'another-order' ? id : null)

/** What has no column of its own. */
const refundOf = (postback: KeptPostback): Pick<Reported, 'unreadable' | 'refundNumber'> =>
  readReported(readKept(postback).fields, true)

const readKept = (postback: KeptPostback): ShopReading =>
  readShop(givenFields(fieldsOfKept(postback.params)), dialectOf(postback))

const dialectOf = ({ clickParam, transactionIdIsClick, tracker }: KeptPostback): NameDialect => ({
  clickParam: clickParam ?? '',
  transactionIdIsClick: transactionIdIsClick ?? false,
  tracker: findTracker(tracker ?? ''),
})

/** The order of a shop's refund may have come after it, under its number. */
async function withOrderNumber(tx: Tx, postback: KeptPostback): Promise<KeptPostback> {
  const { orderId } = readKept(postback)
  if (orderId === undefined || postback.siteId === null) return postback
  const number = await findOrderNumber(tx, postback.siteId, orderId)
  return number === undefined ? postback : { ...postback, transactionId: number }
}

/** What takes money back under words that we do not read is a reversal once staff say so. */
function eventOf({ event, standing }: KeptPostback, act?: HoldAct): PostbackEvent | undefined {
  const isBack = standing === 'rejected' || takesBackSale(act)
  if (!event || !isPostbackEvent(event)) return isBack ? 'void' : undefined
  return isBack && !isReversal(event) ? 'void' : event
}

const targetOf = (word: string) => (isReversible(word) ? word : undefined)

/** Older rows have no column for the target. */
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
      return { outcome: 'duplicate', reason: outcome.reason, eventId: outcome.eventId ?? null }
    case 'refused':
      return { outcome: 'refused', reason: reasonOf(outcome.data), eventId: null }
    case 'rejected':
      return { outcome: 'rejected', reason: outcome.reason, eventId: null }
    case 'conflict':
    case 'waiting':
    case 'pending':
    case 'ignored':
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
    case 'pending':
    case 'rejected':
    case 'ignored':
      return { id, outcome: outcome.outcome, reason: outcome.reason }
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
