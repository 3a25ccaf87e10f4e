import { sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import { announceChange } from '../../db/changes.ts'
import { inTransaction } from '../../db/transaction.ts'
import { notFound } from '../../errors.ts'
import { tellOfAgents } from '../../notices/index.ts'
import type { Services } from '../../services.ts'
import { lockOffices, setStatusOfOffices, type StatusChange } from './office-status.queries.ts'

/**
 * Activates, suspends, shows or hides offices and all of their agents: all of them or none.
 *
 * @throws NOT_FOUND if the viewer cannot see one of them.
 */
export function setOfficeStatus(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  { ids, ...change }: { ids: readonly number[] } & StatusChange,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const found = await lockOffices(tx, sightOf(viewer), ids)
    if (found.length !== new Set(ids).size) throw notFound('office')
    const agentIds = await setStatusOfOffices(tx, found, change)
    if ('active' in change && !change.active) {
      const origin = { at: tx.now, byAccountId: viewer.accountId }
      await tellOfAgents(tx, 'agent.suspended', agentIds, origin)
    }
    await announceChange(tx, 'destinations')
  })
}
