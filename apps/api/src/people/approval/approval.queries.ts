import type { Unapproved } from '@tallyroom/contract/people/approval'
import { type RawBuilder, sql } from 'kysely'
import type { Sight } from '../../access/sight.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { RowOf } from '../../db/row-of.ts'
import { inOrder } from '../../db/list-query.ts'
import { agentSeen } from '../../access/sight.queries.ts'

export type UnapprovedRow = RowOf<Omit<Unapproved, 'role'>, 'regTime'>

export type UnapprovedOrder = { sortField: keyof typeof sortColumns; ascending: boolean }

/** The visible agents awaiting approval. `id` is the account's. */
export async function findUnapproved(
  db: DbOrTx,
  sight: Sight,
  { sortField, ascending }: UnapprovedOrder,
): Promise<UnapprovedRow[]> {
  const { rows } = await sql<UnapprovedRow>`
    select
      account.id, agent.id as "agentId", office.id as "companyId",
      account.username, office.name as "officeName", agent.created_at as "regTime"
    from agents as agent
    join offices as office on office.id = agent.office_id
    join accounts as account on account.agent_id = agent.id
    where agent.approved_at is null and ${agentSeen(sight)}
    order by ${inOrder([...sortColumns[sortField], sql`agent.id`], ascending)}
  `.execute(db)
  return rows
}

const username = sql`lower(account.username) collate "C"`

const sortColumns = {
  username: [username],
  officeName: [sql`lower(office.name) collate "C"`, username],
  regTime: [sql`agent.created_at`],
} satisfies Record<string, RawBuilder<unknown>[]>

/** Polled by every approver's browser: reads only pending agents, through their partial index. */
export async function countUnapproved(db: DbOrTx, sight: Sight): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
    from agents as agent
    where agent.approved_at is null and ${agentSeen(sight)}
  `.execute(db)
  return rows[0]?.total ?? 0
}

/** The visible agents of these accounts, pending or not. */
export async function findAgentsOfAccounts(
  tx: Tx,
  sight: Sight,
  accountIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select agent.id
    from agents as agent
    join accounts as account on account.agent_id = agent.id
    where account.id = any(${accountIds}::bigint[]) and ${agentSeen(sight)}
    order by agent.id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Returns the ids of those that were not. Agents who are already approved keep their approval time. */
export async function approveAgents(
  tx: Tx,
  agentIds: readonly number[],
  approvedAt: Date,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update agents
    set approved_at = ${approvedAt}
    where id = any(${agentIds}::bigint[]) and approved_at is null
    returning id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** How many visible agents await approval, and since when the first does. */
export async function findApprovalQueue(db: DbOrTx, sight: Sight) {
  const { rows } = await sql<{ count: number; since: Date | null }>`
    select count(*) as count, min(agent.created_at) as since
    from agents as agent
    where agent.approved_at is null and ${agentSeen(sight)}
  `.execute(db)
  return rows[0] ?? { count: 0, since: null }
}
