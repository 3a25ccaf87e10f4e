import type { Day } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { type Addition, pending } from './fold-totals.queries.ts'

type DetailRow = { day: Day; agentId: number; officeId: number }

/**
 * The same as {@link pending} on a distributed database. Joining what is pending there, on the coordinator, with
 * the agents' totals would fetch these whole, so the few rows in question are asked for by name.
 */
export async function pendingApart(tx: Tx): Promise<Addition> {
  const { rows: keys } = await sql<DetailRow>`
    select distinct day, agent_id as "agentId", office_id as "officeId" from totals_pending
  `.execute(tx)
  const { rows: present } = await sql<DetailRow>`
    select day, agent_id as "agentId", office_id as "officeId"
    from totals_day_agent
    where agent_id = any(${[...new Set(keys.map(({ agentId }) => agentId))]}::integer[])
      and day = any(${[...new Set(keys.map(({ day }) => day))]}::date[])
  `.execute(tx)
  const known = new Set(present.map(nameOf))
  const added = Map.groupBy(
    keys.filter((key) => !known.has(nameOf(key))),
    ({ day, officeId }) => `${day} ${officeId}`,
  )
  const groups = [...added].map(([name, rows]) => [...name.split(' '), rows.length])
  return {
    rows: pending.rows,
    detailRows: sql`
      select *
      from unnest(
        ${groups.map(([day]) => day)}::date[],
        ${groups.map(([, officeId]) => officeId)}::integer[],
        ${groups.map(([, , count]) => count)}::bigint[]
      ) as added (day, office_id, detail_rows)
    `,
  }
}

const nameOf = ({ day, agentId, officeId }: DetailRow) => `${day} ${agentId} ${officeId}`
