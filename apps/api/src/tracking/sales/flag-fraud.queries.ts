import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/**
 * Flags an agent for fraud, and suspends them if the system option Auto Block Account is on. Returns whether
 * they were and are active; undefined if the agent was deleted.
 */
export async function updateFraudFlag(
  tx: Tx,
  agentId: number,
  at: Date,
): Promise<{ wasActive: boolean; isActive: boolean } | undefined> {
  const before = await sql<{ active: boolean }>`
    select active from agents where id = ${agentId} for no key update
  `.execute(tx)
  const { rows } = await sql<{ active: boolean }>`
    update agents
    set fraud_flagged_at = coalesce(fraud_flagged_at, ${at}),
      active = active and option.value <> '1',
      version = version + 1
    from options as option
    where agents.id = ${agentId} and option.name = 'auto_block_account'
    returning agents.active
  `.execute(tx)
  const [was, is] = [before.rows[0], rows[0]]
  return was && is && { wasActive: was.active, isActive: is.active }
}
