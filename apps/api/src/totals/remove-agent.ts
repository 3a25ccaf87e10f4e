import type { Layout } from '../db/citus/layout.ts'
import type { Tx } from '../db/database.ts'
import { addToLevel } from './fold-totals.queries.ts'
import { summedLevels } from './levels.ts'
import {
  deleteEmptied,
  deleteFromLevel,
  deletePendingOf,
  negativeOf,
  officeWeeksOf,
} from './remove-agent.queries.ts'
import { remakeOfficeWeeks } from './week-avp.queries.ts'

/**
 * Takes everything out of the totals that an agent's events added, as if they had never been. For a
 * transaction in `repeatable read` that holds the totals (`lockTotals`) and deletes these events too: what
 * comes in meanwhile then stays, as event and in the totals.
 */
export async function removeAgentFromTotals(
  tx: Tx,
  agentId: number,
  layout: Layout,
): Promise<void> {
  await deletePendingOf(tx, agentId)
  const [agentLevels, officeLevels] = [
    summedLevels.filter((level) => level.dimensions.includes('agent_id')),
    summedLevels.filter((level) => !level.dimensions.includes('agent_id')),
  ]
  const officeWeeks = await officeWeeksOf(tx, agentId)
  // The agent's own rows say what the office levels lose: they go last.
  for (const level of officeLevels) {
    await addToLevel(tx, level, negativeOf(agentId))
    await deleteEmptied(tx, level, agentId)
  }
  for (const level of agentLevels) await deleteFromLevel(tx, level, agentId)
  await remakeOfficeWeeks(tx, officeWeeks, layout)
}
