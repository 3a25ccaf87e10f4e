import type { Tx } from '../db/database.ts'
import type { ClickStore } from './clicks/click-store.ts'
import { clickStoreOnOneServer, deleteEventsAsOwner } from './clicks/clicks.queries.ts'
import type { SaleLedger } from './sales/ledger.ts'
import { saleLedger } from './sales/sales.queries.ts'

/** Where a database has its clicks and sales: on one server, or on the machines of a cluster. Chosen once, at the start. */
export type Stores = {
  clickStore: ClickStore
  ledger: SaleLedger
  erasing: {
    /** Make it the first statement of a transaction that deletes events. */
    begin(tx: Tx): Promise<void>
    /** Deletes the clicks and sales of an agent who no longer exists, but not their totals. */
    deleteEvents(tx: Tx, agentId: number): Promise<void>
  }
}

export const storesOnOneServer: Stores = {
  clickStore: clickStoreOnOneServer,
  ledger: saleLedger,
  erasing: { begin: () => Promise.resolve(), deleteEvents: deleteEventsAsOwner },
}
