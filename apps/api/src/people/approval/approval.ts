import { sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import { announceChange } from '../../db/changes.ts'
import { inTransaction } from '../../db/transaction.ts'
import { notFound } from '../../errors.ts'
import { tellOfAgents } from '../../notices/index.ts'
import type { Services } from '../../services.ts'
import { approveAgents, findAgentsOfAccounts } from './approval.queries.ts'

/**
 * Approves agents by account id, all of them or none, so that they can sign in and their links work.
 * Idempotent.
 *
 * @throws NOT_FOUND if one of them is not a visible agent.
 */
export function approve(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  accountIds: readonly number[],
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const agentIds = await findAgentsOfAccounts(tx, sightOf(viewer), accountIds)
    if (agentIds.length !== new Set(accountIds).size) throw notFound('agent')
    const origin = { at: tx.now, byAccountId: viewer.accountId }
    const approved = await approveAgents(tx, agentIds, origin.at)
    await tellOfAgents(tx, approved, { maySell: true }, origin)
    await announceChange(tx, 'destinations')
  })
}
