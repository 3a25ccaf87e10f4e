import type { Day } from '@tallyroom/domain/new-york'
import type { Db, Tx } from '../../db/database.ts'
import type { ArchivedClick } from './click-file.ts'

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
