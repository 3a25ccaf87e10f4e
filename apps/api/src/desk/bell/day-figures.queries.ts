import { endOfDayExclusive, type Day, startOfDay } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import { countedTypes } from '../../db/event-types.ts'
import { conditions } from '../../totals/index.ts'

/** How many sales, approvals and bonuses were reversed on a day. */
export async function countReversals(tx: Tx, scope: Scope, day: Day): Promise<number> {
  const { rows } = await sql<{ reversed: number }>`
    select count(*) as reversed
    from sale_events
    where occurred_at >= ${startOfDay(day)} and occurred_at < ${endOfDayExclusive(day)}
      and event_type in ${countedTypes} and quantity < 0 and ${conditions(scope, {})}
  `.execute(tx)
  return rows[0]?.reversed ?? 0
}
