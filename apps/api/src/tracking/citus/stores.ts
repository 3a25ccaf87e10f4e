import { commitEverywhere, workInSequence } from '../../db/citus/layout.ts'
import type { Tx } from '../../db/database.ts'
import { forgetSealsOfAgent } from '../archive/purges.queries.ts'
import type { Stores } from '../stores.ts'
import { clickStoreOnCluster, deleteClicksOfAgent } from './clicks.queries.ts'
import { monthsOnCluster } from './months.queries.ts'
import { deleteSalesOfAgent, ledgerOnCluster } from './ledger.queries.ts'

export const storesOnCluster: Stores = {
  clickStore: { ...clickStoreOnCluster, months: monthsOnCluster },
  ledger: ledgerOnCluster,
  erasing: {
    // It reads all agents' totals, then deletes from reference tables.
    begin: workInSequence,
    deleteEvents,
  },
}

/** Here, `db distribute` gives the app's role the right, because a transaction cannot switch roles. */
async function deleteEvents(tx: Tx, agentId: number): Promise<void> {
  await deleteClicksOfAgent(tx, agentId)
  await deleteSalesOfAgent(tx, agentId)
  await forgetSealsOfAgent(tx, agentId)
  await commitEverywhere(tx)
}
