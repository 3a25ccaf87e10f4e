import { type Day, startOfDay } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { bookedTypes } from '../../db/event-types.ts'

/** Sales and bonuses since a day, less reversals, that were recorded before an instant. */
export async function sumRecordedBefore(
  db: DbOrTx,
  { firstDay, before }: { firstDay: Day; before: Date },
): Promise<{ sales: number; payoutCentavos: number }> {
  const { rows } = await sql<{ sales: number; payoutCentavos: number }>`
    select
      coalesce(sum(quantity), 0)::integer as sales,
      coalesce(sum(payout_centavos), 0)::bigint as "payoutCentavos"
    from sale_events
    where occurred_at >= ${startOfDay(firstDay)} and recorded_at < ${before} and event_type in ${bookedTypes}
  `.execute(db)
  return rows[0] ?? { sales: 0, payoutCentavos: 0 }
}
