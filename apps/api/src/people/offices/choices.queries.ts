import { sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { DbOrTx } from '../../db/database.ts'

export type OfficeChoice = { id: number; officeName: string; active: boolean }

/** The offices for a select, by name: the viewer's own, or all. Never hidden ones. */
export function findOfficeChoices(
  db: DbOrTx,
  scope: Scope,
  { withSuspended }: { withSuspended: boolean },
): Promise<OfficeChoice[]> {
  let offices = db
    .selectFrom('offices')
    .select(['id', 'name as officeName', 'active'])
    .where('hidden', '=', false)
    .orderBy(sql`lower(name) collate "C"`)
    .orderBy('id')
  if (scope.sees !== 'everything') offices = offices.where('id', '=', scope.officeId)
  if (!withSuspended) offices = offices.where('active', '=', true)
  return offices.execute()
}

/** Whether an office exists for the viewer. */
export async function isOfficeInScope(
  db: DbOrTx,
  scope: Scope,
  officeId: number,
): Promise<boolean> {
  if (scope.sees !== 'everything' && scope.officeId !== officeId) return false
  const office = await db
    .selectFrom('offices')
    .select('id')
    .where('id', '=', officeId)
    .executeTakeFirst()
  return office !== undefined
}

export type AgentChoice = { id: number; username: string; companyId: number; active: boolean }

/** The agents for a select, by username: those in the viewer's scope. Never hidden ones. */
export function findAgentChoices(
  db: DbOrTx,
  scope: Scope,
  choose: { officeId: number | undefined; withSuspended: boolean; withUnapproved: boolean },
): Promise<AgentChoice[]> {
  let agents = db
    .selectFrom('agents as agent')
    .innerJoin('accounts as account', 'account.agent_id', 'agent.id')
    .select(['agent.id', 'account.username', 'agent.office_id as companyId', 'agent.active'])
    .where('agent.hidden', '=', false)
    .orderBy(sql`lower(account.username) collate "C"`)
    .orderBy('agent.id')
  if (scope.sees !== 'everything') agents = agents.where('agent.office_id', '=', scope.officeId)
  if (scope.sees === 'agent') agents = agents.where('agent.id', '=', scope.agentId)
  if (choose.officeId !== undefined) agents = agents.where('agent.office_id', '=', choose.officeId)
  if (!choose.withSuspended) agents = agents.where('agent.active', '=', true)
  if (!choose.withUnapproved) agents = agents.where('agent.approved_at', 'is not', null)
  return agents.execute()
}
