import { randomUUIDv7 } from 'node:crypto'
import { decodeClickId } from '@tallyroom/domain/click-id'
import { type CountedEvent, EVENT_TYPE, eventTypeOf } from '@tallyroom/domain/event-types'
import { announceChange } from '../../db/changes.ts'
import type { Tx } from '../../db/database.ts'
import { ratesOf } from '../office-fees/index.ts'
import { type ReversalReport, type SaleOutcome, dateOf, heldFor } from './report.ts'
import { updateFraudFlag } from './flag-fraud.queries.ts'
import { type KeyHolder, type Ledger, LostRace } from './ledger.ts'
import { reverseEvent, type SaleEvent } from './price-event.ts'
import { refuseType } from './refuse.ts'
import {
  everySaleKey,
  formerReversalReportKeys,
  reversalKey,
  reversalReportKey,
} from './sale-keys.ts'
import { findReported, findTypeByAlias } from './sales.queries.ts'
import { TEST_AGENT_ID } from './test-sales.queries.ts'

/**
 * Reverses a sale with a new event. Two keys make it count once: the report's key, so that a retry changes
 * nothing even if more sales have arrived, and the sale's key, so that no other report reverses it again.
 */
export async function reverseSale(
  tx: Tx,
  report: ReversalReport,
  ledger: Ledger,
): Promise<SaleOutcome> {
  const name = { ...report, clickId: report.click?.id }
  const reportKey = reversalReportKey(name, report.reversal, report.target)
  const formerKeys = report.target ? formerReversalReportKeys(name, report.reversal) : []
  const holders = await ledger.findHolders(tx, [reportKey, ...formerKeys, ...everySaleKey(name)])

  const repeated = holders.find((holder) => holder.saleKey === reportKey)
  if (repeated) {
    return report.click && report.click.id !== repeated.clickId ? otherClick : repeatOf(repeated)
  }
  const clicked =
    report.click && (await ratesOf(tx, report.click.typeId, undefined, report.occurredAt))
  if (report.click && clicked?.siteId !== report.siteId) {
    return { outcome: 'refused', data: { click_id: ['belongs to another site'] } }
  }

  const found = await findSale(tx, report, ledger, holders)
  if (found === 'several') {
    const former = holders.find(({ saleKey }) => formerKeys.includes(saleKey))
    if (former) return repeatOf(former)
    return {
      outcome: 'conflict',
      reason: 'The click has several sales: send the transaction id of the one to reverse.',
    }
  }
  if (!found) {
    return {
      outcome: 'waiting',
      waitsFor: 'sale',
      reason: 'The sale that it reverses has not arrived yet.',
    }
  }
  if (report.click && report.click.id !== found.click_id) return otherClick
  if (report.typeAlias !== undefined) {
    const typeId = await findTypeByAlias(tx, report.siteId, report.typeAlias)
    if (typeId === undefined) return refuseType(tx, report.siteId)
    if (typeId !== found.type_id) {
      return {
        outcome: 'conflict',
        reason: 'The sale with this transaction id is of another link type.',
      }
    }
  }
  const earliestAt = earliestReversalOf(found)
  const occurredAt = dateOf(report, earliestAt)
  // If the sale was already reversed, nothing is recorded, whatever the date.
  if (!occurredAt && (await ledger.findHolders(tx, [reversalKey(found.id)])).length === 0) {
    return heldFor('sale', earliestAt)
  }
  const dated = { ...report, occurredAt: occurredAt ?? earliestAt }
  return writeReversal(tx, dated, ledger, reportKey, found)
}

/** A sale may be dated a few minutes before its click. Its reversal comes after both. */
function earliestReversalOf({ occurred_at: soldAt, click_id: clickId }: SaleEvent): Date {
  const clickedAtMs = decodeClickId(clickId)?.clickedAtMs ?? 0
  return new Date(Math.max(soldAt.getTime(), clickedAtMs))
}

const repeatOf = ({ eventId }: KeyHolder): SaleOutcome => ({
  outcome: 'duplicate',
  eventId,
  reason: 'This reversal was already recorded.',
})

const otherClick: SaleOutcome = {
  outcome: 'conflict',
  reason: 'The sale with this transaction id belongs to another click.',
}

async function writeReversal(
  tx: Tx,
  report: ReversalReport,
  ledger: Ledger,
  reportKey: string,
  sale: SaleEvent,
): Promise<SaleOutcome> {
  const event = reverseEvent(await ledger.findRepriced(tx, sale), report.reversal, {
    id: randomUUIDv7(),
    occurred_at: report.occurredAt,
    recorded_at: report.recordedAt,
    postback_id: report.postbackId,
  })
  const key = { key: reversalKey(sale.id), reported: null, soldAt: sale.occurred_at }
  const isFirst = (await ledger.insertOnce(tx, key, event, [])) === 'written'
  const eventId = isFirst ? event.id : await findReversal(tx, ledger, sale)

  const holder = { ...holderOf(sale), saleKey: reportKey, eventId }
  if (!(await ledger.insertFurtherKey(tx, reportKey, holder))) {
    throw new LostRace('the same reversal was recorded meanwhile')
  }
  // A fraud report counts against the agent even if the sale was already reversed.
  if (report.reversal === 'fraud' && sale.agent_id !== TEST_AGENT_ID) {
    await flagFraud(tx, sale.agent_id, report.recordedAt)
  }
  return isFirst
    ? { outcome: 'recorded', eventId, typeId: sale.type_id, agentId: sale.agent_id }
    : { outcome: 'duplicate', eventId, reason: 'The sale was already reversed.' }
}

/**
 * The sale to reverse: by order number, or else by click, whose sales may have order numbers that this report
 * lacks.
 */
async function findSale(
  tx: Tx,
  report: ReversalReport,
  ledger: Ledger,
  holders: readonly KeyHolder[],
): Promise<SaleEvent | 'several' | undefined> {
  if (report.transactionId !== undefined) {
    const [sale] = await chooseMeant(tx, report, await findOrder(tx, report, ledger, holders))
    return sale
  }
  if (!report.click) return undefined
  const sales = await ledger.findSalesOfClick(tx, {
    siteId: report.siteId,
    agentId: report.click.agentId,
    clickId: report.click.id,
  })
  const [sale, another] = await chooseMeant(tx, report, sales)
  return another ? 'several' : sale
}

/** An order's sale, approval and bonus, in the order of their keys. */
async function findOrder(
  tx: Tx,
  report: ReversalReport,
  ledger: Ledger,
  holders: readonly KeyHolder[],
): Promise<SaleEvent[]> {
  const sales: SaleEvent[] = []
  for (const key of everySaleKey({ ...report, clickId: report.click?.id })) {
    const holder = holders.find(({ saleKey }) => saleKey === key)
    const sale = holder && (await ledger.findEvent(tx, holder))
    if (sale) sales.push(sale)
  }
  return sales
}

/**
 * Chooses among the candidates: the one reported with this very word, else the event that the word means on the
 * site; without a word the sales, else the bonuses.
 */
async function chooseMeant(
  tx: Tx,
  { target, useApproveSale }: ReversalReport,
  sales: readonly SaleEvent[],
): Promise<readonly SaleEvent[]> {
  const ofType = (type: number) => sales.filter((sale) => sale.event_type === type)
  if (target === undefined) {
    const found = ofType(EVENT_TYPE.sale)
    return found.length > 0 ? found : ofType(EVENT_TYPE.bonus)
  }
  const reported: ReadonlyMap<string, CountedEvent> = await findReported(tx, sales)
  const found = sales.filter(({ id }) => reported.get(id) === target)
  return found.length > 0 ? found : ofType(eventTypeOf(target, { useApproveSale }))
}

async function findReversal(tx: Tx, ledger: Ledger, sale: SaleEvent): Promise<string> {
  const [holder] = await ledger.findHolders(tx, [reversalKey(sale.id)])
  if (!holder) throw new LostRace('a reversal has just disappeared')
  return holder.eventId
}

const holderOf = (sale: SaleEvent): Omit<KeyHolder, 'saleKey' | 'eventId'> => ({
  reported: null,
  agentId: sale.agent_id,
  typeId: sale.type_id,
  clickId: sale.click_id,
})

/**
 * Flags an agent whose sale a merchant reported as fraud. If the system option Auto Block Account is on, they
 * are also suspended, and their links stop within a second in every process.
 */
async function flagFraud(tx: Tx, agentId: number, at: Date): Promise<void> {
  const isActive = await updateFraudFlag(tx, agentId, at)
  if (isActive === false) await announceChange(tx, 'destinations')
}
