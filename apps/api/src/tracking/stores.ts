import type { Tx } from '../db/database.ts'
import type { ClickMonths } from './archive/click-months.ts'
import { monthsOnOneServer } from './archive/months.queries.ts'
import type { ClickStore } from './clicks/click-store.ts'
import { clickStoreOnOneServer, deleteEventsAsOwner } from './clicks/clicks.queries.ts'
import type { SaleLedger } from './sales/ledger.ts'
import { saleLedger } from './sales/sales.queries.ts'

/** Where a database has its clicks and sales: on one server, or on the machines of a cluster. Chosen once, at the start. */
export type Stores = {
  clickStore: ClickStore & { months: ClickMonths }
  ledger: SaleLedger
  erasing: {
    /** Make it the first statement of a transaction that deletes events. */
    begin(tx: Tx): Promise<void>
    /** Deletes the clicks and sales of an agent who no longer exists, but not their totals. */
    deleteEvents(tx: Tx, agentId: number): Promise<void>
  }
}

export const storesOnOneServer: Stores = {
  clickStore: { ...clickStoreOnOneServer, months: monthsOnOneServer },
  ledger: saleLedger,
  erasing: { begin: () => Promise.resolve(), deleteEvents: deleteEventsAsOwner },
}
