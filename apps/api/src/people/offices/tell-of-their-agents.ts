import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { tellOfAgents } from '../../notices/index.ts'
import { findAgentsOf } from './office-status.queries.ts'

/**
 * Tells of agents that they may sell again, or may not any more, after their offices' status has changed. Of an office that is
 * active again these are all, also those who were activated while it was not.
 */
export async function tellOfTheirAgents(
  tx: Tx,
  viewer: Viewer,
  changed: { officeIds: readonly number[]; agentIds: readonly number[] },
  active: boolean,
): Promise<void> {
  const origin = { at: tx.now, byAccountId: viewer.accountId }
  if (!active) return tellOfAgents(tx, changed.agentIds, { maySell: false }, origin)
  const theirs = await findAgentsOf(tx, changed.officeIds)
  const agentIds = [...new Set([...changed.agentIds, ...theirs])]
  await tellOfAgents(tx, agentIds, { maySell: true }, origin)
}
