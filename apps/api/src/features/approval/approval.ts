import { sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import { announceChange } from '../../db/changes.ts'
import { inTransaction } from '../../db/transaction.ts'
import { notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { approveAgents, findAgentsOfAccounts } from './approval.queries.ts'

/**
 * Lets agents sign in and their links work, by the ids of their accounts: all of them or none. One that
 * somebody else has approved meanwhile stays so.
 *
 * @throws NOT_FOUND when one of them is no agent in the viewer's sight.
 */
export function approve(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  accountIds: readonly number[],
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const agentIds = await findAgentsOfAccounts(tx, sightOf(viewer), accountIds)
    if (agentIds.length !== new Set(accountIds).size) throw notFound('agent')
    await approveAgents(tx, agentIds, clock.now())
    await announceChange(tx, 'destinations')
  })
}
