import type { Day } from '@tallyroom/domain/new-york'
import type { ClientBase } from 'pg'
import type { Db, Tx } from '../../db/database.ts'
import type { ArchivedClick } from '../archive/click-file.ts'
import type { BatchKind, ClickBatch } from './clicks-to-store.ts'

/** Where a database has its clicks: on one server, or on the machines of a cluster. */
export type ClickStore = {
  /**
   * Stores clicks of one New York day, finds which of them are unique, and writes what they add to the totals, all or
   * nothing.
   * - `new`: clicks that were never sent to the database. Fails with 23505 if the key of one is
   *   taken.
   * - `again`: clicks that may have been stored by a statement whose answer never arrived. Those that
   *   were change nothing.
   * - `late`: the same, of a day whose visitors are forgotten. They are recalled from its clicks.
   */
  store(session: ClientBase, kind: BatchKind, batch: ClickBatch): Promise<void>
  /**
   * Stores clicks of as many agents as it takes to use each machine, in a transaction that is rolled back. Others may be slow
   * or refuse.
   */
  tryOut(session: ClientBase, makeBatch: (agents: number) => ClickBatch): Promise<void>
  /** Whether a click was refused because its month is being archived. */
  isHeldBack(error: Error): boolean
  months: ClickMonths
}

/** Whole months of clicks, as they go into files and come back. */
export type ClickMonths = {
  /** @throws ArchiveError if no month can be archived or restored yet. */
  expectReady(db: Db): Promise<void>
  /**
   * Runs `move` in one snapshot of a month that nobody can change meanwhile. It may drop the month. Returns undefined for a month that
   * has no clicks, or what `move` returns.
   *
   * @param refuse throws if the month can't be moved as it is.
   * @throws ArchivesBusyError if another run changes archives; ArchiveError if the clicks are in use.
   */
  whileStill<T>(
    db: Db,
    month: Day,
    moving: { refuse: (tx: Tx) => Promise<void>; move: (tx: Tx) => Promise<T | undefined> },
  ): Promise<T | undefined>
  /** The clicks of a month, in chunks. */
  read(tx: Tx, month: Day): AsyncGenerator<ArchivedClick[]>
  /** Makes the transaction commit everywhere or nowhere. Call it before what clicks wait for. */
  commitAsOne(tx: Tx): Promise<void>
  /** Brings the new, empty table of a month to where clicks are. */
  place(tx: Tx, table: string): Promise<void>
  /** Months that a dead run has left as {@link whileStill} makes them. */
  findStill(db: Db): Promise<Day[]>
  /** Lets clicks of such months in again. @throws ArchivesBusyError */
  release(db: Db): Promise<void>
}
