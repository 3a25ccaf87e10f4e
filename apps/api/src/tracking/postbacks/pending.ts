import { isPostbackEvent, isReversal } from '@tallyroom/domain/event-types'
import type { Tx } from '../../db/database.ts'
import type { ReversalReport, SaleOutcome, SaleReport } from '../sales/report.ts'
import { partTakenBack, type Sold } from '../sales/reverse-part.ts'
import { findTypeByAlias } from '../sales/sales.queries.ts'
import { closePending, findPending, type PendingPostback } from './pending.queries.ts'

/** What a report is about, in the words of its postback. */
export type OrderName = {
  siteId: number | null
  transactionId: string | null | undefined
  clickId: string | null | undefined
  event: string | null | undefined
  typeAlias?: string | null | undefined
}

/** Undefined for a report that names neither an order nor a click. */
export function orderKeyOf({ siteId, transactionId, clickId }: OrderName): string | undefined {
  if (siteId === null) return undefined
  if (transactionId) return `${siteId}:t:${transactionId}`
  return clickId ? `${siteId}:c:${clickId}` : undefined
}

/** The pending postbacks that a report decides: those of its own event, or for a reversal all of the order. */
export async function findDecided(tx: Tx, report: OrderName): Promise<PendingPostback[]> {
  const key = orderKeyOf(report)
  if (key === undefined) return []
  const { event, clickId, typeAlias } = report
  const isBack = isBackEvent(event)
  return (await findPending(tx, key)).filter(
    (pending) =>
      (isBack || pending.event === event) &&
      (!clickId || !pending.clickId || pending.clickId === clickId) &&
      (!typeAlias || !pending.typeAlias || pending.typeAlias === typeAlias),
  )
}

/** A sale that was reported as pending happened then. The report that counts it says when somebody looked at it. */
export async function sinceFirstReport(
  tx: Tx,
  report: SaleReport,
  name: OrderName,
): Promise<SaleReport> {
  const [first] = await findDecided(tx, name)
  if (!first) return report
  const ifEarly = first.isDated && report.ifEarly === 'keep' ? 'hold' : report.ifEarly
  const useApproveSale = first.useApproveSale ?? report.useApproveSale
  return { ...report, happenedAt: first.occurredAt, useApproveSale, ifEarly }
}

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
      : { outcome: 'recorded' as const, eventId, reason: 'The merchant approved it later.' }
    await closePending(tx, postbackId, { ...settled, at })
  }
}

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
    sold.push({ product: named ?? typeAlias ?? '', amount })
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
const decides: Record<SaleOutcome['outcome'], boolean> = {
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
