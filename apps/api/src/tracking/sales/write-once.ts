import { TEST_AGENT_ID } from '@tallyroom/domain/click-id'
import type { EventType } from '@tallyroom/domain/event-types'
import { countsBeside, countsSale } from '@tallyroom/domain/holds'
import { dayOf } from '@tallyroom/domain/new-york'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { type Chain, chainsOf, counts } from './chains.ts'
import { Backdated, type KeyHolder, type Ledger, LostRace, type NewKey } from './ledger.ts'
import { findKeptOfClick, findLaterWords } from './order-words.queries.ts'
import type { SaleEvent } from './price-event.ts'
import { hold, type RecordOptions, type SaleOutcome, type SaleReport } from './report.ts'
import { findRejection } from './rejected-orders.queries.ts'
import { restoreSale } from './restore-sale.ts'
import {
  isGivenAway,
  PAID_CLICK,
  placeForClick,
  TAKEN_FROM_OTHER,
  takeFromOthers,
  TOO_MANY_CLICKS,
} from './other-clicks.ts'
import { keysBeside, keysThatTakeBack, orderLock, type SaleKeys, saleKeysOf } from './sale-keys.ts'
import { findReported } from './sales.queries.ts'

type Recorded = Extract<SaleOutcome, { outcome: 'recorded' }>

export type ToWrite = Pick<RecordOptions, 'alsoInsert'> & {
  /** The link type that was sold. */
  typeId: number
  /** Whether the agent is suspended by now. */
  isSuspended: boolean
  /** `Rates.backdated` of the rates that price it. */
  backdated: number
  /**
   * Builds the event. Of an order's sale and approval, `otherHalf` is the event type of the first one. `notice`
   * is for staff.
   */
  make: (otherHalf?: EventType) => {
    event: SaleEvent
    notice: string | undefined
    tells: NewKey['tells']
  }
}

/**
 * Writes a report's event if it is the first of its order, in one round trip. Undefined if the order must be looked
 * at.
 *
 * @throws Backdated if it has to be priced again.
 */
export const writeFirst = (
  db: DbOrTx,
  ledger: Ledger,
  report: SaleReport,
  toWrite: ToWrite,
): Promise<Recorded | undefined> => {
  const { first, former } = saleKeysOf(nameOf(report), report.event)
  const isFree = report.event === 'click' ? {} : whileOpen(report, toWrite.typeId)
  return write(db, ledger, report, toWrite, { key: first, former, ...isFree })
}

/**
 * Writes a report's event unless it was already written or its order leaves a doubt. The order is locked, so that its
 * reports are settled one after another.
 *
 * @throws LostRace, Backdated
 */
export async function writeInOrder(
  tx: Tx,
  ledger: Ledger,
  report: SaleReport,
  toWrite: ToWrite,
): Promise<SaleOutcome> {
  await ledger.lockOrder(tx, orderLock(nameOf(report)))
  const place = await findPlace(tx, ledger, report, toWrite.typeId)
  if (place.same) {
    return settleRepeat(tx, ledger, { report, ...toWrite, same: place.same })
  }
  const doubt =
    (await rejectedFirst(tx, report, toWrite.typeId)) ??
    (await takenBackBefore(tx, ledger, report, { typeId: toWrite.typeId, ...place }))
  if (doubt) return doubt
  if (report.act === 'take-this' && report.event === 'click') return PAID_CLICK
  const { productId, besideId } = place
  const clickKey = besideId === undefined ? undefined : await placeForClick(tx, ledger, report)
  if (clickKey === null) return TOO_MANY_CLICKS
  const takenBack =
    report.act === 'take-this' ? await takeFromOthers(tx, ledger, report) : undefined
  const { first, second } = saleKeysOf(nameOf(report), report.event, productId, besideId)
  const recorded =
    place.other && second !== undefined
      ? await write(tx, ledger, report, toWrite, { key: second }, place.other.event_type)
      : await write(tx, ledger, report, toWrite, { key: first })
  if (!recorded) throw new LostRace('another report of the order was faster')
  if (clickKey !== undefined) {
    const { eventId, typeId, agentId } = recorded
    const holder = { eventId, typeId, agentId, clickId: report.click.id, reported: null }
    await ledger.insertFurtherKey(tx, clickKey, { ...holder, saleKey: clickKey })
  }
  return withTaken(recorded, takenBack)
}

function withTaken(recorded: Recorded, takenBack: Recorded['takenBack']): Recorded {
  if (!takenBack || takenBack.length === 0) return recorded
  const notice = [TAKEN_FROM_OTHER, recorded.notice].filter(Boolean).join(' ')
  return { ...recorded, notice, takenBack }
}

async function write(
  db: DbOrTx,
  ledger: Ledger,
  report: SaleReport,
  { make, backdated, alsoInsert }: ToWrite,
  key: Omit<NewKey, 'reported' | 'tells'>,
  otherHalf?: EventType,
): Promise<Recorded | undefined> {
  const { event, notice, tells } = make(otherHalf)
  const recorded: Recorded = {
    outcome: 'recorded',
    eventId: event.id,
    typeId: event.type_id,
    agentId: event.agent_id,
    notice,
  }
  const newKey = { ...key, reported: report.event, tells, backdated }
  const written = await ledger.insertOnce(db, newKey, event, alsoInsert?.(recorded) ?? [])
  if (written === 'backdated') throw new Backdated('its rates were backdated meanwhile')
  return written === 'written' ? recorded : undefined
}

/** Only while nobody settles the order, and if it was not taken back. */
const whileOpen = (report: SaleReport, typeId: number) => ({
  blockers: keysThatTakeBack(nameOf(report), report.event, typeId),
  orderLock: orderLock(nameOf(report)),
})

/** The answer to a report that is already recorded and counts. Undefined for others, which may be recorded, too. */
export async function findRepeated(
  db: DbOrTx,
  ledger: Ledger,
  report: SaleReport,
  typeId: number,
  isPending = false,
): Promise<SaleOutcome | undefined> {
  const { same } = await findPlace(db, ledger, report, typeId)
  if (!same) return undefined
  const answer = sayRepeated(report, typeId, same)
  if (answer.outcome === 'conflict' || report.event === 'click') return answer
  const chain = await findChain(db, ledger, report.siteId, same)
  return !chain || counts(chain) ? ((await otherOrder(db, report, isPending)) ?? answer) : undefined
}

/**
 * Held if a repeated report has no order number and is not the same as any that counted or repeated one: then it may be
 * another order of its click. What repeats is known by what is kept of it.
 */
async function otherOrder(
  db: DbOrTx,
  report: SaleReport,
  isPending = false,
): Promise<SaleOutcome | undefined> {
  if (report.transactionId !== undefined) return undefined
  const known = await findKeptOfClick(db, { ...report, clickId: report.click.id }, isPending)
  const differences = known.map((params) => report.differsFrom(params))
  const [first] = differences.toSorted((one, other) => one.length - other.length)
  if (!first || first.length === 0) return undefined
  const names = `${first.slice(0, MOST_NAMES).join(', ')}${first.length > MOST_NAMES ? ' …' : ''}`
  return hold(
    'other-order',
    `Already recorded for this click without an order number, but this one differs in ${names}. If it is another order, send it with its order number.`,
  )
}

const MOST_NAMES = 5

/** Whether a report repeats one that was recorded, whether it counts or not. */
export const isKnown = async (
  db: DbOrTx,
  ledger: Ledger,
  report: SaleReport,
  typeId: number,
): Promise<boolean> => (await findPlace(db, ledger, report, typeId)).same !== undefined

/** Counts a repeated report's sale again, if it was reversed, and it is known that the report is no late copy. */
export async function settleRepeated(
  tx: Tx,
  ledger: Ledger,
  repeated: Omit<Parameters<typeof settleRepeat>[2], 'same'>,
): Promise<SaleOutcome | undefined> {
  const { report, typeId } = repeated
  await ledger.lockOrder(tx, orderLock(nameOf(report)))
  const { same } = await findPlace(tx, ledger, report, typeId)
  return same && settleRepeat(tx, ledger, { ...repeated, same })
}

async function settleRepeat(
  tx: Tx,
  ledger: Ledger,
  repeated: {
    report: SaleReport
    typeId: number
    same: KeyHolder
    isSuspended?: boolean
  } & Pick<RecordOptions, 'alsoInsert'>,
): Promise<SaleOutcome> {
  const { report, typeId, same } = repeated
  const answer = sayRepeated(report, typeId, same)
  if (answer.outcome === 'conflict' || report.event === 'click') return answer
  const chain = await findChain(tx, ledger, report.siteId, same)
  if (!chain?.reversal) return (await otherOrder(tx, report)) ?? answer
  const { reversal, counted } = chain
  const on = dayOf(reversal.occurred_at)
  // A retry has the time of what it repeats, which a merchant's clocks may put after that of the reversal.
  const isRetry = report.isDated && report.occurredAt <= counted.occurred_at
  const isLater = report.isDated && !isRetry && report.occurredAt > reversal.occurred_at
  const isDecided = report.act === 'count-again' || countsBeside(report.act)
  if (!isDecided && !isRetry && (await isGivenAway(tx, reversal))) {
    return hold(
      'other-click',
      `The order was given to another click, and its sale taken back on ${on}. Is it of this click after all?`,
    )
  }
  const isCertain = isDecided || isLater || (report.insists && !report.isDated)
  if (!isCertain && isUnclear(report, reversal)) {
    return hold(
      'again',
      `The sale was reversed on ${on}. This may be a late retry of its first report, or it counts again.`,
    )
  }
  if (
    !isCertain ||
    (report.act === undefined && (await wasReversedLater(tx, report, chain.sale.type_id)))
  ) {
    const reason =
      report.occurredAt >= reversal.occurred_at
        ? `It repeats a report of the sale, which was reversed on ${on}. It does not count.`
        : `The sale was reversed on ${on}, after the time of this report. It does not count.`
    return (await otherOrder(tx, report)) ?? { outcome: 'duplicate', eventId: reversal.id, reason }
  }
  const takenBack =
    report.act === 'take-this' ? await takeFromOthers(tx, ledger, report) : undefined
  const restored = await restoreSale(tx, ledger, { ...repeated, chain: { ...chain, reversal } })
  return restored.outcome === 'recorded' ? withTaken(restored, takenBack) : restored
}

/**
 * Whether their times do not say which of a report and a reversal is the later word: the report has none, or it approves the
 * sale, and the reversal has none or the same. Without an approval, the same time is that of a retry.
 */
function isUnclear(report: SaleReport, reversal: SaleEvent): boolean {
  const isDated = reversal.occurred_at < new Date(reversal.recorded_at)
  const isSame = report.occurredAt.getTime() === reversal.occurred_at.getTime()
  return !report.isDated || (report.insists && (isSame || !isDated))
}

/** Whether a reversal with a later time arrived first, when there was nothing left to reverse. */
async function wasReversedLater(tx: Tx, report: SaleReport, soldId: number): Promise<boolean> {
  if (!report.isDated) return false
  const isTest = report.click.agentId === TEST_AGENT_ID
  const words = await findLaterWords(tx, nameOf(report), { after: report.occurredAt, isTest })
  return words.some(
    ({ reversal, target, typeId }) =>
      reversal !== null &&
      (target === null || target === report.event) &&
      (typeId === null || typeId === soldId),
  )
}

async function findChain(
  db: DbOrTx,
  ledger: Ledger,
  siteId: number,
  { agentId, clickId, eventId }: KeyHolder,
): Promise<Chain | undefined> {
  const events = await ledger.findEventsOfClick(db, { siteId, agentId, clickId })
  return chainsOf(events).find(({ eventIds }) => eventIds.has(eventId))
}

/** Where a report belongs among the events of its order. */
type Place = {
  /** The event that the same report, or a copy of it, has recorded. */
  same?: KeyHolder | undefined
  /** The other half of a sale and its approval. */
  other?: SaleEvent | undefined
  /** For a further product of the order. */
  productId?: number | undefined
  /** For what is counted of the order beside another click: its own click. */
  besideId?: string | undefined
  holders: KeyHolder[]
}

async function findPlace(
  db: DbOrTx,
  ledger: Ledger,
  report: SaleReport,
  typeId: number,
): Promise<Place> {
  const name = nameOf(report)
  const ofOrder = saleKeysOf(name, report.event)
  const ofProduct = saleKeysOf(name, report.event, typeId)
  const ofClick = saleKeysOf(name, report.event, undefined, report.click.id)
  const ofBoth = saleKeysOf(name, report.event, typeId, report.click.id)
  const beside = keysBeside(name)
  const keys = [ofOrder, ofProduct, ofClick, ofBoth].flatMap(({ first, second, former }) =>
    [first, second, former].filter((key) => key !== undefined),
  )
  const holders = await ledger.findHolders(db, [
    ...new Set([...keys, ...beside, ...keysThatTakeBack(name, report.event, typeId)]),
  ])
  const place = await placeAmong(db, ledger, report, { typeId, holders, ofOrder, ofProduct })
  const takenBy = place.same?.clickId ?? place.other?.click_id
  const isBeside =
    takenBy !== undefined &&
    takenBy !== report.click.id &&
    (countsBeside(report.act) || holders.some(({ saleKey }) => beside.includes(saleKey)))
  if (!isBeside) return place
  const own = { typeId, holders, ofOrder: ofClick, ofProduct: ofBoth }
  return { ...(await placeAmong(db, ledger, report, own)), besideId: report.click.id }
}

async function placeAmong(
  db: DbOrTx,
  ledger: Ledger,
  report: SaleReport,
  {
    typeId,
    holders,
    ofOrder,
    ofProduct,
  }: { typeId: number; holders: KeyHolder[]; ofOrder: SaleKeys; ofProduct: SaleKeys },
): Promise<Place> {
  const held = (key: string | undefined) => holders.find(({ saleKey }) => saleKey === key)
  if (held(ofProduct.first) ?? held(ofProduct.second)) {
    return {
      holders,
      productId: typeId,
      ...(await findTaken(db, ledger, report, ofProduct, holders)),
    }
  }
  const taken = await findTaken(db, ledger, report, ofOrder, holders)
  const first = held(ofOrder.first) ?? taken.same
  const isSeparate = report.rules.severalProducts || report.act === 'another-product'
  if (isSeparate && first && first.typeId !== typeId && first.clickId === report.click.id) {
    return { holders, productId: typeId }
  }
  return { holders, ...taken }
}

/** The holder of these keys: the same report, or the other half of its order. */
async function findTaken(
  db: DbOrTx,
  ledger: Ledger,
  report: SaleReport,
  { first, second, former }: SaleKeys,
  all: readonly KeyHolder[],
): Promise<Pick<Place, 'same' | 'other'>> {
  const holders = all.filter(({ saleKey }) => [first, second, former].includes(saleKey))
  // A bonus, rebill or paid click does not share its key.
  const same = holders.find(({ reported }) => second === undefined || reported === report.event)
  if (same) return { same }

  let other: SaleEvent | undefined
  for (const holder of holders) {
    const event = await ledger.findEvent(db, holder)
    if (!event) continue
    const reported = holder.reported ?? (await findReported(db, [event])).get(event.id)
    if (reported === report.event) return { same: holder }
    if (holder.saleKey === first) other = event
  }
  return { other }
}

/** Why a new event is held whose order the merchant had rejected before it came: it may be the delayed first report. */
async function rejectedFirst(
  tx: Tx,
  report: SaleReport,
  typeId: number,
): Promise<SaleOutcome | undefined> {
  const isApproved = report.insists && !report.isDated
  if (report.event === 'click' || countsSale(report.act) || isApproved) return undefined
  const at = await findRejection(tx, report, typeId)
  if (!at || (report.isDated && report.occurredAt > at)) return undefined
  return hold(
    'rejected',
    `The merchant rejected it on ${dayOf(at)}, before this report of it came. This may be its first report, delayed.`,
  )
}

/** Why a new event is held whose order was taken back before it came: it may be a late report from before that. */
async function takenBackBefore(
  tx: Tx,
  ledger: Ledger,
  report: SaleReport,
  { typeId, holders }: { typeId: number; holders: readonly KeyHolder[] },
): Promise<SaleOutcome | undefined> {
  const keys = keysThatTakeBack(nameOf(report), report.event, typeId)
  const back = holders.find(({ saleKey }) => keys.includes(saleKey))
  if (!back || report.event === 'click' || countsSale(report.act)) return undefined
  if (report.insists && !report.isDated) return undefined
  const { agentId, clickId } = back
  const events = await ledger.findEventsOfClick(tx, { siteId: report.siteId, agentId, clickId })
  const ofOrder = events.filter((event) => event.transaction_id === (report.transactionId ?? null))
  const reversedAt = Math.max(
    ...ofOrder.flatMap((event) => (event.reverses === null ? [] : [event.occurred_at.getTime()])),
  )
  const isLater = report.isDated
    ? report.occurredAt.getTime() > reversedAt && !(await wasReversedLater(tx, report, typeId))
    : chainsOf(ofOrder).some(counts)
  return isLater || !Number.isFinite(reversedAt)
    ? undefined
    : hold(
        'order-reversed',
        `The order was taken back on ${dayOf(new Date(reversedAt))}. Does this ${report.event} of it count?`,
      )
}

function sayRepeated(report: SaleReport, typeId: number, first: KeyHolder): SaleOutcome {
  if (first.clickId !== report.click.id) {
    return hold('other-click', 'This order was already credited to another click.')
  }
  return first.typeId === typeId
    ? { outcome: 'duplicate', eventId: first.eventId, reason: whyDuplicate(report) }
    : hold('other-product', 'This order was already credited to another link type.')
}

const whyDuplicate = ({ transactionId }: SaleReport) =>
  transactionId === undefined
    ? 'Already recorded. A second order of the same click needs an order number.'
    : 'Already recorded.'

const nameOf = (report: SaleReport) => ({ ...report, clickId: report.click.id })
