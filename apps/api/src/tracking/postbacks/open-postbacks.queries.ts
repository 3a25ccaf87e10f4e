import { type HoldKind, isHoldKind } from '@tallyroom/domain/holds'
import type { Day } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { isDue, joinFollowUps } from '../held/held.queries.ts'

/**
 * The postbacks that have recorded nothing yet, without tests and without those that the merchant has not approved: what is
 * held, with its kind, and what came from `from` on and has waited for its click or sale since, which leaves the queue after
 * three days.
 */
export const openPostbacks = (from: Date): RawBuilder<unknown> => sql`
  select postback.*, held.kind
  from held_postbacks as held
  join postbacks as postback on postback.id = held.postback_id
  where not postback.test
  union all
  select postback.*, null
  from postbacks as postback
  left join postback_settlements as settlement on settlement.postback_id = postback.id
  left join held_postbacks as held on held.postback_id = postback.id
  where postback.outcome = 'waiting' and not postback.test and postback.received_at >= ${from}
    and settlement.postback_id is null and held.postback_id is null`

/** Whether a report of an order, or without a number of a click, is held or waits. */
export async function isOpenOrder(
  db: DbOrTx,
  {
    siteId,
    transactionId,
    clickId,
  }: { siteId: number; transactionId: string | undefined; clickId: string | undefined },
): Promise<boolean> {
  const isSame =
    transactionId === undefined
      ? sql`postback.transaction_id is null and postback.click_id = ${clickId ?? ''}`
      : sql`postback.transaction_id = ${transactionId}`
  const { rows } = await sql`
    select from postbacks as postback
    left join postback_settlements as settlement on settlement.postback_id = postback.id
    where postback.site_id = ${siteId} and ${isSame} and not postback.test
      and postback.outcome in ('conflict', 'waiting') and settlement.postback_id is null
    limit 1
  `.execute(db)
  return rows.length > 0
}

/** The number, and when the oldest one arrived; null if there are none. */
export type Open = { count: number; since: Date | null }

export type OpenPostbacks = {
  /** What staff have to decide, by what it is held for; the longest wait first. */
  held: { kind: HoldKind; count: number; since: Date }[]
  /** Those that came from `from` on and no longer wait. Staff can only deliver them again. */
  unmatched: Open
  waiting: Open
}

/** The postbacks that need somebody's attention on a day: nothing that was put off, or decided a moment ago. Those received up to `unmatchedBefore` no longer wait. */
export async function findOpenPostbacks(
  db: DbOrTx,
  { from, unmatchedBefore, today }: { from: Date; unmatchedBefore: Date; today: Day },
): Promise<OpenPostbacks> {
  const { rows } = await sql<{
    what: 'held' | 'unmatched' | 'waiting'
    kind: string | null
    count: number
    since: Date
  }>`
    select
      case
        when kind is not null then 'held'
        when received_at <= ${unmatchedBefore} then 'unmatched'
        else 'waiting'
      end as what,
      kind, count(*) as count, min(received_at) as since
    from (${openPostbacks(from)}) as open
    ${joinFollowUps(sql`open.id`)}
    where kind is null or ${isDue(today)}
    group by 1, 2
    order by since, kind
  `.execute(db)
  const of = (what: 'unmatched' | 'waiting'): Open => {
    const found = rows.find((row) => row.what === what)
    return { count: found?.count ?? 0, since: found?.since ?? null }
  }
  const held = rows.flatMap(({ kind, count, since }) =>
    kind !== null && isHoldKind(kind) ? [{ kind, count, since }] : [],
  )
  return { held, unmatched: of('unmatched'), waiting: of('waiting') }
}
