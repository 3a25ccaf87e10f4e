import { findLayout } from '../db/citus/layout.ts'
import type { Db } from '../db/database.ts'
import { errorCode, inTransaction } from '../db/transaction.ts'
import {
  addToLevel,
  deletePending,
  hasPending,
  lockTotals,
  pending,
} from './fold-totals.queries.ts'
import { summedLevels } from './levels.ts'
import { pendingApart } from './pending-apart.queries.ts'
import { keepWeekAvp } from './week-avp.queries.ts'

/** How long a report waits for another fold before it reads what is folded already. */
const patienceMs = 1_000

/**
 * Brings what the events have added since the last fold into every level, in one transaction: a reader
 * sees an event in all levels or in none. Run every few seconds, and before a report is read, so that the
 * report holds everything that was committed before it was asked for.
 *
 * 'busy' when another fold or a rebuild holds the levels for longer than a second.
 */
export async function foldTotals(db: Db): Promise<'folded' | 'nothing to fold' | 'busy'> {
  if (!(await hasPending(db))) return 'nothing to fold'
  const layout = await findLayout(db)
  try {
    await inTransaction(
      db,
      async (tx) => {
        await lockTotals(tx, { patienceMs })
        const addition = layout === 'together' ? pending : await pendingApart(tx)
        // The coarsest first: what is a new detail row shows as long as the agents' level has no row for it.
        for (const level of summedLevels.toReversed()) await addToLevel(tx, level, addition)
        await keepWeekAvp(tx, layout)
        await deletePending(tx)
      },
      { isolation: 'repeatable read' },
    )
    return 'folded'
  } catch (error) {
    if (errorCode(error) === lockNotAvailable) return 'busy'
    throw error
  }
}

const lockNotAvailable = '55P03'
