import type { CountedEvent } from '@tallyroom/domain/event-types'
import type { Tx } from '../../db/database.ts'
import { type Chain, chainsOf } from './chains.ts'
import type { SaleLedger } from './ledger.ts'
import { ledgerOf } from './record-sale-event.ts'
import type { SaleReport } from './report.ts'
import { everySaleKey } from './sale-keys.ts'
import { findReported } from './sales.queries.ts'

/** Something of an order that was counted, whether it still is: what was reported, of which product. */
export type SoldThing = { event: CountedEvent; typeId: number; chain: Chain }

/** What was counted of a report's order for its click. */
export async function findSold(
  tx: Tx,
  saleLedger: SaleLedger,
  report: SaleReport,
): Promise<SoldThing[]> {
  const { siteId, transactionId, click } = report
  const ledger = ledgerOf(report, saleLedger)
  const name = { siteId, transactionId, clickId: click.id }
  if ((await ledger.findHolders(tx, everySaleKey(name))).length === 0) return []
  const { agentId, id: clickId } = click
  const events = await ledger.findEventsOfClick(tx, { siteId, agentId, clickId })
  const chains = chainsOf(
    events.filter((event) => event.transaction_id === (transactionId ?? null)),
  )
  const reported = await findReported(
    tx,
    chains.map(({ sale }) => sale),
  )
  return chains.flatMap((chain) => {
    const event = reported.get(chain.sale.id)
    return event ? [{ event, typeId: chain.sale.type_id, chain }] : []
  })
}
