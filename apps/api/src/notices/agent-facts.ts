import type { Tx } from '../db/database.ts'
import { type FactOrigin, writeFacts } from './facts.ts'

/** Writes that these agents were approved or suspended. */
export async function tellOfAgents(
  tx: Tx,
  kind: 'agent.approved' | 'agent.suspended',
  agentIds: readonly number[],
  origin: FactOrigin,
): Promise<void> {
  if (agentIds.length === 0) return
  const accounts = await tx
    .selectFrom('accounts')
    .select(['agent_id', 'username'])
    .where('agent_id', 'in', agentIds)
    .execute()
  await writeFacts(
    tx,
    accounts.flatMap(({ agent_id: agentId, username }) =>
      agentId === null ? [] : [{ kind, of: { agentId }, subject: { agentId, username } }],
    ),
    origin,
  )
}
