import type { Db } from '../src/db/database.ts'
import { inTransaction } from '../src/db/transaction.ts'
import { type PayFindings, verifyPay } from '../src/features/pay/index.ts'
import { beginSeals } from '../src/features/pay-seals/begin-seals.ts'
import { appendSeals } from '../src/features/pay-seals/seal.ts'
import { sealedTableNames } from '../src/features/pay-seals/sealed-tables.ts'
import { findNewestSeals, findRowHashes } from '../src/features/pay-seals/seals.queries.ts'
import { fixedClock } from '../src/lib/clock.ts'

/** Seals the rows that a test inserted without the app, as if the app had. */
export async function sealWorld(db: Db): Promise<void> {
  await beginSeals({ db, clock: fixedClock('2026-01-01T15:00:00Z') })
  await inTransaction(db, async (tx) => {
    for (const table of sealedTableNames) {
      const sealed = await findNewestSeals(tx, table)
      const unsealed = (await findRowHashes(tx, table, 'all')).filter(({ key }) => !sealed.has(key))
      await appendSeals(
        tx,
        unsealed.map((row) => ({
          kind: 'row',
          table,
          ...row,
          was: null,
          columns: null,
          begunAt: null,
        })),
      )
    }
  })
}

/** Verifies pay in a world of which a test inserted parts without the app. */
export async function verifyWorld(db: Db): Promise<PayFindings> {
  await sealWorld(db)
  return verifyPay(db)
}
