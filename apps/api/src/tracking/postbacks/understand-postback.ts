import type { FieldMessages } from '@tallyroom/contract/errors'
import { TEST_AGENT_ID } from '@tallyroom/domain/click-id'
import { couponKey } from '@tallyroom/domain/coupons'
import { isReversal } from '@tallyroom/domain/event-types'
import { inSentence } from '@tallyroom/domain/invisible'
import type { DbOrTx } from '../../db/database.ts'
import type { ClickIds } from '../clicks/click-id-signer.ts'
import { type Attributed, attribute, type OrderKnown } from '../coupons/click-of-code.ts'
import { findClaims, findOrderSaid, isHeldForClick } from '../coupons/coupon-orders.queries.ts'
import { findClicksOfOrder, findCountedClicks } from '../sales/rejected-orders.queries.ts'
import {
  type Held,
  hold,
  type HeldWord,
  type Report,
  type ReportedClick,
  type SaleOutcome,
} from '../sales/report.ts'
import type { NameDialect } from '../reading/field-names.ts'
import { differingNames } from '../reading/free-parameters.ts'
import { printable } from '../reading/kept-fields.ts'
import { holdForWord, wordsOfTakesBack } from './new-words.ts'
import { type ParsedPostback, saleReportOf } from './parse-postback.ts'
import { orderKeyOf } from './pending.ts'
import { findCountedOfClick, findEverPending, findPendingOfClick } from './pending.queries.ts'
import type { PostbackSite } from './postback-sites.ts'
import { findOrderNumber } from '../sales/order-numbers.queries.ts'
import { wordOf } from '../sales/sales.queries.ts'
import { takesBackReason } from '../reading/takes-back.ts'

/** What is to be done about a postback: report it, or refuse or hold it for what it says. */
export type Understood = { kind: 'report'; report: Report } | { kind: 'stop'; outcome: Stopped }

export type Stopped = Extract<SaleOutcome, { outcome: 'refused' | 'conflict' | 'ignored' }>

/**
 * The one judgement of what a postback says, for those that arrive and for the Integration drawer. Only the sales can
 * say more. `click` is that of {@link findClickOf}.
 */
export function understand(
  parsed: ParsedPostback,
  about: {
    postbackId: string
    site: PostbackSite
    click: ReportedClick | undefined
    /** Why its code leads to no click. */
    problems?: FieldMessages | undefined
    /** Its click id is none of ours, and its order is known, or may come, without it. */
    isPassedOver?: boolean | undefined
    receivedAt: Date
    /** Its parameters as kept. */
    kept: unknown
    /** The words in it that are new, about which somebody is asked. */
    words?: readonly HeldWord[] | undefined
  },
): Understood {
  const { click, receivedAt } = about
  if (parsed.isPing)
    return stop({ outcome: 'ignored', reason: 'It tries whether the address answers.' })
  const { test } = parsed
  if (test && click?.agentId !== TEST_AGENT_ID) {
    const mark = inSentence(printable(`${test.name}=${test.values[0]}`, 100))
    return stop({ outcome: 'ignored', reason: `${mark} says that it is a test.` })
  }
  const ignored = parsed.takesBack ? undefined : parsed.ignored
  if (ignored) {
    const word = inSentence(printable(`${ignored.name}=${ignored.value}`, 100))
    return stop({ outcome: 'ignored', reason: `${word} is ignored, as agreed with the network.` })
  }
  const isForged = parsed.clickId !== undefined && !click && !about.isPassedOver
  const problems = {
    ...parsed.problems,
    ...(isForged && { click_id: ['is not one of our click ids'] }),
    ...about.problems,
  }
  if (Object.keys(problems).length > 0) return stop({ outcome: 'refused', data: problems })
  const takesBack = takesBackOf(parsed)
  if (takesBack !== null) {
    const words = wordsOfTakesBack(parsed, about.words)
    return stop(hold('takes-back', takesBackReason(takesBack), words))
  }
  if (about.words) return stop(holdForWord(about.words))

  // What is rejected counts no longer, if it ever did.
  const event = parsed.standing === 'rejected' ? 'void' : parsed.event
  const insists = parsed.approved || parsed.standing === 'rejected'
  const report = saleReportOf(
    { ...parsed, event, insists },
    {
      ...about,
      onlyByCode: about.isPassedOver,
      dialect: about.site,
      click,
      recordedAt: receivedAt,
    },
  )
  return report
    ? { kind: 'report', report }
    : stop({ outcome: 'refused', data: { click_id: ['is required'] } })
}

const stop = (outcome: Stopped): Understood => ({ kind: 'stop', outcome })

/** The parameter that says that money goes back, as it is kept; null if none does. */
export const takesBackOf = ({ takesBack }: ParsedPostback): string | null =>
  takesBack ? printable(`${takesBack.name}=${takesBack.value}`, 200) : null

/**
 * The click that a postback is about: the one that it names, if its id is authentic. An approval without a click id is
 * about the click that its order was reported for.
 */
async function findClickOf(
  db: DbOrTx,
  clickIds: ClickIds,
  siteId: number,
  parsed: ParsedPostback,
): Promise<ReportedClick | undefined> {
  if (parsed.clickId !== undefined) return readClick(clickIds, parsed.clickId)
  const order = approvedOrderOf(siteId, parsed)
  return order && clickOfOrder(db, clickIds, order)
}

/**
 * Whose a postback is: that of the click that it names, or, on a site with codes, of the order. Whoever stores it has locked the order
 * before: see {@link orderToLock}.
 *
 * @param plain what it says of approvals, if words in it are asked about
 */
export async function attributePostback(
  db: DbOrTx,
  clickIds: ClickIds,
  site: Pick<PostbackSite, 'id' | 'hasCoupons' | 'couponWins'>,
  parsed: ParsedPostback,
  plain = parsed,
): Promise<Attributed> {
  const order = orderByCode(site, parsed)
  if (order) return attributeOrder(db, clickIds, site, parsed, order)
  const takenBack = takenBackOrderOf(site, parsed)
  if (takenBack) return attributeTakenBack(db, clickIds, parsed.clickId, takenBack)
  return { click: await findClickOf(db, clickIds, site.id, plain) }
}

/** The order about which a report decides whose it is, with its number alone or by a code. */
export const orderToLock = (
  site: Pick<PostbackSite, 'id' | 'hasCoupons'>,
  parsed: ParsedPostback,
): Order | undefined =>
  orderByCode(site, parsed) ?? takenBackOrderOf(site, parsed) ?? approvedOrderOf(site.id, parsed)

/**
 * The order that a report counts or announces and that may be that of a coupon code, with the key of its lock: on a site with codes,
 * each that has a number. What takes back needs no code, as its number leads to its sale: {@link takenBackOrderOf}.
 */
function orderByCode(
  { id: siteId, hasCoupons }: Pick<PostbackSite, 'id' | 'hasCoupons'>,
  parsed: ParsedPostback,
): Order | undefined {
  if (!hasCoupons) return undefined
  const { clickId, coupons, transactionId, event, standing, problems } =
    parsed.unknown?.as ?? parsed
  const counts = (standing === 'counts' || standing === 'pending') && event && !isReversal(event)
  const isOne = counts && (coupons.length > 0 || clickId !== undefined)
  return isOne ? orderOf(siteId, { transactionId, problems }) : undefined
}

/**
 * Whose an order is by its click, its code or what is known of it. For a code alone, a click id that is none of ours is passed
 * over; so it is for what is approved or may go back, if its order is known by a code.
 */
async function attributeOrder(
  db: DbOrTx,
  clickIds: ClickIds,
  { couponWins }: Pick<PostbackSite, 'couponWins'>,
  parsed: ParsedPostback,
  order: Order,
): Promise<Attributed> {
  const click = readClick(clickIds, parsed.clickId)
  const isForeign = parsed.clickId !== undefined && !click
  const isOfKnown = parsed.approved || parsed.takesBack !== undefined
  const hasCode = parsed.coupons.length > 0
  if (isForeign && !hasCode && !isOfKnown) return { click: undefined }
  const attributed = await attribute(
    db,
    { clickIds, findOrder: () => findOrder(db, clickIds, order, parsed.coupons) },
    {
      order,
      click,
      codes: parsed.coupons,
      typeAlias: parsed.typeAlias,
      occurredAt: parsed.occurredAt,
      couponWins,
    },
  )
  if (!isForeign) return attributed
  const { code } = attributed
  const isByCode = code !== undefined && (isOfKnown || parsed.coupons.includes(couponKey(code)))
  if (isByCode) return attributed
  return hasCode ? { ...attributed, click: undefined } : { click: undefined }
}

/** The order that a report with a click id takes back, on a site with codes, with the key of its lock: it may be known by a code instead. */
function takenBackOrderOf(
  { id: siteId, hasCoupons }: Pick<PostbackSite, 'id' | 'hasCoupons'>,
  { clickId, transactionId, event, standing, problems }: ParsedPostback,
): Order | undefined {
  if (!hasCoupons || clickId === undefined) return undefined
  const isBack = standing === 'rejected' || (event !== undefined && isReversal(event))
  return isBack ? orderOf(siteId, { transactionId, problems }) : undefined
}

/**
 * Whose the order is that a report takes back: its code's, if it is known by one, whatever click id comes with it. A click id that is
 * none of ours is passed over while nothing is known of the order, as its sale may still come by a code (TRACKING-62).
 */
export async function attributeTakenBack(
  db: DbOrTx,
  clickIds: ClickIds,
  clickId: string | undefined,
  order: Omit<Order, 'key'>,
): Promise<Attributed> {
  const named = readClick(clickIds, clickId)
  // A test takes back tests alone, whatever order it names.
  if (named?.agentId === TEST_AGENT_ID) return { click: named }
  const claims = await findClaims(db, order)
  const all = claims.length > 0 || !named ? await clicksOfOrder(db, clickIds, order) : []
  const clicks = all.filter(({ agentId }) => agentId !== TEST_AGENT_ID)
  const known = onlyOf(clicks)
  const claim = claims.find((one) => one.clickId === known?.id)
  // Somebody who is asked for which of the two it counts decides that first.
  if (claim && !(named && (await isHeldForClick(db, order, clickId ?? ''))))
    return { click: known, code: claim.code }
  if (named) return { click: named }
  return { click: undefined, isPassedOver: claims.length > 0 || clicks.length === 0 }
}

/** A shop's refund, with the number by which its order was reported, if that is known. */
export async function withOrderNumber(
  db: DbOrTx,
  siteId: number,
  parsed: ParsedPostback,
): Promise<ParsedPostback> {
  if (parsed.shopOrderId === undefined) return parsed
  const number = await findOrderNumber(db, siteId, parsed.shopOrderId)
  return number === undefined ? parsed : { ...parsed, transactionId: number }
}

/** A sale without a number, with that of its order: see {@link findPendingOrder}. */
export async function withPendingOrder(
  db: DbOrTx,
  site: Pick<PostbackSite, 'id' | 'hadPending' | 'keptPending'> & NameDialect,
  parsed: ParsedPostback,
  kept: unknown,
): Promise<{ parsed: ParsedPostback; doubt?: Held }> {
  const { clickId, transactionId, event, standing, approved, namesEvent } = parsed
  const counts = standing === 'counts' && event !== undefined && !isReversal(event)
  if (clickId === undefined || transactionId !== undefined || !counts) return { parsed }
  if (!approved && !site.hadPending && !site.keptPending) return { parsed }
  const about = { siteId: site.id, clickId, event: namesEvent ? event : undefined }
  const found = await findPendingOrder(db, about, (params) =>
    differingNames(kept, params, site, approved),
  )
  if (typeof found === 'object') return { parsed, doubt: found }
  return { parsed: found === undefined ? parsed : { ...parsed, transactionId: found } }
}

/**
 * The number of the only order of a click that is pending, of which a sale without a number is. If none is any more, it repeats what
 * approved one, or there is a doubt: the click must not be paid under its id and again under the number. Undefined if none ever was.
 *
 * @param event undefined for any
 * @param differsFrom the names of the parameters in which the sale differs from a kept postback
 */
export async function findPendingOrder(
  db: DbOrTx,
  { siteId, clickId, event }: { siteId: number; clickId: string; event: string | undefined },
  differsFrom: (params: unknown) => string[],
): Promise<string | Held | undefined> {
  const reported = (await findPendingOfClick(db, { siteId, clickId })).filter((one) =>
    event === undefined ? wordOf(one.event) !== null : one.event === event,
  )
  const open = reported.filter(({ settled }) => settled === null)
  const [order, ...others] = new Set(open.map(({ transactionId }) => transactionId))
  if (others.length > 0) return SEVERAL_PENDING
  if (order != null) return order
  const counted = reported.filter(({ settled }) => settled === 'recorded')
  if (counted.length === 0) return undefined
  const kept = [...counted, ...(await findCountedOfClick(db, { siteId, clickId }))]
  const same = kept.find(({ params }) => differsFrom(params).length === 0)
  return same?.transactionId ?? OTHER_COUNTED
}

const SEVERAL_PENDING = hold(
  'other-order',
  'Several orders of this click are pending, and this report has no order number. Send it with the number of its order.',
)

const OTHER_COUNTED = hold(
  'other-order',
  'Already recorded for this click with an order number, and this report has none. If it is another order, send it with its order number.',
)

type Order = { siteId: number; transactionId: string; key: string }

/** The order of an approval that names no click, with the key of its lock. */
function approvedOrderOf(siteId: number, parsed: ParsedPostback): Order | undefined {
  return parsed.needsKnownOrder ? orderOf(siteId, parsed) : undefined
}

/** The order of a postback that can be read, with the key of its lock; undefined without a number. */
function orderOf(
  siteId: number,
  { transactionId, problems }: Pick<ParsedPostback, 'transactionId' | 'problems'>,
): Order | undefined {
  const key = orderKeyOf({ siteId, transactionId, clickId: undefined, event: undefined })
  return key !== undefined && transactionId !== undefined && Object.keys(problems).length === 0
    ? { siteId, transactionId, key }
    : undefined
}

/** Undefined unless all that is known of the order is about the same click. */
export const clickOfOrder = async (
  db: DbOrTx,
  clickIds: ClickIds,
  order: Omit<Order, 'key'>,
): Promise<ReportedClick | undefined> => onlyOf(await clicksOfOrder(db, clickIds, order))

/** The only click of an order. One with which somebody tried the number out is not that of the order. */
function onlyOf(clicks: readonly ReportedClick[]): ReportedClick | undefined {
  const real = clicks.filter(({ agentId }) => agentId !== TEST_AGENT_ID)
  const [click, ...others] = real.length > 0 ? real : clicks
  return others.length === 0 ? click : undefined
}

/** The clicks that anything is known of the order for, counted, pending or rejected. */
async function clicksOfOrder(
  db: DbOrTx,
  clickIds: ClickIds,
  order: Omit<Order, 'key'>,
): Promise<ReportedClick[]> {
  const pending = await findEverPending(db, { ...order, clickId: undefined })
  const reported = await findClicksOfOrder(db, order)
  return readClicks(clickIds, [...pending.map(({ clickId }) => clickId), ...reported])
}

/** What is known of an order, and who had one of these codes. */
async function findOrder(
  db: DbOrTx,
  clickIds: ClickIds,
  order: Order,
  codes: readonly string[],
): Promise<OrderKnown> {
  const said = await findOrderSaid(db, order, codes)
  const counted = await findCountedClicks(db, order)
  return { ...said, click: onlyOf(readClicks(clickIds, [...said.clickIds, ...counted])) }
}

/** The clicks of these ids, each once. */
function readClicks(clickIds: ClickIds, known: readonly (string | null)[]): ReportedClick[] {
  const clicks = new Map(
    known.flatMap((text) => {
      const click = readClick(clickIds, text)
      return click ? [[click.id, click]] : []
    }),
  )
  return [...clicks.values()]
}

/** The click of an authentic id; undefined for any other. */
export function readClick(clickIds: ClickIds, text: string | null | undefined) {
  const fields = text ? clickIds.read(text) : undefined
  return fields && { id: clickIds.name(fields), ...fields }
}
