import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

/** Deletes an agent and its account; sessions, site switches and chat logs go with them. */
export async function deleteAgentRows(
  tx: Tx,
  { agentId, accountId }: { agentId: number; accountId: number },
): Promise<void> {
  await tx.deleteFrom('accounts').where('id', '=', accountId).execute()
  await tx.deleteFrom('agents').where('id', '=', agentId).execute()
}

/** Deletes the clicks and sales of an agent whose row is gone, by a function of the owner's: we have no right to. */
export const deleteEventsAsOwner = (tx: Tx, agentId: number) =>
  sql`select delete_events_of_removed_agent(${agentId})`.execute(tx)

/** Ids that the totals know and that no agent has any more. */
export async function findOrphansInTotals(db: Db): Promise<number[]> {
  const { rows } = await sql<{ agent_id: number }>`
    select totals.agent_id
    from totals_month_agent as totals
    left join agents as agent on agent.id = totals.agent_id
    where agent.id is null
    group by totals.agent_id
  `.execute(db)
  return rows.map(({ agent_id }) => agent_id)
}
