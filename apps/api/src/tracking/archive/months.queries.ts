import { inTransaction } from '../../db/transaction.ts'
import type { ClickMonths } from './click-months.ts'
import { busyIfGone, lockArchives } from './archives.ts'
import { lockPartition } from './archives.queries.ts'
import { readClicks } from './click-rows.queries.ts'

/** On one server, a lock of its table keeps a month still. */
export const monthsOnOneServer: ClickMonths = {
  expectReady: () => Promise.resolve(),
  whileStill: (db, month, { move }) =>
    inTransaction(
      db,
      async (tx) => {
        // Lock first: the snapshot must be taken when nobody can change the month any more.
        await lockPartition(tx, month).catch(busyIfGone)
        await lockArchives(tx)
        return move(tx)
      },
      { isolation: 'repeatable read' },
    ),
  read: readClicks,
  commitAsOne: () => Promise.resolve(),
  place: () => Promise.resolve(),
  findStill: () => Promise.resolve([]),
  release: () => Promise.resolve(),
}
