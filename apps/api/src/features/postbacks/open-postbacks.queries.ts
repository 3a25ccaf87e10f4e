import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'

/** The number, and when the oldest one arrived; null if there are none. */
export type Open = { count: number; since: Date | null }

export type OpenPostbacks = Record<'conflict' | 'unmatched' | 'waiting', Open>

/**
 * The postbacks since an instant that need somebody's attention, with the outcomes of the Postbacks
 * page. Those received before `unmatchedBefore` no longer wait.
 */
export async function findOpenPostbacks(
  db: DbOrTx,
  { from, unmatchedBefore }: { from: Date; unmatchedBefore: Date },
): Promise<OpenPostbacks> {
  const { rows } = await sql<{ outcome: keyof OpenPostbacks; count: number; since: Date }>`
    with unsettled as (
      select postback.received_at, 'conflict' as outcome
      from postbacks as postback
      left join postback_settlements as settlement on settlement.postback_id = postback.id
      left join held_postbacks as held on held.postback_id = postback.id
      where postback.outcome = 'conflict' and postback.received_at >= ${from}
        and settlement.postback_id is null and held.postback_id is null
      union all
      select postback.received_at, 'conflict'
      from held_postbacks as held
      join postbacks as postback on postback.id = held.postback_id
      left join postback_settlements as settlement on settlement.postback_id = postback.id
      where postback.received_at >= ${from} and settlement.postback_id is null
      union all
      select
        waiting.received_at,
        case when waiting.received_at <= ${unmatchedBefore} then 'unmatched' else 'waiting' end
      from waiting_postbacks as waiting
      left join held_postbacks as held on held.postback_id = waiting.postback_id
      left join postback_settlements as settlement on settlement.postback_id = waiting.postback_id
      where waiting.received_at >= ${from} and held.postback_id is null
        and settlement.postback_id is null
    )
    select outcome, count(*) as count, min(received_at) as since
    from unsettled
    group by outcome
  `.execute(db)
  const of = (outcome: keyof OpenPostbacks): Open => {
    const row = rows.find((candidate) => candidate.outcome === outcome)
    return { count: row?.count ?? 0, since: row?.since ?? null }
  }
  return { conflict: of('conflict'), unmatched: of('unmatched'), waiting: of('waiting') }
}
