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
  readingOfAct,
  takesBackSale,
  type WordReading,
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
import {
  dateOf,
  type Held,
  hold,
  type Report,
  type ReportedClick,
  type ReversalReport,
  type SaleOutcome,
  type SaleReport,
} from '../sales/report.ts'
import { refused, refusedAsOfClick } from '../sales/refuse.ts'
import { earliestOf, recordSaleEvent } from '../sales/record-sale-event.ts'
import { deleteRejection, insertRejection } from '../sales/rejected-orders.queries.ts'
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
import { deleteFollowUp } from '../held/held.queries.ts'
import {
  fieldKey,
  fieldNamesOf,
  firstGiven,
  type Given,
  givenFields,
  type NameDialect,
} from '../reading/field-names.ts'
import { differingNames, fieldsOfKept } from '../reading/free-parameters.ts'
import { type Reported, readReported } from '../reading/read-amount.ts'
import { readShop, type ShopReading } from '../reading/shop-bodies.ts'
import { takesBackReason } from '../reading/takes-back.ts'
import { findOrderNumber } from '../sales/order-numbers.queries.ts'
import { reasonOf, REJECTED } from './receive-postback.ts'
import { holdForWord } from './new-words.ts'
import {
  attributeTakenBack,
  clickOfOrder,
  findPendingOrder,
  readClick,
} from './understand-postback.ts'
import {
  closeDecided,
  closeMeant,
  findDecided,
  findMeant,
  findPendingPart,
  takesNothing,
  type Meant,
  orderKeyOf,
  recordMeant,
} from './pending.ts'
import { lockOrder } from './pending.queries.ts'
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
      isLast: ageMs >= UNMATCHED_AFTER_MS,
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
  /** Null if nobody chose it for this postback. */
  note: string | null
  /** The sale to reverse, if it is not the one that the postback names. */
  saleId?: string | undefined
}

type SettleBy = {
  ledger: SaleLedger
  clickIds: ClickIds
  now: Date
  attributeFromId: boolean
  /** If it still waits after this, nothing tries again. */
  isLast?: boolean
  settledBy: number | null
  chosen?: Chosen | undefined
}

/** As a person settles it: the click id is trusted at once, if the click's row is missing. */
export const byHand = (
  tx: Tx,
  { ledger, secret, formerSecrets }: Omit<SettleNeeds, 'db'>,
  settledBy: number | null,
  chosen?: Chosen,
): SettleBy => ({
  ledger,
  clickIds: makeClickIds(secret, formerSecrets),
  now: tx.now,
  attributeFromId: true,
  settledBy,
  chosen,
})

/** Records the postback in the same way as one that arrived in time, and stores the outcome. */
export async function settle(tx: Tx, kept: KeptPostback, by: SettleBy): Promise<SaleOutcome> {
  const numbered = await withOrderNumber(tx, kept)
  const named = await withClickOfCode(tx, numbered, by)
  const postback: Named = named ?? numbered
  const delivered = named ? await deliver(tx, named, by) : refusedAsOfClick
  const isInVain = delivered.outcome === 'waiting' && by.isLast && postback.onlyByCode
  const outcome = isInVain ? NO_ORDER_OF_CODE : delivered
  if (outcome.outcome === 'conflict') {
    const { kind, reason, earliestAt = null, words } = outcome
    await deleteWaiting(tx, postback.id)
    await insertHeld(tx, {
      postbackId: postback.id,
      heldAt: by.now,
      kind,
      reason,
      earliestAt,
      siteId: postback.siteId,
      words,
      // A further word of it is asked about for itself.
      reading: words ? null : readingOf(postback, by),
    })
    return outcome
  }
  const settlement = settlementOf(outcome)
  if (settlement) {
    await deleteWaiting(tx, postback.id)
    await deleteHeld(tx, postback.id)
    await deleteFollowUp(tx, postback.id)
    await insertSettlement(tx, {
      ...settlement,
      postbackId: postback.id,
      settledAt: by.now,
      settledBy: by.settledBy,
      act: actOf(postback, by),
      note: by.chosen?.note ?? null,
    })
  }
  return outcome
}

async function deliver(tx: Tx, postback: Named, by: SettleBy): Promise<SaleOutcome> {
  const act = by.chosen?.act
  if (changesNothing(act)) {
    await deleteRejection(tx, postback.id)
    await closeDecided(tx, aboutOf(postback, by), outcomeOfAct[act], by.now)
    return outcomeOfAct[act]
  }
  const reading = readingOf(postback, by)
  const asked = act === undefined && reading === null ? stillHeld(postback) : undefined
  if (asked) return asked
  if (act === 'word-nothing' && postback.heldWords && postback.heldWords.length > 1) {
    return holdForWord(postback.heldWords.slice(1))
  }
  const order = await pendingOrderOf(tx, postback, by)
  if (order !== null && typeof order === 'object') return order
  const report = await saleReportOfKept(tx, { ...postback, transactionId: order }, by)
  if (!report) {
    return refusedBecause(
      reading !== null && postback.clickId === null
        ? 'It names no click, and no order with its number was reported. Ask the merchant to send it again with its click id.'
        : 'The stored postback can no longer be read. Ask the merchant to send it again.',
    )
  }
  const { outcome: found, counted } =
    report.kind === 'sale'
      ? await recordSale(tx, report, { ...postback, transactionId: order }, by)
      : { outcome: await reverse(tx, report, postback, by), counted: report }
  const outcome = inTime(found, reading)
  if (act !== 'record' || outcome.outcome !== 'recorded' || postback.heldKind !== 'early') {
    return outcome
  }
  const notice = [outcome.notice, await noticeOfDate(tx, counted)].filter(Boolean).join(' ')
  return { ...outcome, notice: notice || undefined }
}

/** What staff are told of a report that was held for its date, if it does not keep that. */
async function noticeOfDate(tx: Tx, report: Report): Promise<string | undefined> {
  if (report.kind === 'reversal') return countedAt('the time of its sale')
  const { of, at } = await earliestOf(tx, report)
  if (of === 'click') return countedAt('the time of its click')
  const isEarlier = dateOf({ occurredAt: dateSaid(report), ifEarly: 'hold' }, at) === undefined
  return isEarlier ? countedAt('the start of its coupon code') : undefined
}

const dateSaid = ({ happenedAt, occurredAt }: SaleReport): Date => happenedAt ?? occurredAt

const countedAt = (what: string) => `Counted at ${what}, because it was dated earlier.`

/** Counts what a report is about, and closes what was pending of it, as on arrival. */
async function recordSale(
  tx: Tx,
  report: SaleReport,
  postback: KeptPostback,
  by: SettleBy,
): Promise<{ outcome: SaleOutcome; counted: SaleReport }> {
  const key = orderKeyOf(postback)
  if (key !== undefined) await lockOrder(tx, key)
  const name = {
    clickId: postback.clickId,
    namesEvent: namesEvent(postback),
    namesClick: saysOf(postback, 'click_id') !== undefined,
  }
  const meant = await findMeant(tx, by.ledger, report, name)
  if (!Array.isArray(meant)) return { outcome: meant, counted: report }
  const { outcome, decided } = await recordMeant(
    tx,
    meant.map((one) => asReported(one, postback)),
    by,
  )
  await closeMeant(tx, decided, by.now)
  return { outcome, counted: meant[0]?.report ?? report }
}

/** What the stored postback does not say has happened is an event of the one that did. */
function asReported(meant: Meant, { event }: KeptPostback): Meant {
  const { report, saidBy = report.postbackId } = meant
  const postbackId = report.event === event ? report.postbackId : saidBy
  return { ...meant, report: { ...report, postbackId } }
}

/** Whether it says what happened, by something else than the word for which it is held. */
function namesEvent(postback: KeptPostback): boolean {
  const said = saysOf(postback, 'event')
  return postback.event !== 'sale' || (said !== undefined && !isHeldFor(postback, said))
}

const saysOf = (postback: KeptPostback, field: 'event' | 'click_id'): Given | undefined =>
  firstGiven(readKept(postback).fields, fieldNamesOf(dialectOf(postback))[field])

const isHeldFor = ({ heldWords }: KeptPostback, { name }: Given): boolean =>
  heldWords?.some(({ parameter }) => parameter === fieldKey(name)) ?? false

/** Its number; for a sale without one, that of the order of its click that it is of. */
async function pendingOrderOf(
  tx: Tx,
  postback: KeptPostback,
  by: SettleBy,
): Promise<string | null | Held> {
  const { siteId, clickId, transactionId, params } = postback
  const isSale = !isTakenBack(postback, by) && !isReversalOf(postback)
  if (transactionId !== null || siteId === null || clickId === null || !isSale) return transactionId
  if (by.chosen?.act === 'another-order') return null
  const event = namesEvent(postback) ? (postback.event ?? undefined) : undefined
  const insists = postback.approved || readingOf(postback, by) === 'counts'
  const found = await findPendingOrder(tx, { siteId, clickId, event }, (other) =>
    differingNames(params, other, dialectOf(postback), insists),
  )
  return found ?? null
}

/** Takes a sale back, or rejects what the merchant has not approved yet, as on arrival. */
async function reverse(
  tx: Tx,
  report: ReversalReport,
  postback: KeptPostback,
  by: SettleBy,
): Promise<SaleOutcome> {
  const outcome = await reverseOrReject(tx, report, postback, by)
  await closeDecided(tx, aboutOf(postback, by), outcome, by.now)
  return outcome
}

async function reverseOrReject(
  tx: Tx,
  report: ReversalReport,
  postback: KeptPostback,
  by: SettleBy,
): Promise<SaleOutcome> {
  if (!isTakenBack(postback, by) || by.chosen?.saleId !== undefined)
    return recordSaleEvent(tx, report, by)
  const about = aboutOf(postback, by)
  const key = orderKeyOf(about)
  if (key !== undefined) await lockOrder(tx, key)
  const outcome = await recordSaleEvent(tx, report, by)
  const decided = takesNothing(outcome) ? await findDecided(tx, about) : []
  if (decided.length === 0) return outcome
  const part = await findPendingPart(tx, report, decided)
  if (part) return part
  if (outcome.outcome !== 'waiting') return outcome
  await insertRejection(tx, report)
  return REJECTED
}

/** Whether staff say that it takes something back, whatever its event. */
const isTakenBack = (postback: KeptPostback, by: SettleBy): boolean =>
  by.chosen?.act === 'reverse' || readingOf(postback, by) === 'takes-back'

/** What it decides about. What takes back and names no event is about the whole order. */
function aboutOf(postback: KeptPostback, by: SettleBy) {
  if (!isTakenBack(postback, by)) return postback
  if (by.chosen?.saleId !== undefined) return { ...postback, standing: 'rejected' }
  const reverses = targetOfKept(postback, readingOf(postback, by))
  return { ...postback, event: 'void', reverses, standing: 'rejected' }
}

/** As it is kept with what became of it: a word that takes back is not hidden by what was chosen about another doubt. */
function actOf(postback: KeptPostback, by: SettleBy): HoldAct | null {
  const act = by.chosen?.act
  const isBack = readingOf(postback, by) === 'takes-back'
  return isBack && !takesBackSale(act) && !changesNothing(act) ? 'word-takes-back' : (act ?? null)
}

/** What its word means: as staff have chosen, or did before. Null if nobody has said so. */
const readingOf = ({ reading }: KeptPostback, { chosen }: SettleBy): WordReading | null =>
  readingOfAct(chosen?.act) ?? reading

/** What waits for a person goes on waiting, whoever delivers it again. */
function stillHeld({ takesBack, heldKind, heldWords }: KeptPostback): SaleOutcome | undefined {
  if (heldWords && (heldKind === 'new-word' || heldKind === 'takes-back'))
    return holdForWord(heldWords)
  return takesBack === null ? undefined : hold('takes-back', takesBackReason(takesBack), heldWords)
}

/** Once a word is decided, nothing waits with it: a sale that has not come may be found by a person. */
const inTime = (outcome: SaleOutcome, reading: WordReading | null): SaleOutcome =>
  reading !== null && outcome.outcome === 'waiting'
    ? hold('which-sale', `Its word takes back a sale. ${outcome.reason}`)
    : outcome

const refusedBecause = (reason: string): SaleOutcome => ({
  outcome: 'refused',
  data: { _form: [reason] },
})

const NO_ORDER_OF_CODE = refused(
  'click_id',
  'is not one of our click ids, and no order of a code came',
)

const outcomeOfAct: Record<IdleAct, SaleOutcome> = {
  refuse: refusedBecause('Refused by staff.'),
  'keep-first': refusedBecause('Refused by staff: the order stays with its first click.'),
  mistake: refusedBecause('Refused by staff: the merchant sent it by mistake.'),
  'word-ignored': refusedBecause('It says nothing about a sale, as the network decided.'),
  'was-retry': {
    outcome: 'duplicate',
    eventId: undefined,
    reason: 'Staff say that it was a retry of an earlier report. Nothing changed.',
  },
}

async function saleReportOfKept(tx: Tx, postback: Named, by: SettleBy) {
  const { siteId, useApproveSale, severalProducts, countsForDays, partRule } = postback
  const reading = readingOf(postback, by)
  const event = reading === 'takes-back' ? backOf(postback) : eventOf(postback, by.chosen?.act)
  if (siteId === null || useApproveSale === null || !event) return undefined
  const sale =
    by.chosen?.saleId === undefined ? undefined : await findSaleNamed(tx, by.chosen.saleId)
  return saleReportOf(
    {
      event,
      target: targetOfKept(postback, reading),
      transactionId: (sale ? sale.transactionId : orderNumberOf(postback, by)) ?? undefined,
      typeAlias: sale ? undefined : (postback.typeAlias ?? undefined),
      ...saidIn(postback),
      insists: postback.approved || postback.standing === 'rejected' || reading === 'counts',
    },
    {
      click:
        readClick(by.clickIds, sale ? sale.clickId : postback.clickId) ??
        (await clickOfWord(tx, postback, by)),
      onlyByCode: postback.onlyByCode,
      postbackId: postback.id,
      site: {
        id: siteId,
        useApproveSale,
        severalProducts: severalProducts ?? false,
        countsForDays: countsForDays ?? 0,
        partRule: partRuleOf(partRule),
      },
      // A word is decided for many: none of their other doubts was looked at.
      act: readingOfAct(by.chosen?.act) ? undefined : by.chosen?.act,
      chosen: sale?.id,
      kept: postback.params,
      dialect: dialectOf(postback),
      receivedAt: postback.receivedAt,
      recordedAt: by.now,
    },
  )
}

/** When it happened, to whom, and how much. */
const saidIn = (postback: KeptPostback) => ({
  customerEmail: postback.customerEmail ?? undefined,
  occurredAt: postback.occurredAt ?? postback.receivedAt,
  reported: {
    amountE4: postback.amountE4 ?? undefined,
    currency: postback.currency ?? undefined,
    ...refundOf(postback),
  },
})

/** What a word that takes back makes of it. */
const backOf = ({ event }: KeptPostback): PostbackEvent =>
  event && isPostbackEvent(event) && isReversal(event) ? event : 'void'

/** What it takes back; beside a word that does, the event that is named. */
function targetOfKept(
  postback: KeptPostback,
  reading: WordReading | null,
): ReversibleEvent | undefined {
  const { reverses, params, event } = postback
  if (reverses !== null) return targetOf(reverses)
  const named = reversesIn(params)
  if (named !== undefined || reading !== 'takes-back') return named
  const said = saysOf(postback, 'event')
  return said && !isHeldFor(postback, said) && event ? targetOf(event) : undefined
}

/** A report that names no click, about an order that was reported for one. */
const clickOfWord = async (
  tx: Tx,
  { siteId, transactionId, clickId }: KeptPostback,
  by: SettleBy,
): Promise<ReportedClick | undefined> =>
  readingOfAct(by.chosen?.act) && clickId === null && siteId !== null && transactionId !== null
    ? clickOfOrder(tx, by.clickIds, { siteId, transactionId })
    : undefined

/** An order of a click that has others and no number is called by its postback, which the merchant knows from our answer. */
const orderNumberOf = ({ id, transactionId }: KeptPostback, { chosen }: SettleBy): string | null =>
  transactionId ?? (chosen?.act === 'another-order' ? id : null)

/** A postback whose order is known by the click of its code, or with a click id that is none of ours. */
type Named = KeptPostback & Pick<ReversalReport, 'onlyByCode'>

/**
 * The order of what takes back may have come after it, by a code. Undefined if it is known by a click and the postback's click id is
 * none of ours: its number alone was enough while nothing else was known of the order.
 */
async function withClickOfCode(
  tx: Tx,
  postback: KeptPostback,
  by: SettleBy,
): Promise<Named | undefined> {
  const { siteId, transactionId, clickId } = postback
  if (siteId === null || transactionId === null || clickId === null) return postback
  if (by.chosen?.saleId !== undefined || !(isTakenBack(postback, by) || isReversalOf(postback)))
    return postback
  const order = { siteId, transactionId }
  const { click, code, isPassedOver } = await attributeTakenBack(tx, by.clickIds, clickId, order)
  if (!click && by.chosen === undefined)
    return isPassedOver ? { ...postback, onlyByCode: true } : undefined
  return code === undefined || !click ? postback : { ...postback, clickId: click.id }
}

const isReversalOf = (postback: KeptPostback): boolean => {
  const event = eventOf(postback)
  return event !== undefined && isReversal(event)
}

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
