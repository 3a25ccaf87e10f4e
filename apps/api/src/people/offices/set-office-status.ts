import { sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import { announceChange } from '../../db/changes.ts'
import { inTransaction } from '../../db/transaction.ts'
import { notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { lockOffices, setStatusOfOffices, type StatusChange } from './office-status.queries.ts'
import { tellOfTheirAgents } from './tell-of-their-agents.ts'

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
    const changed = await setStatusOfOffices(tx, found, change)
    if ('active' in change) await tellOfTheirAgents(tx, viewer, changed, change.active)
    await announceChange(tx, 'destinations')
  })
}
