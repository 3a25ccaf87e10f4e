import { NEW_YORK } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** Deletes who was seen by an agent's clicks: to be called before these are deleted. */
export async function forgetVisitorsOfAgent(tx: Tx, agentId: number): Promise<void> {
  const { rows } = await sql<{ day: string }>`
    select (clicked_at at time zone ${sql.lit(NEW_YORK)})::date as day
    from clicks
    where agent_id = ${agentId}
    group by day
  `.execute(tx)
  // The key of who was seen begins with the day.
  await sql`
    delete from seen_visitors
    where day = any(${rows.map(({ day }) => day)}::date[]) and agent_id = ${agentId}
  `.execute(tx)
  await tx.deleteFrom('crawler_visits').where('agent_id', '=', agentId).execute()
}

/** Deletes an agent's clicks. Their totals are not changed by it. For a cluster, where the app's role may. */
export async function deleteClicksOfAgent(tx: Tx, agentId: number): Promise<void> {
  await tx.deleteFrom('clicks').where('agent_id', '=', agentId).execute()
}
