import { type CountedEvent, EVENT_TYPE, eventTypeOf } from '@tallyroom/domain/event-types'
import type { Tx } from '../../db/database.ts'
import { type Chain, chainsOf } from './chains.ts'
import type { KeyHolder, Ledger } from './ledger.ts'
import type { SaleEvent } from './price-event.ts'
import type { ReversalReport } from './report.ts'
import { distinctClicks } from './other-clicks.ts'
import { everySaleKey, type ReversalScope } from './sale-keys.ts'
import { findReported } from './sales.queries.ts'

/**
 * What a reversal may be about: the sales, bonuses and products of its order, or else of its click.
 *
 * - `several`: the click has several orders, and the report doesn't say which.
 * - `other`: there are sales, but none that the report describes.
 */
export type Found =
  | { kind: 'sales'; chains: readonly [Chain, ...Chain[]]; all: readonly SaleEvent[] }
  | { kind: 'none' | 'several' | 'other' }

export async function findReversed(
  tx: Tx,
  report: ReversalReport,
  ledger: Ledger,
  { holders, scope }: { holders: readonly KeyHolder[]; scope: ReversalScope },
): Promise<Found> {
  const all = await findEvents(tx, report, ledger, holders)
  const chains = chainsOf(all)
  if (chains.length === 0) return { kind: 'none' }
  if (report.chosen !== undefined) {
    const { chosen } = report
    return foundOf(
      chains.filter(({ eventIds }) => eventIds.has(chosen)),
      all,
    )
  }
  const named = await chooseMeant(tx, report, chains)
  const meant = named.filter(
    ({ sale }) => scope.productId === undefined || sale.type_id === scope.productId,
  )
  if (meant.length === 0) return { kind: named.length === 0 ? 'none' : 'other' }
  if (report.transactionId !== undefined) return foundOf(meant, all)

  // Without an order number, the sale of the click, with its bonus.
  const sales = meant.filter(({ sale }) => sale.event_type === EVENT_TYPE.sale)
  const orders = new Set((sales.length > 0 ? sales : meant).map(({ sale }) => sale.transaction_id))
  if (orders.size > 1) return { kind: 'several' }
  return foundOf(
    meant.filter(({ sale }) => orders.has(sale.transaction_id)),
    all,
  )
}

function foundOf(chains: readonly Chain[], all: readonly SaleEvent[]): Found {
  const [first, ...more] = chains
  return first ? { kind: 'sales', chains: [first, ...more], all } : { kind: 'none' }
}

async function findEvents(
  tx: Tx,
  report: ReversalReport,
  ledger: Ledger,
  holders: readonly KeyHolder[],
): Promise<SaleEvent[]> {
  const { siteId, transactionId, click } = report
  if (transactionId === undefined) {
    return click
      ? ledger.findEventsOfClick(tx, { siteId, agentId: click.agentId, clickId: click.id })
      : []
  }
  const keys = everySaleKey({ ...report, clickId: click?.id })
  const members = holders.filter(({ saleKey }) => keys.includes(saleKey))
  const events: SaleEvent[] = []
  for (const { agentId, clickId } of distinctClicks(members)) {
    const found = await ledger.findEventsOfClick(tx, { siteId, agentId, clickId })
    events.push(...found.filter((event) => event.transaction_id === transactionId))
  }
  return events
}

/** Those reported with the very word that the reversal names, else the event that the word means on the site. */
async function chooseMeant(
  tx: Tx,
  { target, useApproveSale }: ReversalReport,
  chains: readonly Chain[],
): Promise<readonly Chain[]> {
  if (target === undefined) return chains
  const reported: ReadonlyMap<string, CountedEvent> = await findReported(
    tx,
    chains.map(({ sale }) => sale),
  )
  const found = chains.filter(({ sale }) => reported.get(sale.id) === target)
  const type = eventTypeOf(target, { useApproveSale })
  return found.length > 0 ? found : chains.filter(({ sale }) => sale.event_type === type)
}
