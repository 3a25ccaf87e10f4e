import { NEW_YORK } from '@tallyroom/domain/new-york'
import type { ClientBase } from 'pg'
import type { ClickBatch } from './clicks-to-store.ts'

/** A click's mark, as `markOf` makes it. */
export const VISITOR_MARK = String.raw`(
  ltrim(int4send(type_id), '\x00') || substr(inet_send(ip), 5, case family(ip) when 4 then 4 else 8 end)
)`

/**
 * Remembers the visitors of a batch's agents on its day, as far as their clicks are in the database. Those that are
 * remembered already are locked, so that they cannot be forgotten before the batch is stored.
 */
export async function recallVisitors(
  session: ClientBase,
  { day, clicks }: ClickBatch,
): Promise<void> {
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
     order by 2, 3
     on conflict (day, agent_id, visitor) do update set visitor = excluded.visitor`,
    [day, [...new Set(clicks.map(({ agentId }) => agentId))]],
  )
}
