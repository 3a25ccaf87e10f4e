import type { Day } from '@tallyroom/domain/new-york'
import { findLayout } from '../db/citus/layout.ts'
import type { Db, Tx } from '../db/database.ts'
import { totalsOnCluster } from './citus/totals.queries.ts'
import type { Patience, Reach } from './fold-totals.queries.ts'
import { totalsOnOneServer } from './one-server.queries.ts'
import type { OfficeWeeks } from './week-avp.queries.ts'

/** Where a database has its totals and the events that they count: on one server, or on the machines of a cluster. */
export type TotalsStore = {
  /** Whether the levels may lack something that concerns a reader. */
  mayLack(db: Db, reach: Reach): Promise<boolean>
  /** Runs a fold before readers ask for it, where that lets them wait for less. */
  foldAhead(fold: () => Promise<unknown>): Promise<void>
  /**
   * Locks the levels against other writers until the transaction ends; events can still be written. Make it the first
   * statement: see {@link lockInTurn}.
   *
   * @throws 55P03 when the lock is not free within `patienceMs`
   */
  lockFolds(tx: Tx, patience?: Patience): Promise<void>
  /**
   * Applies pending rows to every level, after {@link lockFolds}, in `repeatable read`.
   * @returns false if nothing is pending.
   */
  fold(tx: Tx): Promise<boolean>
  /**
   * Locks what a transaction must lock that changes events and totals together. Like {@link lockFolds}, make it the first statement.
   *
   * @throws an error that counts as an unavailable database while a cluster moves a shard
   */
  lock(tx: Tx): Promise<void>
  /** Makes the snapshot of a transaction one of events and totals. Make it the first statement. Throws as {@link lock}. */
  takeSnapshot(db: Db, tx: Tx): Promise<void>
  /** The day that a recount of all events opens, if it may open one. */
  findDayToOpen(tx: Tx): Promise<Day | undefined>
  /** Recomputes these weeks of offices from the weeks of their agents. */
  remakeOfficeWeeks(tx: Tx, changed: OfficeWeeks): Promise<void>
}

/** Asked once, because a database can't be distributed while the app is connected. */
export async function totalsStoreOf(db: Db): Promise<TotalsStore> {
  const store =
    stores.get(db) ?? ((await findLayout(db)) === 'together' ? totalsOnOneServer : totalsOnCluster)
  stores.set(db, store)
  return store
}

const stores = new WeakMap<Db, TotalsStore>()
