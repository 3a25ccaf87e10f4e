import { type Day, NEW_YORK } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { type AsOf, placeOf } from '../../seals/index.ts'

/** That somebody moved an agent, so that what they sell is paid to another office, or by another one's rates. */
export type AgentMove = {
  deed: 'moved agent'
  by: number
  byName: string
  at: Date
  /** The New York day. */
  from: Day
  agentId: number
  /** The agent. */
  of: string
  fromOffice: string
  toOfficeId: number
  toOffice: string
}

/**
 * The moves of agents on these days, oldest first.
 *
 * @param since the place in the chain of seals after which they count
 */
export async function findAgentMoves(
  db: DbOrTx,
  { after, until }: { after: Day | null; until: Day },
  { since, before }: { since: number } & AsOf,
): Promise<AgentMove[]> {
  const place = placeOf('agent_moves', sql`move.id::text`)
  const day = sql<Day>`(move.moved_at at time zone ${sql.lit(NEW_YORK)})::date`
  const { rows } = await sql<AgentMove>`
    select
      'moved agent' as deed, move.moved_by as by, move.moved_by_name as "byName", move.moved_at as at,
      ${day} as from, move.agent_id as "agentId", move.agent_name as of,
      move.from_office_name as "fromOffice", move.to_office_id as "toOfficeId",
      move.to_office_name as "toOffice"
    from agent_moves as move
    where ${day} > coalesce(${after}::date, '-infinity') and ${day} <= ${until}::date
      and ${place} > ${since}
      ${before === undefined ? sql`` : sql`and ${place} < ${before}`}
    order by move.moved_at, move.id
  `.execute(db)
  return rows
}
