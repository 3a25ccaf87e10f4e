import type { DbOrTx } from '../../db/database.ts'
import { metrics } from './totals-delta.ts'
import type { TotalsDelta } from './totals-delta.ts'

/** Adds what events of the same transaction count for; the folding brings it into every level. */
export async function addToTotals(tx: DbOrTx, deltas: readonly TotalsDelta[]): Promise<void> {
  if (deltas.length === 0) return
  await tx
    .insertInto('totals_pending')
    .values(
      deltas.map((delta) => ({
        day: delta.day,
        agent_id: delta.agent_id,
        office_id: delta.office_id,
        site_id: delta.site_id,
        type_id: delta.type_id,
        ...Object.fromEntries(metrics.map((metric) => [metric, delta[metric] ?? 0])),
      })),
    )
    .execute()
}
