import { moneyText } from '@tallyroom/contract/statement-sections'
import { sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import { announceChange } from '../../db/changes.ts'
import { type Layout, workInSequence } from '../../db/citus/layout.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { deleteClicksOfAgent, forgetVisitorsOfAgent } from '../clicks/index.ts'
import {
  lockTotals,
  lockTotalsAndEvents,
  removeAgentFromTotals,
  liftStatementTimeout,
} from '../../totals/index.ts'
import { findUnpaid } from '../pay/index.ts'
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
 * @param typedCentavos the unpaid money that the viewer knows of
 * @throws NOT_FOUND for an agent that the viewer cannot see; CONFLICT if they have other unpaid money.
 */
export function deleteAgent(
  { db, layout }: Pick<Services, 'db' | 'layout'>,
  viewer: Viewer,
  agentId: number,
  typedCentavos?: number,
): Promise<void> {
  return inTransaction(
    db,
    async (tx) => {
      await prepareForEvents(tx, layout)
      const agent = await lockAgent(tx, sightOf(viewer), agentId)
      if (!agent) throw notFound('agent')
      await refuseUnpaid(tx, agentId, typedCentavos)
      // First, because events can be deleted only for agents that no longer exist.
      await deleteAgentRows(tx, { agentId, accountId: agent.account_id })
      await deleteEvents(tx, agentId, layout)
      await announceChange(tx, 'destinations')
    },
    oneSnapshot,
  )
}

/** Deleting an agent deletes the sales that they have not been paid for. */
async function refuseUnpaid(tx: Tx, agentId: number, typed: number | undefined): Promise<void> {
  const { centavos, cents } = await findUnpaid(tx, agentId)
  if (cents !== 0) {
    throw conflict(`This agent’s balance is ${moneyText(cents, 'USD')}. Settle it first.`)
  }
  if (centavos === (typed ?? 0)) return
  throw conflict(
    centavos === 0
      ? 'This agent has no pay that is not settled.'
      : `This agent has ${moneyText(centavos, 'PHP')} of pay that is not settled. Close its period and pay it first.`,
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
  // It reads all agents' totals, then deletes from reference tables.
  if (layout === 'distributed') await workInSequence(tx)
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
