import { sql } from 'kysely'
import type { Sight } from '../../access/sight.ts'
import type { Tx } from '../../db/database.ts'
import { officeSeen } from '../../access/sight.queries.ts'

/** Whether accounts are active, or whether they are hidden. */
export type StatusChange = { active: boolean } | { hidden: boolean }

/** Locks the visible offices among `officeIds` and returns their ids. */
export async function lockOffices(
  tx: Tx,
  sight: Sight,
  officeIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select office.id
    from offices as office
    where office.id = any(${officeIds}::bigint[]) and ${officeSeen(sight)}
    order by office.id
    for no key update
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Sets the status of offices and all of their agents, visible or not. Rows that already have it are not touched. Returns the ids
 * of the changed ones.
 */
export async function setStatusOfOffices(
  tx: Tx,
  officeIds: readonly number[],
  change: StatusChange,
): Promise<{ officeIds: number[]; agentIds: number[] }> {
  const [column, value] = columnOf(change)
  const { rows } = await sql<{ id: number }>`
    update offices
    set ${column} = ${value}, version = version + 1
    where id = any(${officeIds}::bigint[]) and ${column} <> ${value}
    returning id
  `.execute(tx)
  return {
    officeIds: rows.map(({ id }) => id),
    agentIds: await setStatusOfTheirAgents(tx, officeIds, change),
  }
}

/** All agents of these offices. */
export async function findAgentsOf(tx: Tx, officeIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from agents where office_id = any(${officeIds}::bigint[])
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Only the agents, after a form has changed the office itself. Returns the ids of the changed ones. */
export async function setStatusOfTheirAgents(
  tx: Tx,
  officeIds: readonly number[],
  change: StatusChange,
): Promise<number[]> {
  const [column, value] = columnOf(change)
  const { rows } = await sql<{ id: number }>`
    update agents
    set ${column} = ${value}, version = version + 1
    where office_id = any(${officeIds}::bigint[]) and ${column} <> ${value}
    returning id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

const columnOf = (change: StatusChange) =>
  'active' in change
    ? ([sql`active`, change.active] as const)
    : ([sql`hidden`, change.hidden] as const)
