import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { Addition } from './fold-totals.queries.ts'
import { type Level, metrics } from './levels.ts'
import type { OfficeWeeks } from './week-avp.queries.ts'

export async function deletePendingOf(tx: Tx, agentId: number): Promise<void> {
  await tx.deleteFrom('totals_pending').where('agent_id', '=', agentId).execute()
}

export const deleteFromLevel = (tx: Tx, { table }: Level, agentId: number) =>
  sql`delete from ${sql.table(table)} where agent_id = ${agentId}`.execute(tx)

/** The weeks of offices that an agent has a part in, as they are now. */
export async function officeWeeksOf(tx: Tx, agentId: number): Promise<OfficeWeeks> {
  const weeks = await tx
    .selectFrom('totals_week_agent')
    .select(['day', 'office_id'])
    .where('agent_id', '=', agentId)
    .execute()
  return sql`
    select *
    from unnest(
      ${weeks.map(({ day }) => day)}::date[], ${weeks.map((week) => week.office_id)}::integer[]
    ) as weeks (day, office_id)
  `
}

/** The rows that take out of the office levels what an agent has in its own. */
export const negativeOf = (agentId: number): Addition => ({
  rows: sql`
    select
      day, agent_id, office_id, site_id, type_id,
      ${sql.join(metrics.map((metric) => sql`-${sql.ref(metric)} as ${sql.ref(metric)}`))}
    from totals_day_agent_type
    where agent_id = ${agentId}
  `,
  detailRows: sql`
    select day, office_id, -1 as detail_rows
    from totals_day_agent
    where agent_id = ${agentId}
  `,
})

/**
 * Deletes those of an office level's rows below which nothing is left but this agent's. Sums of zero alone
 * don't say so: a sale and its reversal on one day make a row of zeros.
 */
export async function deleteEmptied(tx: Tx, level: Level, agentId: number): Promise<void> {
  const table = sql.table(level.table)
  const own = sql.table(level.unit === 'day' ? 'totals_day_agent' : 'totals_month_agent')
  if (level.sums.includes('detail_rows')) {
    await sql`
      delete from ${table} as present
      using ${own} as own
      where own.agent_id = ${agentId}
        and present.office_id = own.office_id and present.day = own.day
        and present.detail_rows = 0
    `.execute(tx)
    return
  }
  const finer = sql.table(
    level.unit === 'day' ? 'totals_day_agent_type' : 'totals_month_agent_type',
  )
  const zeros = sql.join(
    metrics.map((metric) => sql`${sql.ref(`present.${metric}`)} = 0`),
    sql` and `,
  )
  await sql`
    with zeros as materialized (
      select present.day, present.office_id, present.site_id, present.type_id
      from ${table} as present
      join ${finer} as own
        on own.agent_id = ${agentId} and own.office_id = present.office_id
        and own.day = present.day and own.type_id = present.type_id
      where ${zeros}
    )
    delete from ${table} as present
    using zeros
    left join ${finer} as below
      on below.site_id = zeros.site_id and below.day = zeros.day
      and below.office_id = zeros.office_id and below.type_id = zeros.type_id
      and below.agent_id <> ${agentId}
    where present.office_id = zeros.office_id and present.day = zeros.day
      and present.type_id = zeros.type_id
      and below.agent_id is null
  `.execute(tx)
}
