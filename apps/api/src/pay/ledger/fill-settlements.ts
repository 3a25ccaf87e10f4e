import type { Db } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { liftStatementTimeout } from '../../totals/index.ts'
import { findBegunAt } from '../../seals/index.ts'
import { lockBalances } from '../terms/settings.queries.ts'
import { findUnsettled, findUnstored } from './settle.ts'
import { insertSettlements, insertUnsealed } from './settlements.queries.ts'

/**
 * Stores what payments settle that an older version made. Runs on each start before requests arrive, and after a restore, before
 * the table is sealed: an older process may pay until it ends, and the next act of its payees or the next start stores what that
 * settles. Whether a transfer was made by Tallyroom is said by its own seal, so a settlement of it proves nothing.
 */
export const fillSettlements = ({ db }: { db: Db }): Promise<void> =>
  inTransaction(db, async (tx) => {
    await liftStatementTimeout(tx)
    await lockBalances(tx)
    const isSealed = (await findBegunAt(tx, 'settlements')) !== undefined
    const payees = await findUnsettled(tx)
    for (let at = 0; at < payees.length; at += AT_ONCE) {
      const unstored = await findUnstored(tx, payees.slice(at, at + AT_ONCE))
      if (isSealed) await insertSettlements(tx, unstored)
      else await insertUnsealed(tx, unstored)
    }
  })

/** Payees at once, so that a long history neither fills the memory nor keeps the database waiting. */
const AT_ONCE = 200
