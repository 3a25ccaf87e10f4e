import { announceChange } from '../../db/changes.ts'
import type { Tx } from '../../db/database.ts'
import { updateFraudFlag } from './flag-fraud.queries.ts'

/**
 * Flags an agent whose sale a merchant reported as fraud. If the system option Auto Block Account is on, they
 * are also suspended, and their links stop within a second in every process.
 */
export async function flagFraud(tx: Tx, agentId: number, at: Date): Promise<void> {
  const isActive = await updateFraudFlag(tx, agentId, at)
  if (isActive === false) await announceChange(tx, 'destinations')
}
