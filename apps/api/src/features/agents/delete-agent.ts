import { sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import { announceChange } from '../../db/changes.ts'
import type { Layout } from '../../db/citus/layout.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { deleteClicksOfAgent, forgetVisitorsOfAgent } from '../clicks/index.ts'
import {
  lockTotals,
  lockTotalsAndEvents,
  removeAgentFromTotals,
  liftStatementTimeout,
} from '../../totals/index.ts'
import { deleteSalesOfAgent } from '../sales/index.ts'
import { lockAgent } from './agent-form.queries.ts'
import {
  deleteAgentRows,
  deleteEventsAsOwner,
  findOrphansInTotals,
} from './delete-agent.queries.ts'

/**
 * Deletes an agent with their clicks, sales, statistics and logs in one transaction. Postbacks and common logs
 * are kept, as a record of what arrived and who did what.
 *
 * @throws NOT_FOUND for an agent that the viewer cannot see.
 */
export function deleteAgent(
  { db, layout }: Pick<Services, 'db' | 'layout'>,
  viewer: Viewer,
  agentId: number,
): Promise<void> {
  return inTransaction(
    db,
    async (tx) => {
      await prepareForEvents(tx, layout)
      const agent = await lockAgent(tx, sightOf(viewer), agentId)
      if (!agent) throw notFound('agent')
      // First, because events can be deleted only for agents that no longer exist.
      await deleteAgentRows(tx, { agentId, accountId: agent.account_id })
      await deleteEvents(tx, agentId, layout)
      await announceChange(tx, 'destinations')
    },
    oneSnapshot,
  )
}

/**
 * Deletes events that arrived during or after an agent's deletion: clicks accepted before every process knew,
 * and spooled clicks. Runs every few minutes.
 */
export async function removeOrphanedEvents({
  db,
  layout,
}: Pick<Services, 'db' | 'layout'>): Promise<void> {
  for (const agentId of await findOrphansInTotals(db)) {
    await inTransaction(
      db,
      async (tx) => {
        await prepareForEvents(tx, layout)
        await deleteEvents(tx, agentId, layout)
      },
      oneSnapshot,
    )
  }
}

/** Keeps events and totals consistent if events arrive while we delete: both are deleted or neither. */
const oneSnapshot = { isolation: 'repeatable read' } as const

async function prepareForEvents(tx: Tx, layout: Layout): Promise<void> {
  await liftStatementTimeout(tx)
  await (layout === 'together' ? lockTotals(tx) : lockTotalsAndEvents(tx))
}

async function deleteEvents(tx: Tx, agentId: number, layout: Layout): Promise<void> {
  await forgetVisitorsOfAgent(tx, agentId)
  if (layout === 'together') await deleteEventsAsOwner(tx, agentId)
  else {
    await deleteClicksOfAgent(tx, agentId)
    await deleteSalesOfAgent(tx, agentId)
  }
  await removeAgentFromTotals(tx, agentId, layout)
}
