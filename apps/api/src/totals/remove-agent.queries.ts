import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { addToLevel, type Addition, findOpenDay } from './fold-totals.queries.ts'
import { type Level, metrics, summedLevels } from './levels.ts'
import type { TotalsStore } from './totals-store.ts'
import type { OfficeWeeks } from './week-avp.queries.ts'

/**
 * Removes from the totals everything that an agent's events added, as if the agent had never existed. Call it in a
 * `repeatable read` transaction that holds the totals (`TotalsStore.lock`) and also deletes the events. Events that arrive
 * in the meantime survive, and so do their totals.
 */
export async function removeAgentFromTotals(
  tx: Tx,
  agentId: number,
  { remakeOfficeWeeks }: Pick<TotalsStore, 'remakeOfficeWeeks'>,
): Promise<void> {
  await deletePendingOf(tx, agentId)
  const [agentLevels, officeLevels] = [
    summedLevels.filter((level) => level.dimensions.includes('agent_id')),
    summedLevels.filter((level) => !level.dimensions.includes('agent_id')),
  ]
  const officeWeeks = await officeWeeksOf(tx, agentId)
  const openDay = await findOpenDay(tx)
  // The office levels are reduced by the agent's own rows, so these go last.
  for (const level of officeLevels) {
    await addToLevel(tx, level, negativeOf(agentId), openDay)
    await deleteEmptied(tx, level, agentId)
  }
  for (const level of agentLevels) await deleteFromLevel(tx, level, agentId)
  await remakeOfficeWeeks(tx, officeWeeks)
}

async function deletePendingOf(tx: Tx, agentId: number): Promise<void> {
  await tx.deleteFrom('totals_pending').where('agent_id', '=', agentId).execute()
}

const deleteFromLevel = (tx: Tx, { table }: Level, agentId: number) =>
  sql`delete from ${sql.table(table)} where agent_id = ${agentId}`.execute(tx)

/** The weeks of offices in which an agent has totals now. */
async function officeWeeksOf(tx: Tx, agentId: number): Promise<OfficeWeeks> {
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

/** The agent's totals with the sign turned, to subtract them from the office levels. */
const negativeOf = (agentId: number): Addition => ({
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
 * Deletes the rows of an office level that only this agent contributed to. Sums of zero alone do not prove that: a
 * sale and its reversal on the same day also leave a row of zeros.
 */
async function deleteEmptied(tx: Tx, level: Level, agentId: number): Promise<void> {
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
