import { decodeClickId, isSameClick } from '@tallyroom/domain/click-id'
import { type CountedEvent, isPostbackEvent, isReversal } from '@tallyroom/domain/event-types'
import { countsSale } from '@tallyroom/domain/holds'
import { inSentence } from '@tallyroom/domain/invisible'
import type { Tx } from '../../db/database.ts'
import { counts, wasRestored } from '../sales/chains.ts'
import type { SaleLedger } from '../sales/ledger.ts'
import { recordSaleEvent } from '../sales/record-sale-event.ts'
import { refused } from '../sales/refuse.ts'
import {
  hold,
  type RecordOptions,
  type ReversalReport,
  type SaleOutcome,
  type SaleReport,
} from '../sales/report.ts'
import { partTakenBack, type Sold } from '../sales/reverse-part.ts'
import { findTypeByAlias, wordOf } from '../sales/sales.queries.ts'
import { findSold, type SoldThing } from '../sales/sold-things.ts'
import {
  closePending,
  findEverPending,
  findPending,
  type PendingPostback,
} from './pending.queries.ts'

/** What a report is about, in the words of its postback. */
export type OrderName = {
  siteId: number | null
  transactionId: string | null | undefined
  clickId: string | null | undefined
  event: string | null | undefined
  /** Of a reversal: the event that it names. */
  reverses?: string | null | undefined
  typeAlias?: string | null | undefined
  /** Whether its site has orders with several products. */
  severalProducts?: boolean | null | undefined
}

/** Undefined for a report that names neither an order nor a click. */
export function orderKeyOf({ siteId, transactionId, clickId }: OrderName): string | undefined {
  if (siteId === null) return undefined
  if (transactionId) return `${siteId}:t:${transactionId}`
  return clickId ? `${siteId}:c:${clickId}` : undefined
}

/** The pending postbacks that a reversal or rejection decides: those of what it names, or all of the order. */
export async function findDecided(tx: Tx, report: OrderName): Promise<PendingPostback[]> {
  const key = orderKeyOf(report)
  if (key === undefined) return []
  const pending = (await findPending(tx, key)).filter(
    (one) => isOfEvent(one, report) && isOfItsClick(one, report),
  )
  return report.typeAlias ? ofProduct(tx, report, report.typeAlias, pending) : pending
}

/** Those of a product. Where an order holds one, a postback that names none is of it as well; else it is of the one that was clicked. */
async function ofProduct(
  tx: Tx,
  { siteId, severalProducts }: OrderName,
  typeAlias: string,
  pending: readonly PendingPostback[],
): Promise<PendingPostback[]> {
  if (siteId === null || pending.length === 0) return []
  const product = await findTypeByAlias(tx, siteId, typeAlias, 'or deleted')
  const isOf = ({ clickId, typeAlias: alias }: PendingPostback): boolean =>
    alias === null
      ? !severalProducts || decodeClickId(clickId ?? '')?.typeId === product
      : alias.toLowerCase() === typeAlias.toLowerCase()
  return pending.filter(isOf)
}

function isOfEvent(pending: PendingPostback, { event, reverses }: OrderName): boolean {
  if (!isBackEvent(event)) return pending.event === event
  if (!reverses) return true
  return (isBackEvent(pending.event) ? pending.reverses : pending.event) === reverses
}

const isOfItsClick = (pending: PendingPostback, { clickId }: Pick<OrderName, 'clickId'>): boolean =>
  !clickId || !pending.clickId || isSameClick(pending.clickId, clickId)

/**
 * Something that a report counts: the report with all that is known of it, the pending postbacks that it decides, and the one that
 * first said so.
 */
export type Meant = {
  report: SaleReport
  decided: readonly Pick<PendingPostback, 'postbackId'>[]
  /** Undefined unless it was reported as pending. */
  saidBy?: string
}

type Reported = Omit<PendingPostback, 'typeId'> & {
  event: CountedEvent
  /** The product that it names, else the clicked one. */
  typeId: number | undefined
}

/** What a report says itself; undefined where it leaves that to what is known of its order. */
type Said = { event: CountedEvent | undefined; typeId: number | undefined }

type About = {
  report: SaleReport
  said: Said
  /** Whether its postback names the click. */
  namesClick: boolean
}

/** Undefined if nothing is known that a report leaves open. */
type Found = Meant[] | SaleOutcome | undefined

/**
 * What a report counts. Where it does not say what happened or what was sold, it is about what the order was reported for before:
 * what is pending, else what was taken back or rejected. An outcome if it can't be known what is meant.
 */
export async function findMeant(
  tx: Tx,
  ledger: SaleLedger,
  report: SaleReport,
  name: Pick<OrderName, 'clickId'> & { namesEvent: boolean; namesClick: boolean },
): Promise<Meant[] | SaleOutcome> {
  const asSaid = [{ report, decided: [] }]
  // Staff say what it is.
  if (report.act === 'another-product') return asSaid
  const { siteId, transactionId, click } = report
  const clickId = name.clickId ?? click.id
  const ever = await findEverPending(tx, { siteId, transactionId, clickId })
  const reported = await withProducts(
    tx,
    report,
    ever.filter((pending) => isOfItsClick(pending, { clickId })),
  )
  if (reported.length === 0 && !report.insists) return asSaid
  const sold = report.insists ? await findSold(tx, ledger, report) : []
  // A sale is the default, whatever else of the order is pending.
  const isSale = [...reported, ...sold].some(({ event }) => event === 'sale')
  const about: About = {
    report,
    said: {
      event: name.namesEvent || !report.insists || isSale ? report.event : undefined,
      typeId:
        report.typeAlias === undefined
          ? undefined
          : await findTypeByAlias(tx, siteId, report.typeAlias, 'or deleted'),
    },
    namesClick: name.namesClick,
  }
  const open = reported.filter(({ settled }) => settled === null)
  const found =
    pendingOf(about, open) ??
    (report.insists
      ? (soldOf(about, sold, reported) ?? rejectedOf(about, reported))
      : approvedOf(about, reported))
  return found ?? asSaid
}

/** With the link type of each. What takes something back is left out. */
async function withProducts(
  tx: Tx,
  { siteId, click }: SaleReport,
  pending: readonly PendingPostback[],
): Promise<Reported[]> {
  const products = new Map<string, number | undefined>()
  const reported: Reported[] = []
  for (const one of pending) {
    const event = wordOf(one.event)
    if (event === null) continue
    const alias = one.typeAlias
    if (alias !== null && !products.has(alias))
      products.set(alias, await findTypeByAlias(tx, siteId, alias, 'or deleted'))
    const typeId = alias === null ? click.typeId : products.get(alias)
    reported.push({ ...one, event, typeId })
  }
  return reported
}

/** Which of some events is meant: the one that is said, or the only one. */
function eventAmong(
  { event }: Said,
  known: readonly { event: CountedEvent }[],
): CountedEvent | SaleOutcome | undefined {
  const events = [...new Set(known.map((one) => one.event))]
  if (event !== undefined) return events.includes(event) ? event : undefined
  const [only, ...others] = events
  return others.length === 0
    ? only
    : refused('event', `is required: of this order, ${events.join(' and ')} were reported`)
}

function pendingOf({ report, said }: About, open: readonly Reported[]): Found {
  const event = eventAmong(said, open)
  if (event === undefined || typeof event === 'object') return event
  const ofEvent = open.filter((pending) => pending.event === event)
  if (report.typeAlias !== undefined) {
    const same = ofEvent.filter(({ typeId }) => typeId !== undefined && typeId === said.typeId)
    const decided =
      same.length > 0 || report.rules.severalProducts
        ? same
        : ofEvent.filter(({ typeAlias }) => typeAlias === null)
    const [first, ...more] = decided
    return first && [meantBy(report, { typeId: said.typeId, reports: [first, ...more] })]
  }
  const products = ofProducts(report, ofEvent)
  const [own] = products
  if (report.insists || !own) return products.map((product) => meantBy(report, product))
  const isOther = report.rules.severalProducts && own.typeId !== report.click.typeId
  return isOther ? OTHER_PENDING : [meantBy(report, own)]
}

const OTHER_PENDING = hold(
  'other-product',
  'Another product of this order is pending, and this report names none. If it is that one, send it with its type.',
)

/** A product of an order, with the reports of it, in the order in which they came. */
type Product = {
  /** Undefined for an alias that no link type has any more. */
  typeId: number | undefined
  reports: readonly [Reported, ...Reported[]]
}

/** That of the click first. Where an order holds one product, a report that names none is of the one that another names. */
function ofProducts({ click, rules }: SaleReport, reported: readonly Reported[]): Product[] {
  const named = new Set(reported.flatMap((one) => (one.typeAlias === null ? [] : [one.typeId])))
  const isOne = named.size === 1 && !rules.severalProducts
  const [only] = isOne ? named : [click.typeId]
  const products = Map.groupBy(reported, ({ typeId, typeAlias }) =>
    typeAlias === null ? only : typeId,
  )
  return [...products]
    .flatMap(([typeId, [first, ...more]]) =>
      first ? [{ typeId, reports: [first, ...more] as const }] : [],
    )
    .toSorted((one, other) => isOwn(other, click) - isOwn(one, click))
}

const isOwn = ({ typeId }: Product, click: SaleReport['click']): number =>
  typeId === click.typeId ? 1 : 0

/** A sale that was reported as pending happened then. The report that counts it says when somebody looked at it. */
function meantBy(report: SaleReport, { typeId, reports }: Product): Meant {
  const [first] = reports
  const named = reports.find(({ typeAlias }) => typeAlias !== null)
  const withAmount = reports.find(({ amountE4 }) => amountE4 !== null)
  const withEmail = reports.find(({ customerEmail }) => customerEmail !== null)
  return {
    report: {
      ...report,
      event: first.event,
      typeAlias: report.typeAlias ?? named?.typeAlias ?? undefined,
      productId: typeId,
      customerEmail: report.customerEmail ?? withEmail?.customerEmail ?? undefined,
      amount: report.amount ?? amountOf(withAmount),
      happenedAt: first.occurredAt,
      useApproveSale: first.useApproveSale ?? report.useApproveSale,
      ifEarly: ifEarlyOf(report, first),
    },
    decided: reports.filter(({ settled }) => settled === null),
    saidBy: first.postbackId,
  }
}

/** Staff who record a report have seen that it is dated before its click. */
function ifEarlyOf({ act, ifEarly }: SaleReport, { isDated }: Reported): SaleReport['ifEarly'] {
  if (!isDated || ifEarly !== 'keep') return ifEarly
  return countsSale(act) ? 'redate' : 'hold'
}

const amountOf = (reported: Reported | undefined): SaleReport['amount'] =>
  reported?.amountE4 == null
    ? undefined
    : { e4: reported.amountE4, currency: reported.currency ?? undefined }

/** What was taken back with the last word about it counts again. What counts is repeated, if it is known that nothing else is meant. */
function soldOf(
  { report, said, namesClick }: About,
  all: readonly SoldThing[],
  reported: readonly Reported[],
): Found {
  if (said.event !== undefined && report.typeAlias !== undefined) return undefined
  const sold = all.filter(
    ({ event, typeId }) =>
      (said.event === undefined || event === said.event) &&
      (report.typeAlias === undefined || typeId === said.typeId),
  )
  const event = eventAmong(said, sold)
  if (event === undefined || typeof event === 'object') return event
  const ofEvent = sold.filter((thing) => thing.event === event)
  const isSaid = (thing: SoldThing) =>
    event === report.event && thing.typeId === (said.typeId ?? report.click.typeId)
  if (ofEvent.some((thing) => isSaid(thing) && counts(thing.chain)))
    return [{ report, decided: [] }]
  const back = takenBackLast(ofEvent)
  if (back.length > 0) return back.map((thing) => soldAs(report, thing))
  const [first] = ofEvent
  if (!first) return undefined
  const wasPending = reported.some((one) => one.event === event && one.typeId === first.typeId)
  // Its sale is the other half.
  if (event === 'approval' && !wasPending) return undefined
  const isRepeated = event !== 'approval' && (!namesClick || wasPending || wasRestored(first.chain))
  if (isRepeated) return [soldAs(report, first)]
  return event === report.event ? OTHER_SOLD : otherEvent(event)
}

const OTHER_SOLD = hold(
  'other-product',
  'This order was already credited to another link type. If this report is of another product, send it with its type.',
)

const otherEvent = (event: CountedEvent) =>
  hold(
    'other-product',
    `Of this order, the ${inSentence(event)} was counted, and this report names no event. It may be about that, or count a sale.`,
  )

const soldAs = (report: SaleReport, { event, typeId: productId }: SoldThing): Meant => ({
  report: { ...report, event, productId },
  decided: [],
})

/** All that the last reversal took back and that does not count again. */
function takenBackLast(things: readonly SoldThing[]): SoldThing[] {
  const back = things.flatMap((thing) => {
    const { reversal } = thing.chain
    return reversal ? [{ thing, reversal }] : []
  })
  const [last] = back.toSorted(
    (one, other) =>
      new Date(other.reversal.recorded_at).getTime() - new Date(one.reversal.recorded_at).getTime(),
  )
  return back.flatMap(({ thing, reversal }) =>
    reversal.postback_id === last?.reversal.postback_id ? [thing] : [],
  )
}

/** What was pending and then rejected counts after all. */
function rejectedOf({ report, said }: About, reported: readonly Reported[]): Found {
  const all = reported.filter(({ settled }) => settled === 'rejected')
  const named = all.filter(({ typeId }) => report.typeAlias === undefined || typeId === said.typeId)
  // Where an order holds one product, a report that named none is of the one that this names.
  const rejected =
    named.length > 0 || report.rules.severalProducts
      ? named
      : all.filter(({ typeAlias }) => typeAlias === null)
  const event = eventAmong(said, rejected)
  if (event === undefined || typeof event === 'object') return event
  const ofEvent = rejected.filter((one) => one.event === event)
  const [first, ...more] = ofEvent
  const products: Product[] =
    report.typeAlias !== undefined && first
      ? [{ typeId: said.typeId, reports: [first, ...more] }]
      : ofProducts(report, ofEvent)
  return products.map((product) => {
    const { report: counted, ...meant } = meantBy(report, product)
    return {
      ...meant,
      report: { ...counted, happenedAt: earlierOf(counted.happenedAt, report.occurredAt) },
    }
  })
}

/** What was rejected and comes back may say that it happened before its first report. */
const earlierOf = (first: Date | undefined, said: Date): Date =>
  first !== undefined && first < said ? first : said

/** A sale without a type may repeat what approved a product. */
function approvedOf({ report }: About, reported: readonly Reported[]): Found {
  const { typeAlias, rules, event } = report
  if (typeAlias !== undefined || rules.severalProducts) return undefined
  const approved = reported.filter((one) => one.settled === 'recorded' && one.event === event)
  const [own] = ofProducts(report, approved)
  return own && [meantBy(report, own)]
}

/** Pending postbacks that a report decided, and what became of it. */
type Decided = { decided: readonly Pick<PendingPostback, 'postbackId'>[]; outcome: SaleOutcome }

/** Records all that a report counts. What of it can't be recorded with the first stays as it is. */
export async function recordMeant(
  tx: Tx,
  meant: readonly Meant[],
  options: Pick<RecordOptions, 'ledger' | 'attributeFromId'>,
): Promise<{ outcome: SaleOutcome; decided: Decided[] }> {
  const all: Decided[] = []
  for (const { report, decided } of meant) {
    const outcome = await recordSaleEvent(tx, report, options)
    if (decides[outcome.outcome]) all.push({ decided, outcome })
    else if (all.length === 0) return { outcome, decided: [] }
  }
  const outcomes = all.map((one) => one.outcome)
  const recorded = outcomes.filter((one) => one.outcome === 'recorded')
  const [first] = recorded.length > 0 ? recorded : outcomes
  if (!first) throw new RangeError('A report counts something')
  if (first.outcome !== 'recorded' || recorded.length === 1) return { outcome: first, decided: all }
  const products = `It counts ${recorded.length} products of the order.`
  const notice = first.notice === undefined ? products : `${products} ${first.notice}`
  return { outcome: { ...first, notice }, decided: all }
}

export async function closeMeant(tx: Tx, all: readonly Decided[], at: Date): Promise<void> {
  for (const { decided, outcome } of all) {
    const eventId = 'eventId' in outcome ? (outcome.eventId ?? null) : null
    for (const { postbackId } of decided)
      await closePending(tx, postbackId, { ...APPROVED, eventId, at })
  }
}

const APPROVED = { outcome: 'recorded', reason: 'The merchant approved it later.' } as const

/** Closes the pending postbacks that a report with this outcome decides. */
export async function closeDecided(
  tx: Tx,
  report: OrderName & { standing: string | null },
  outcome: SaleOutcome,
  at: Date,
): Promise<void> {
  if (!decides[outcome.outcome] || ('isPart' in outcome && outcome.isPart)) return
  const isBack = isBackEvent(report.event) || report.standing === 'rejected'
  const eventId = 'eventId' in outcome ? (outcome.eventId ?? null) : null
  for (const { postbackId, event } of await findDecided(tx, report)) {
    const isRejected = isBack && (outcome.outcome === 'rejected' || !isBackEvent(event))
    const settled = isRejected
      ? { outcome: 'rejected' as const, eventId: null, reason: 'The merchant rejected it later.' }
      : { ...APPROVED, eventId }
    await closePending(tx, postbackId, { ...settled, at })
  }
}

/** Whether a reversal finds nothing that counts, or what it names was taken back before: then it is about what is pending. */
export const takesNothing = (found: SaleOutcome): boolean =>
  found.outcome === 'waiting' || (found.outcome === 'duplicate' && !found.isPart)

/**
 * What becomes of a report that would reject what is pending of its order, if it takes back a part of that, or how much is
 * unclear: somebody is asked, or it waits until there is something to take a part of. Undefined if it is about the whole.
 */
export async function findPendingPart(
  tx: Tx,
  report: ReversalReport,
  decided: readonly PendingPostback[],
): Promise<SaleOutcome | undefined> {
  const sold: Sold[] = []
  for (const pending of decided) {
    if (isBackEvent(pending.event)) continue
    const { typeAlias, typeId, amountE4, currency } = pending
    const named = typeAlias === null ? typeId : await findTypeByAlias(tx, report.siteId, typeAlias)
    const amount = amountE4 === null ? undefined : { e4: amountE4, currency: currency ?? undefined }
    // Where an order holds one product, all is of that.
    const product = report.rules.severalProducts ? (named ?? typeAlias ?? '') : ''
    sold.push({ product, amount })
  }
  const taken = sold.length === 0 ? undefined : partTakenBack(report, sold)
  return taken && (taken.question ?? WAITS_FOR_APPROVAL)
}

const WAITS_FOR_APPROVAL = {
  outcome: 'waiting',
  waitsFor: 'sale',
  reason: 'It takes back a part of an order that the merchant has not approved yet.',
} as const satisfies SaleOutcome

/** Whether a report with an outcome decides about the pending postbacks of its order. */
export const decides: Record<SaleOutcome['outcome'], boolean> = {
  recorded: true,
  duplicate: true,
  rejected: true,
  waiting: false,
  conflict: false,
  pending: false,
  refused: false,
  ignored: false,
}

const isBackEvent = (event: string | null | undefined): boolean =>
  event != null && isPostbackEvent(event) && isReversal(event)
