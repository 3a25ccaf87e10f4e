import type { ChangeWatch } from '../db/changes.ts'
import type { Db } from '../db/database.ts'
import { findListeners } from './listeners.queries.ts'
import { everybody, type Listeners } from './notice.ts'

/**
 * Keeps in memory who listens, so that a sale which nobody wants to hear of costs no row. Changes take effect within a second in
 * every process.
 */
export function keepListeners(db: Db, changes: ChangeWatch): Listeners {
  let hear: Listeners['hear'] = everybody.hear
  changes.keepFresh(['listeners'], async () => {
    const { network, offices, agents } = await findListeners(db)
    hear = ({ agent_id: agent, office_id: office }) =>
      network || agents.has(agent) || offices.has(office)
  })
  return { hear: (notice) => hear(notice) }
}
