import { NEW_YORK } from '@tallyroom/domain/new-york'
import type { ClientBase } from 'pg'
import { lockIds } from '../../db/locks.ts'
import { array, type ClickBatch } from './clicks-to-store.ts'

/** A click's mark, as `markOf` makes it. */
export const VISITOR_MARK = String.raw`(
  ltrim(int4send(type_id), '\x00') || substr(inet_send(ip), 5, case when family(ip) = 4 then 4 else 8 end)
)`

/**
 * Remembers those visitors of a batch again who have a unique click in the database. An address that has been cut is
 * nobody's any more.
 */
export async function recallVisitors(
  session: ClientBase,
  { day, clicks, marks }: ClickBatch,
): Promise<void> {
  // A statement of its own, so that the next one sees what was committed before the lock was free.
  await session.query(`select pg_advisory_xact_lock_shared(${lockIds.visitors})`)
  await session.query(
    `insert into seen_visitors (day, agent_id, visitor)
     select distinct $1::date, agent_id, ${VISITOR_MARK}
     from clicks
     where agent_id = any($2::integer[])
       -- A New York day ends early on the next UTC day.
       and (clicked_at at time zone 'UTC')::date between $1::date and $1::date + 1
       and clicked_at >= $1::timestamp at time zone '${NEW_YORK}'
       and clicked_at < ($1::date + 1)::timestamp at time zone '${NEW_YORK}'
       and is_unique
       and masklen(ip) = case when family(ip) = 4 then 32 else 128 end
       and ${VISITOR_MARK} = any($3::bytea[])
     order by 2, 3
     on conflict do nothing`,
    [
      day,
      [...new Set(clicks.map(({ agentId }) => agentId))],
      array(
        marks.filter((mark) => mark !== undefined),
        (mark) => String.raw`"\\x${mark}"`,
      ),
    ],
  )
}
