import { findLayout } from '../db/citus/layout.ts'
import type { Db, Tx } from '../db/database.ts'
import { inTransaction } from '../db/transaction.ts'
import { lockTotals, lockTotalsAndEvents, takeYourTime } from './fold-totals.queries.ts'
import { derivations, finestLevel, LEVELS, summedLevels } from './levels.ts'
import {
  clearTotals,
  countEvents,
  deriveLevel,
  detailRowDifferences,
  differencesOf,
  type TotalsDifference,
  uniqueClickDifferences,
} from './verify-totals.queries.ts'
import { fillWeekAvp, weekAvpDifferences } from './week-avp.queries.ts'

/**
 * Compares every level of the totals with the events, in one snapshot: events may go on meanwhile, but not on
 * a distributed database, where what comes in just then may show as a difference.
 * @returns the differences found, at most `limit` a level; none when all is well.
 */
export function verifyTotals(db: Db, limit = 20): Promise<TotalsDifference[]> {
  return inTransaction(
    db,
    async (tx) => {
      await takeYourTime(tx)
      const found = await uniqueClickDifferences(tx, limit)
      for (const level of summedLevels) {
        found.push(...(await differencesOf(tx, level, limit)))
        if (level.sums.includes('detail_rows')) {
          found.push(...(await detailRowDifferences(tx, level, limit)))
        }
      }
      found.push(...(await weekAvpDifferences(tx, limit)))
      return found
    },
    { isolation: 'repeatable read' },
  )
}

/**
 * Makes every level anew from the events, in one transaction. Events may go on meanwhile: what they add
 * after this transaction's snapshot stays pending and is folded in afterwards. On a distributed database they
 * wait: clicks on disk, postbacks until they time out.
 */
export async function rebuildTotals(db: Db): Promise<void> {
  const layout = await findLayout(db)
  return inTransaction(
    db,
    async (tx) => {
      await takeYourTime(tx)
      if (layout === 'distributed') await lockTotalsAndEvents(tx)
      await recountTotals(tx)
    },
    { isolation: 'repeatable read' },
  )
}

/** The same in the transaction of a seed, which writes events without their totals. */
export async function recountTotals(tx: Tx): Promise<void> {
  await lockTotals(tx)
  await clearTotals(tx, LEVELS)
  await countEvents(tx, finestLevel)
  for (const [level, finer] of derivations) await deriveLevel(tx, level, finer)
  await fillWeekAvp(tx)
}
