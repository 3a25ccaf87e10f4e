import { decodeClickId, isSameClick, saysUnstored, TEST_AGENT_ID } from '@tallyroom/domain/click-id'
import { takesBackSale } from '@tallyroom/domain/holds'
import { announceChange } from '../../db/changes.ts'
import { writeBesideShards } from '../../db/citus/layout.ts'
import type { Tx } from '../../db/database.ts'
import { tellOfAgents } from '../../notices/index.ts'
import { ratesOf } from '../../catalogue/index.ts'
import { type Chain, chainsOf, counts, wasRestored } from './chains.ts'
import { findReversed } from './find-reversed.ts'
import { updateFraudFlag } from './flag-fraud.queries.ts'
import { type KeyHolder, type Ledger, LostRace } from './ledger.ts'
import { keepTakenBack } from './other-clicks.ts'
import { findLaterWords } from './order-words.queries.ts'
import type { SaleEvent } from './price-event.ts'
import { refused, refusedAsOfClick, refuseType } from './refuse.ts'
import { insertRejection, isOfCode } from './rejected-orders.queries.ts'
import {
  dateOf,
  heldFor,
  hold,
  MOST_LAG_MS,
  type ReversalReport,
  type SaleOutcome,
} from './report.ts'
import { partTakenBack, reversePart, soldOf } from './reverse-part.ts'
import {
  everySaleKey,
  formerReversalReportKeys,
  ofOneClick,
  orderLock,
  reversalReportKey,
  type ReversalScope,
} from './sale-keys.ts'
import { findReported, findTypeByAlias } from './sales.queries.ts'
import { writeReversal } from './write-reversal.ts'

/**
 * Takes back whatever counts of an order, or the part of it that the report names, with new events. Two keys make it
 * count once: the report's key, so that a retry changes nothing even if more sales have arrived, and each sale's key, so
 * that no other report reverses it again.
 */
export async function reverseSale(
  tx: Tx,
  report: ReversalReport,
  ledger: Ledger,
): Promise<SaleOutcome> {
  const name = { ...report, clickId: report.click?.id }
  const scope = await scopeOf(tx, report)
  if (!scope) return refuseType(tx, report.siteId)
  const reportKey = reversalReportKey(name, report.reversal, scope)
  const formerKeys = report.target ? formerReversalReportKeys(name, report.reversal) : []

  if (await isOfOtherSite(tx, report)) return refused('click_id', 'belongs to another site')
  await ledger.lockOrder(tx, orderLock(name))
  const holders = await ledger.findHolders(tx, [reportKey, ...formerKeys, ...everySaleKey(name)])
  const found = await findReversed(tx, report, ledger, { holders, scope })
  if (await isOnlyOfClicks(tx, report, holders)) return refusedAsOfClick
  const isShared = found.kind === 'sales' && isOfSeveralClicks(found.all)
  const key = isShared && report.click ? ofOneClick(reportKey, report.click.id) : reportKey
  const repeated = await findRepeated(tx, ledger, key, { reportKey, holders })
  if (repeated && report.click && report.click.id !== repeated.clickId) return otherClick
  if (found.kind !== 'sales') {
    const former = holders.find(({ saleKey }) => formerKeys.includes(saleKey))
    const known = repeated ?? (found.kind === 'several' ? former : undefined)
    if (known) return repeatOf(known)
    const outcome = notFound(report, found.kind)
    if (found.kind === 'other' && outcome.outcome === 'conflict') await rememberIdle(tx, report)
    return outcome
  }
  const { all } = found
  const chains = isShared ? chainsOfOneClick(report, found.chains, repeated) : found.chains
  if (chains === 'several') return severalClicks
  if (chains.some(({ sale }) => report.click && report.click.id !== sale.click_id))
    return otherClick
  const before = repeated && all.find(({ id }) => id === repeated.eventId)
  const ofCode = await areOfCode(tx, chains)
  const task: Task = {
    tx,
    ledger,
    report,
    reportKey: key,
    repeated,
    before,
    chains,
    isShared,
    ofCode,
  }
  const live = chains.filter(counts)
  return live.length > 0 ? reverseLive(task, live) : alreadyReversed(task)
}

async function isOfOtherSite(tx: Tx, report: ReversalReport): Promise<boolean> {
  const { click, siteId, occurredAt } = report
  if (!click) return false
  const rates = await ratesOf(tx, click.typeId, undefined, occurredAt)
  return rates?.siteId !== siteId
}

/** Whether a report takes back an order of a code alone, and this one came by clicks. It is locked, so none comes by a code meanwhile. */
async function isOnlyOfClicks(
  tx: Tx,
  report: ReversalReport,
  holders: readonly KeyHolder[],
): Promise<boolean> {
  if (!report.onlyByCode) return false
  const keys = everySaleKey({ ...report, clickId: undefined })
  const clickIds = holders.flatMap(({ saleKey, clickId }) =>
    keys.includes(saleKey) ? clickId : [],
  )
  return clickIds.length > 0 && !(await isOfCode(tx, report, clickIds))
}

/** The holder of a report's key: of that of its order among those that are known, of that of one click looked up. */
async function findRepeated(
  tx: Tx,
  ledger: Ledger,
  key: string,
  order: { reportKey: string; holders: readonly KeyHolder[] },
): Promise<KeyHolder | undefined> {
  const holders = key === order.reportKey ? order.holders : await ledger.findHolders(tx, [key])
  return holders.find(({ saleKey }) => saleKey === key)
}

type Task = {
  tx: Tx
  ledger: Ledger
  report: ReversalReport
  reportKey: string
  /** The holder of the report's key, if the same was reported before, and the event of that time. */
  repeated: KeyHolder | undefined
  before: SaleEvent | undefined
  chains: readonly [Chain, ...Chain[]]
  /** Staff counted the order for several clicks. The chains are those of one. */
  isShared: boolean
  /** The chains' click id stands for a code, so nobody clicked at its time. */
  ofCode: boolean
}

/** Whether staff counted the same of an order for several clicks, in turn or beside one another. */
const isOfSeveralClicks = (events: readonly SaleEvent[]): boolean =>
  chainsOf(events).some(({ sale }, at, chains) =>
    chains
      .slice(at + 1)
      .some(
        ({ sale: other }) =>
          other.event_type === sale.event_type && other.click_id !== sale.click_id,
      ),
  )

/**
 * Of the click that a report names, if it still counts, or nothing does, or the report repeats one; without a click, of the
 * only one that still counts.
 */
function chainsOfOneClick(
  { click }: ReversalReport,
  chains: readonly [Chain, ...Chain[]],
  repeated: KeyHolder | undefined,
): readonly [Chain, ...Chain[]] | 'several' {
  const live = new Set(chains.filter(counts).map(({ sale }) => sale.click_id))
  if (!click && live.size > 1) return 'several'
  const isNamed = click && (repeated !== undefined || live.has(click.id) || live.size === 0)
  const [clickId] = isNamed ? [click.id] : live
  const [first, ...more] = chains.filter(({ sale }) => sale.click_id === clickId)
  return first ? [first, ...more] : chains
}

/** Undefined for an unknown link type. */
async function scopeOf(tx: Tx, report: ReversalReport): Promise<ReversalScope | undefined> {
  const { target, typeAlias, siteId } = report
  if (typeAlias === undefined) return { target, productId: undefined }
  const productId = await findTypeByAlias(tx, siteId, typeAlias, 'or deleted')
  return productId === undefined ? undefined : { target, productId }
}

function notFound({ rules }: ReversalReport, kind: 'none' | 'several' | 'other'): SaleOutcome {
  if (kind === 'several') {
    return hold(
      'which-sale',
      'The click has several sales: send the transaction id of the one to reverse.',
    )
  }
  // Of an order with several products, the one that it names may still come.
  return kind === 'other' && !rules.severalProducts
    ? hold('which-sale', 'The sale with this transaction id is of another link type.')
    : {
        outcome: 'waiting',
        waitsFor: 'sale',
        reason: 'The sale that it reverses has not arrived yet.',
      }
}

const severalClicks = hold('which-sale', 'Several clicks have a sale with this transaction id.')

const otherClick = hold('which-sale', 'The sale with this transaction id belongs to another click.')

const repeatOf = ({ eventId }: KeyHolder): SaleOutcome => ({
  outcome: 'duplicate',
  eventId,
  reason: 'This reversal was already recorded.',
})

/** Remembers the report, so that its retries change nothing, and a fraud report even then counts against the agent. */
async function alreadyReversed(task: Task): Promise<SaleOutcome> {
  const { repeated, chains } = task
  if (repeated) return repeatOf(repeated)
  const eventId = chains[0].reversal?.id ?? chains[0].sale.id
  await remember(task, eventId)
  return { outcome: 'duplicate', eventId, reason: 'The sale was already reversed.' }
}

async function reverseLive(task: Task, live: readonly Chain[]): Promise<SaleOutcome> {
  const { report, repeated } = task
  if (takesBackSale(report.act)) {
    const times = [report.occurredAt, ...live.map((chain) => earliestReversalOf(task, chain))].map(
      (at) => at.getTime(),
    )
    const occurredAt = new Date(Math.max(...times))
    return takeBack({ ...task, report: { ...report, occurredAt } }, live)
  }
  if (repeated && !report.isDated && !report.insists) {
    return isNews(task, live)
      ? hold(
          'reversed-again',
          'This was reported before, and the sale was counted since. It may be a late retry, or reverses it again.',
        )
      : repeatOf(repeated)
  }
  if (!report.isDated) return takeBack(task, live)

  const due: Chain[] = []
  for (const chain of live) {
    if (isBefore(task, chain) && !(await wasConfirmedLater(task, chain))) due.push(chain)
  }
  if (due.length > 0) return takeBack(task, due)
  const early = live.filter((chain) => !wasRestored(chain))
  const first = early[0]
  if (repeated || !first || early.length < live.length || isBefore(task, first)) {
    const { id: eventId } = (first ?? live[0] ?? task.chains[0]).counted
    if (!repeated) await rememberIdle(task.tx, report)
    return {
      outcome: 'duplicate',
      eventId: repeated?.eventId ?? eventId,
      reason: 'A report with a later time says that the sale counts.',
    }
  }
  const earliestAt = new Date(
    Math.min(...early.map((chain) => earliestReversalOf(task, chain).getTime())),
  )
  const occurredAt = dateOf(report, earliestAt)
  if (!occurredAt) {
    await rememberIdle(task.tx, report)
    return heldFor('sale', earliestAt)
  }
  return takeBack({ ...task, report: { ...report, occurredAt } }, early)
}

/** A dated report that takes nothing back by now may be about what comes later with an earlier time. */
async function rememberIdle(tx: Tx, report: ReversalReport): Promise<void> {
  if (report.isDated) await insertRejection(tx, report)
}

/** Whether anything was counted after the same was reported before. */
const isNews = ({ report, before }: Task, live: readonly Chain[]): boolean =>
  live.some(
    (chain) =>
      wasRestored(chain) ||
      (report.transactionId !== undefined &&
        before !== undefined &&
        chain.counted.recorded_at > before.recorded_at),
  )

/** A sale may be dated a few minutes after its reversal, by another clock. */
const isBefore = (task: Task, chain: Chain): boolean => {
  const { occurredAt } = task.report
  return wasRestored(chain)
    ? chain.counted.occurred_at <= occurredAt
    : earliestReversalOf(task, chain).getTime() - occurredAt.getTime() <= MOST_LAG_MS
}

/** A sale may be dated a few minutes before its click. Its reversal comes after both. */
function earliestReversalOf({ ofCode }: Pick<Task, 'ofCode'>, { counted }: Chain): Date {
  const clickedAtMs = ofCode ? 0 : (decodeClickId(counted.click_id)?.clickedAtMs ?? 0)
  return new Date(Math.max(counted.occurred_at.getTime(), clickedAtMs))
}

/** Whether chains are of a click id that stands for a code. One of a crawler has no row either, but somebody came with it. */
async function areOfCode(tx: Tx, [{ sale }]: readonly [Chain, ...Chain[]]): Promise<boolean> {
  const click = decodeClickId(sale.click_id)
  if (!click || !saysUnstored(click)) return false
  const order = { siteId: sale.site_id, transactionId: sale.transaction_id ?? undefined }
  return isOfCode(tx, order, [sale.click_id])
}

/** Whether the merchant has said, with a later time, that the sale counts. It changed nothing then. */
async function wasConfirmedLater({ tx, report }: Task, { sale, counted }: Chain): Promise<boolean> {
  const name = {
    siteId: report.siteId,
    transactionId: sale.transaction_id ?? undefined,
    clickId: sale.click_id,
  }
  const isTest = sale.agent_id === TEST_AGENT_ID
  const words = await findLaterWords(tx, name, { after: report.occurredAt, isTest })
  if (words.length === 0) return false
  const reported = (await findReported(tx, [sale])).get(sale.id)
  return words.some(
    ({ event, typeId, occurredAt, clickId }) =>
      event === reported &&
      isOfClick(clickId, sale.click_id) &&
      typeId === sale.type_id &&
      occurredAt.getTime() > counted.occurred_at.getTime(),
  )
}

/** A word without a click is about all of its order. */
function isOfClick(said: string | null, clickId: string): boolean {
  const isId = (text: string) => decodeClickId(text) !== undefined
  return said === null || !isId(said) || !isId(clickId) || isSameClick(said, clickId)
}

async function takeBack(task: Task, due: readonly Chain[]): Promise<SaleOutcome> {
  const { tx, ledger, report } = task
  const taken = partTakenBack(report, due.map(soldOf))
  if (taken?.question) return taken.question
  if (taken) return reversePart(tx, ledger, { ...task, due, part: taken.part })
  const eventIds: string[] = []
  for (const chain of due) eventIds.push(await writeReversal(tx, ledger, report, chain))
  const [eventId = ''] = eventIds
  await remember(task, eventId)
  const { type_id: typeId, agent_id: agentId } = (due[0] ?? task.chains[0]).sale
  return {
    outcome: 'recorded',
    eventId,
    typeId,
    agentId,
    ...(eventIds.length > 1 && { notice: `It took back ${eventIds.length} events of the order.` }),
  }
}

/** Keeps the report's key; and if it named only the click, that of the order that it took back. */
async function remember(task: Task, eventId: string): Promise<void> {
  const { tx, ledger, report, reportKey, repeated, chains } = task
  const { sale } = chains[0]
  const holder = {
    eventId,
    reported: null,
    agentId: sale.agent_id,
    typeId: sale.type_id,
    clickId: sale.click_id,
  }
  if (!repeated) {
    const isFirst = await ledger.insertFurtherKey(tx, reportKey, { ...holder, saleKey: reportKey })
    if (!isFirst) throw new LostRace('the same reversal was recorded meanwhile')
  }
  const isWhole = report.target === undefined && report.typeAlias === undefined
  if (isWhole && task.isShared && report.transactionId !== undefined) {
    await keepTakenBack(tx, ledger, { ...report, clickId: sale.click_id }, chains[0].counted)
  }
  if (isWhole && report.transactionId === undefined && sale.transaction_id !== null) {
    const scope = { target: undefined, productId: undefined }
    const name = { siteId: report.siteId, transactionId: sale.transaction_id, clickId: undefined }
    const saleKey = reversalReportKey(name, report.reversal, scope)
    await ledger.insertFurtherKey(tx, saleKey, { ...holder, saleKey })
  }
  if (report.reversal === 'fraud' && sale.agent_id !== TEST_AGENT_ID) {
    await flagFraud(tx, sale.agent_id, report.recordedAt)
  }
}

/**
 * Flags an agent whose sale a merchant reported as fraud. If the system option Auto Block Account is on, they
 * are also suspended, and their links stop within a second in every process.
 */
async function flagFraud(tx: Tx, agentId: number, at: Date): Promise<void> {
  const flagged = await writeBesideShards(tx, () => updateFraudFlag(tx, agentId, at))
  if (!flagged || flagged.isActive) return
  if (flagged.wasActive)
    await tellOfAgents(tx, [agentId], { maySell: false }, { at, byAccountId: null })
  await announceChange(tx, 'destinations')
}
