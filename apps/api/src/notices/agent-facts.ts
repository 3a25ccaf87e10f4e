import type { Tx } from '../db/database.ts'
import { type FactOrigin, writeFacts } from './facts.ts'

/** Whether an agent may sell: approved, active, and of an office that is. */
export async function mayAgentSell(tx: Tx, agentId: number): Promise<boolean> {
  const agent = await tx
    .selectFrom('agents as agent')
    .innerJoin('offices as office', 'office.id', 'agent.office_id')
    .select('agent.id')
    .where('agent.id', '=', agentId)
    .where('agent.active', '=', true)
    .where('agent.approved_at', 'is not', null)
    .where('office.active', '=', true)
    .executeTakeFirst()
  return agent !== undefined
}

/**
 * Writes that these agents may sell, or may not any more: whenever that changes. Activating does not let somebody sell whom nobody
 * has approved yet, or whose office is suspended.
 */
export async function tellOfAgents(
  tx: Tx,
  agentIds: readonly number[],
  { maySell }: { maySell: boolean },
  origin: FactOrigin,
): Promise<void> {
  if (agentIds.length === 0) return
  const all = tx
    .selectFrom('accounts')
    .innerJoin('agents as agent', 'agent.id', 'accounts.agent_id')
    .innerJoin('offices as office', 'office.id', 'agent.office_id')
    .select(['agent_id', 'username'])
    .where('agent_id', 'in', agentIds)
    .where('agent.approved_at', 'is not', null)
  const accounts = await (
    maySell ? all.where('agent.active', '=', true).where('office.active', '=', true) : all
  ).execute()
  const kind = maySell ? 'agent.approved' : 'agent.suspended'
  await writeFacts(
    tx,
    accounts.flatMap(({ agent_id: agentId, username }) =>
      agentId === null ? [] : [{ kind, of: { agentId }, subject: { agentId, username } }],
    ),
    origin,
  )
}
