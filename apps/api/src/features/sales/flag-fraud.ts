import { announceChange } from '../../db/changes.ts'
import type { Tx } from '../../db/database.ts'
import { updateFraudFlag } from './flag-fraud.queries.ts'

/**
 * Marks an agent whose sale a merchant called fraud; with the system option Auto Block Account on it is
 * suspended too, and its links stop within a second on every process.
 */
export async function flagFraud(tx: Tx, agentId: number, at: Date): Promise<void> {
  const isActive = await updateFraudFlag(tx, agentId, at)
  if (isActive === false) await announceChange(tx, 'destinations')
}
