import type { Tx } from '../../db/database.ts'
import { addToLevel } from './daily-totals.queries.ts'
import { atLevel, type LevelRow } from './fold-totals.ts'
import { LEVELS } from './levels.ts'
import {
  deleteEmptied,
  deleteFromLevel,
  deletePendingOf,
  findDetailRows,
  findFinestRows,
} from './remove-agent.queries.ts'
import { metrics } from './totals-delta.ts'

/**
 * Takes everything out of the totals that an agent's events added, as if they had never been. For a
 * transaction in `repeatable read` that holds the totals (`lockTotals`) and deletes these events too: what
 * comes in meanwhile then stays, as event and in the totals.
 */
export async function removeAgentFromTotals(tx: Tx, agentId: number): Promise<void> {
  await deletePendingOf(tx, agentId)
  const taken = (await findFinestRows(tx, agentId)).map(negative)
  const detailRows = await findDetailRows(tx, agentId)
  const detailsTaken = detailRows.map((row): LevelRow => ({ ...row, detail_rows: -1 }))
  // The agents' own levels come first, so that those of their offices find what is left below them.
  for (const level of LEVELS) {
    if (level.dimensions.includes('agent_id')) {
      await deleteFromLevel(tx, level, agentId)
    } else {
      const countsDetails = level.sums.includes('detail_rows')
      const rows = atLevel(level, countsDetails ? [...taken, ...detailsTaken] : taken)
      await addToLevel(tx, level, rows)
      await deleteEmptied(tx, level, rows)
    }
  }
}

const negative = (row: LevelRow): LevelRow => ({
  ...row,
  ...Object.fromEntries(metrics.map((metric) => [metric, -Number(row[metric])])),
})
