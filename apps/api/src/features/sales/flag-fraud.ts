import { sql } from 'kysely'
import { announceChange } from '../../db/changes.ts'
import type { Tx } from '../../db/database.ts'

/**
 * Marks an agent whose sale a merchant called fraud; with the system option Auto Block Account on it is
 * suspended too, and its links stop within a second on every process.
 */
export async function flagFraud(tx: Tx, agentId: number, at: Date): Promise<void> {
  const { rows } = await sql<{ active: boolean }>`
    update agents
    set fraud_flagged_at = coalesce(fraud_flagged_at, ${at}),
      active = active and option.value <> '1',
      version = version + 1
    from options as option
    where agents.id = ${agentId} and option.name = 'auto_block_account'
    returning agents.active
  `.execute(tx)
  if (rows[0]?.active === false) await announceChange(tx, 'destinations')
}
