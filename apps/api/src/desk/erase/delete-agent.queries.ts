import { sql } from 'kysely'
import { freeCodes } from '../../catalogue/index.ts'
import type { Db, Tx } from '../../db/database.ts'

/** Deletes an agent, their codes and their account. Sessions, site switches, chat logs and facts cascade. */
export async function deleteAgentRows(
  tx: Tx,
  { agentId, accountId }: { agentId: number; accountId: number },
): Promise<void> {
  await tx.deleteFrom('coupon_orders').where('agent_id', '=', agentId).execute()
  await freeCodes(tx, agentId)
  await tx.deleteFrom('accounts').where('id', '=', accountId).execute()
  await tx.deleteFrom('agents').where('id', '=', agentId).execute()
}

/** Deletes what was told of an agent, and what is to be told: it has their name, and the marks of their clicks. */
export async function deleteTold(tx: Tx, agentId: number): Promise<void> {
  await tx.deleteFrom('notices').where('agent_id', '=', agentId).execute()
  await tx.deleteFrom('deliveries').where('agent_id', '=', agentId).execute()
}

/** Agent ids in the totals, or in the sums of archived months, whose agents no longer exist. */
export async function findOrphansInTotals(db: Db): Promise<number[]> {
  // Months leave out the open day.
  const { rows } = await sql<{ agent_id: number }>`
    select totals.agent_id
    from totals_week_agent as totals
    left join agents as agent on agent.id = totals.agent_id
    where agent.id is null
    group by totals.agent_id
  `.execute(db)
  const { rows: archived } = await sql<{ agent_id: number }>`
    select distinct agent_id from click_seals where agent_id not in (select id from agents)
  `.execute(db)
  return [...new Set([...rows, ...archived].map(({ agent_id }) => agent_id))]
}
