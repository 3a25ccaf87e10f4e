import type { Tx } from '../../db/database.ts'

/** Deletes an agent's sales, bonuses and reversals. Their totals are not changed by it. */
export async function deleteSalesOfAgent(tx: Tx, agentId: number): Promise<void> {
  await tx.deleteFrom('sale_keys').where('agent_id', '=', agentId).execute()
  await tx.deleteFrom('sale_events').where('agent_id', '=', agentId).execute()
}
