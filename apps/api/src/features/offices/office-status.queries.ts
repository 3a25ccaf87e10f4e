import { sql } from 'kysely'
import type { Sight } from '../../access/sight.ts'
import type { Tx } from '../../db/database.ts'
import { officeSeen } from '../../access/sight.queries.ts'

/** Whether accounts work, or whether they are shown. */
export type StatusChange = { active: boolean } | { hidden: boolean }

/** Holds the offices in sight among `officeIds` until the transaction ends, and gives their ids. */
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

/** Sets offices and every agent of them, whether or not it is in sight; those that are so already stay untouched. */
export async function setStatusOfOffices(
  tx: Tx,
  officeIds: readonly number[],
  change: StatusChange,
): Promise<void> {
  const [column, value] = columnOf(change)
  await sql`
    update offices
    set ${column} = ${value}, version = version + 1
    where id = any(${officeIds}::bigint[]) and ${column} <> ${value}
  `.execute(tx)
  await setStatusOfTheirAgents(tx, officeIds, change)
}

/** Only their agents: for a form that has changed the office itself. */
export async function setStatusOfTheirAgents(
  tx: Tx,
  officeIds: readonly number[],
  change: StatusChange,
): Promise<void> {
  const [column, value] = columnOf(change)
  // Whoever activates an office stands by its agents: what merchants called fraud is over for them too.
  const cleared = 'active' in change && change.active ? sql`, fraud_flagged_at = null` : sql``
  await sql`
    update agents
    set ${column} = ${value}${cleared}, version = version + 1
    where office_id = any(${officeIds}::bigint[]) and ${column} <> ${value}
  `.execute(tx)
}

const columnOf = (change: StatusChange) =>
  'active' in change
    ? ([sql`active`, change.active] as const)
    : ([sql`hidden`, change.hidden] as const)
