import { sql } from 'kysely'
import type { Sight } from '../../access/sight.ts'
import type { Tx } from '../../db/database.ts'
import { agentSeen } from '../../access/sight.queries.ts'

export type LockedAgent = { id: number; accountId: number; fraud_flagged_at: Date | null }

/** Locks the visible agents among `agentIds`, with their accounts. */
export async function lockAgents(
  tx: Tx,
  sight: Sight,
  agentIds: readonly number[],
): Promise<LockedAgent[]> {
  const { rows } = await sql<LockedAgent>`
    select agent.id, account.id as "accountId", agent.fraud_flagged_at
    from agents as agent
    join accounts as account on account.agent_id = agent.id
    where agent.id = any(${agentIds}::bigint[]) and ${agentSeen(sight)}
    order by agent.id
    for no key update of agent, account
  `.execute(tx)
  return rows
}

/** Clears agents, who are locked and flagged. */
export async function clearFraudFlags(tx: Tx, agentIds: readonly number[]): Promise<void> {
  await sql`
    update agents
    set fraud_flagged_at = null, version = version + 1
    where id = any(${agentIds}::bigint[])
  `.execute(tx)
}

/** Returns the ids of those that did not have the status. */
export async function setStatusOfAgents(
  tx: Tx,
  agentIds: readonly number[],
  change: { active: boolean } | { hidden: boolean },
): Promise<number[]> {
  const [column, value] =
    'active' in change
      ? ([sql`active`, change.active] as const)
      : ([sql`hidden`, change.hidden] as const)
  const { rows } = await sql<{ id: number }>`
    update agents
    set ${column} = ${value}, version = version + 1
    where id = any(${agentIds}::bigint[]) and ${column} <> ${value}
    returning id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Invalidates forms that were loaded before. */
export async function raiseVersions(tx: Tx, agentIds: readonly number[]): Promise<void> {
  await sql`
    update agents
    set version = version + 1
    where id = any(${agentIds}::bigint[])
  `.execute(tx)
}

/** Blocks login at once, until the block is lifted. */
export async function blockLogin(tx: Tx, accountIds: readonly number[]): Promise<void> {
  await sql`
    update accounts
    set login_blocked = true, login_open_until = null
    where id = any(${accountIds}::bigint[])
  `.execute(tx)
}

/** Allows login until `until` on blocked accounts. The block itself stays. */
export async function openLogin(tx: Tx, accountIds: readonly number[], until: Date): Promise<void> {
  await sql`
    update accounts
    set login_open_until = ${until}
    where id = any(${accountIds}::bigint[]) and login_blocked
  `.execute(tx)
}

/** Lifts the block for good. */
export async function liftLoginBlock(tx: Tx, accountId: number): Promise<void> {
  await sql`
    update accounts
    set login_blocked = false, login_open_until = null
    where id = ${accountId}
  `.execute(tx)
}
