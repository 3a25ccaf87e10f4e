import type { DbOrTx } from '../src/db/database.ts'
import { metrics, type TotalsDelta } from '../src/totals/index.ts'

/** Makes totals pending without their events; in the app, the statement that adds an event adds them. */
export async function addToTotals(db: DbOrTx, deltas: readonly TotalsDelta[]): Promise<void> {
  if (deltas.length === 0) return
  await db
    .insertInto('totals_pending')
    .values(
      deltas.map((delta) => ({
        ...Object.fromEntries(metrics.map((metric) => [metric, 0])),
        ...delta,
      })),
    )
    .execute()
}
